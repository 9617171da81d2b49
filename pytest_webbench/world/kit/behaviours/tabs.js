// Tabs as ARIA describes them: in a role="tablist" each role="tab" names its panel by aria-controls.
// With data-in-address on the list, the open tab stands in the address as #PANEL.
for (const list of document.querySelectorAll("[role=tablist]")) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const open = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  const named = () =>
    tabs.find((tab) => `#${tab.getAttribute("aria-controls")}` === location.hash);
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (!tab) return;
    open(tab);
    if ("inAddress" in list.dataset)
      history.replaceState(null, "", `#${tab.getAttribute("aria-controls")}`);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
  addEventListener("hashchange", () => named() && open(named()));
  open(named() ?? tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs[0]);
}
