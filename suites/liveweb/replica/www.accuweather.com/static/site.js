// Menus of months and years: a button shows and hides its list of links.
for (const button of document.querySelectorAll("[aria-haspopup]")) {
  const list = document.getElementById(button.getAttribute("aria-controls"));
  button.addEventListener("click", () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
  });
}
