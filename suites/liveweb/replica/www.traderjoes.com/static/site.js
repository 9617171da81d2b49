// The store search, and the store that a visitor has chosen: local storage holds it as "selectedStore", a list of one.
const KEY = "selectedStore";
const mine = () => JSON.parse(localStorage.getItem(KEY) ?? "[]")[0];
const name = () => {
  const store = mine();
  for (const place of document.querySelectorAll("[data-mine]")) place.textContent = store ? `${store.name} (${store.clientkey})` : "Find a store";
};
const choose = (store) => {
  const kept = { clientkey: store.key, name: store.name, address1: store.address, city: store.city, state: store.state, postalcode: store.zip };
  localStorage.setItem(KEY, JSON.stringify([kept]));
  name();
};
const made = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
const show = (stores, list) => {
  const items = stores.map((store) => {
    const item = document.createElement("li");
    const button = made("button", mine()?.clientkey === store.key ? "This is my store" : "Set as my store", { type: "button" });
    button.setAttribute("aria-label", `${button.textContent}: ${store.name}`);
    button.addEventListener("click", () => {
      choose(store);
      show(stores, list);
    });
    item.append(made("h2", store.name), made("p", `${store.address}, ${store.city}, ${store.state} ${store.zip}`), made("p", `Open ${store.hours}`), made("p", `${store.miles} mi away`), made("a", "Store details", { href: store.page }), " ", button);
    return item;
  });
  list.replaceChildren(...items);
};
for (const form of document.querySelectorAll("[data-finder]"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const zip = new FormData(form).get("zip");
    const answer = await fetch(`/api/stores?${new URLSearchParams({ zip })}`);
    const stores = await answer.json();
    document.querySelector("[role=status]").textContent = stores.length ? `${stores.length} stores near ${zip}` : `No stores near ${zip}`;
    show(stores, document.querySelector(".stores"));
  });
name();
