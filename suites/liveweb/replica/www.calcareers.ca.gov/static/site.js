// The search stands in the fragment: #locid=...&minsal=...; "#empty" is a search for everything.
const form = document.querySelector("[data-search]");
const list = document.getElementById("jobs");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = [...new FormData(form)].filter(([, value]) => value.trim());
  const asked = new URLSearchParams(given).toString() || "empty";
  if (location.pathname === form.dataset.search) location.hash = asked;
  else location.assign(`${form.dataset.search}#${asked}`);
});
const asked = () => {
  const found = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) found.set(name, value);
  found.delete("empty");
  return found;
};
const show = async () => {
  const search = asked();
  const answer = await (await fetch(`/CalHRPublic/Search/Jobs.json?${search}`)).json();
  document.getElementById("count").textContent = `${answer.total} job(s) found`;
  list.replaceChildren(
    ...answer.jobs.map((job) => {
      const row = document.createElement("li");
      const link = document.createElement("a");
      link.href = `/CalHRPublic/Jobs/JobPosting.aspx?JobControlId=${job.id}`;
      link.textContent = `${job.title} (JC-${job.id})`;
      const about = document.createElement("p");
      about.textContent = `${job.department} · ${job.names.locid} · ${job.names.timid} · $${job.low} - $${job.high}`;
      row.append(link, about);
      return row;
    }),
  );
  const pages = document.getElementById("pages");
  pages.replaceChildren();
  for (let number = 1; answer.pages > 1 && number <= answer.pages; number += 1) {
    const link = document.createElement("a");
    search.set("page", number);
    link.href = `#${search}`;
    link.textContent = number;
    pages.append(link, " ");
  }
};
if (list) {
  const given = asked();
  for (const field of form.elements) if (field.name) field.value = given.get(field.name) ?? "";
  addEventListener("hashchange", show);
  show();
}
