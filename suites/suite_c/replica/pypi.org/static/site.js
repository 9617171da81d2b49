// Filters and ordering submit at once; filter groups open and close; project tabs follow the address' fragment.
const filters = document.getElementById("filters");
if (filters) {
  const submit = () => filters.requestSubmit();
  filters.addEventListener("change", submit);
  document.getElementById("order").addEventListener("change", submit);
  for (const button of filters.querySelectorAll(".expander")) {
    button.addEventListener("click", () => {
      const content = document.getElementById(button.getAttribute("aria-controls"));
      content.hidden = !content.hidden;
      button.setAttribute("aria-expanded", String(!content.hidden));
    });
  }
}

const tabs = [...document.querySelectorAll("[role=tab]")];
const showTab = () => {
  const chosen = tabs.find((tab) => tab.hash === location.hash) || tabs[0];
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
};
if (tabs.length) {
  addEventListener("hashchange", showTab);
  showTab();
}
