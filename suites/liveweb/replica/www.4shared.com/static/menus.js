// Menus of a list: a button opens its links, and another click closes them.
for (const menu of document.querySelectorAll("[data-menu]")) {
  const [button, list] = menu.children;
  const open = (shown) => {
    list.hidden = !shown;
    button.setAttribute("aria-expanded", String(shown));
  };
  button.addEventListener("click", () => open(list.hidden));
  document.addEventListener("click", (event) => menu.contains(event.target) || open(false));
}
