// The panel of rules is filled when it is shown for the first time.
const panel = document.querySelector("[data-from]");
new MutationObserver(async () => {
  if (panel.hidden || panel.dataset.loaded) return;
  panel.dataset.loaded = "1";
  panel.innerHTML = await (await fetch(panel.dataset.from)).text();
}).observe(panel, { attributes: true, attributeFilter: ["hidden"] });
