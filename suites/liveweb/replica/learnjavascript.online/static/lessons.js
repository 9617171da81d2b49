// Lessons change without a new document: their links fetch the page and put its content in the place of this one's.
const show = async (address) => {
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
  document.title = page.title;
};
document.addEventListener("click", (event) => {
  const link = event.target.closest('main a[href^="/app.html?id="]');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  show(link.href);
});
addEventListener("popstate", () => show(location.href));
