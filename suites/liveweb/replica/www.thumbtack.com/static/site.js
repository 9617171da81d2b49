// Each change of the filters asks for the list again.
const filters = document.querySelector("[data-list]");
const refresh = async () => {
  const place = document.getElementById("pros");
  place.setAttribute("aria-busy", "true");
  const chosen = new URLSearchParams(new FormData(filters));
  const answer = await fetch(`${filters.dataset.list}&${chosen}`);
  place.innerHTML = await answer.text();
  place.removeAttribute("aria-busy");
};
filters?.addEventListener("change", refresh);
filters?.addEventListener("reset", () => setTimeout(refresh));
