// Calculators of taxes: worked out by data-taxes whenever a field has changed. A place counts once it was chosen from the list.
const form = document.querySelector("[data-taxes]");
if (form) {
  const { elements } = form;
  const place = elements["ud-current-location-display"];
  const box = form.querySelector(".select2");
  const list = form.querySelector(".select2-results");
  const alert = form.querySelector("[role=alert]");
  let known = [place.value, elements["ud-current-location"].value];
  let asked = 0;
  const calculate = async () => {
    const number = ++asked;
    for (const one of document.querySelectorAll("[data-value]")) one.textContent = "…";
    const answer = await fetch(`${form.dataset.taxes}?${new URLSearchParams(new FormData(form))}`);
    const found = await answer.json();
    if (number !== asked) return;
    alert.textContent = found.error ?? "";
    alert.hidden = !found.error;
    for (const one of document.querySelectorAll("[data-value]"))
      one.textContent = one.dataset.value.split(".").reduce((value, key) => value?.[key], found) ?? "–";
  };
  const settle = () => {
    if (elements["ud-current-location"].value !== known[1]) known = [place.value, elements["ud-current-location"].value];
    place.value = known[0];
    for (const one of form.querySelectorAll(".dollar, details input"))
      one.value = `$${(Number(one.value.replace(/[^0-9.]/g, "")) || 0).toLocaleString("en-US")}`;
    calculate();
  };
  const open = (yes) => {
    list.hidden = !yes;
    box.setAttribute("aria-expanded", String(yes));
  };
  box.addEventListener("click", () => open(list.hidden));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(list.hidden);
    }
    if (event.key === "Escape") open(false);
  });
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (!option) return;
    for (const one of list.children) one.setAttribute("aria-selected", String(one === option));
    box.firstElementChild.textContent = option.textContent;
    elements["ud-filing-status"].value = option.textContent;
    open(false);
    calculate();
  });
  form.addEventListener("change", settle);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle();
  });
  calculate();
}
