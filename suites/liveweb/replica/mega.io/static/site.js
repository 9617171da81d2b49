// Tabs of plans, and sliders beside the numbers they stand for.
const buttons = [...document.querySelectorAll(".tab-button")];
for (const button of buttons)
  button.addEventListener("click", () => {
    for (const one of buttons) {
      one.classList.toggle("active", one === button);
      one.setAttribute("aria-pressed", String(one === button));
      document.querySelector(`[data-tab="${one.dataset.tabId}"]`).hidden = one !== button;
    }
  });
for (const slider of document.querySelectorAll("[data-for]")) {
  const number = document.getElementById(slider.dataset.for);
  slider.addEventListener("input", () => {
    number.value = slider.value;
  });
  number.addEventListener("input", () => {
    slider.value = number.value;
  });
  number.addEventListener("change", () => {
    number.value = Math.min(number.max, Math.max(number.min, Math.round(number.value)));
    number.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
