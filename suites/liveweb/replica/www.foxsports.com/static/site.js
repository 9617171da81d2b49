// Menus: a button shows and hides its list of links; a click anywhere else hides it.
const menus = [...document.querySelectorAll("[aria-haspopup]")];
const show = (button, open) => {
  document.getElementById(button.getAttribute("aria-controls")).hidden = !open;
  button.setAttribute("aria-expanded", String(open));
};
document.addEventListener("click", ({ target }) => {
  for (const button of menus) show(button, button === target && button.getAttribute("aria-expanded") !== "true");
});
