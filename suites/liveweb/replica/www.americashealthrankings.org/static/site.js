// A measure's state and the one to compare with stand in the path; the page is changed in place.
const show = async (path) => {
  const answer = await fetch(path);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
  document.title = page.title;
};
document.addEventListener("change", ({ target }) => {
  const pick = target.closest("[data-measure]");
  if (!pick) return;
  const state = pick.querySelector("[data-state]").value;
  const other = pick.querySelector("[data-other]").value;
  let path = pick.dataset.measure;
  if (state !== "ALL") path += `/${state}`;
  if (state !== "ALL" && other && other !== state) path += `/compare/${other}`;
  history.pushState(null, "", path);
  show(path);
});
addEventListener("popstate", () => show(location.pathname));
