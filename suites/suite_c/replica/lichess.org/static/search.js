// Search form: player choices follow the names typed, empty fields stay out of the address, results load on scrolling.
const form = document.querySelector(".search__form");
const results = document.querySelector("#results");
const usernames = [...form.querySelectorAll(".usernames input")];
const opponent = form.querySelector("[name=hasAi]");

const offerPlayers = () => {
  const names = usernames.map((field) => field.value.trim()).filter(Boolean);
  for (const row of form.querySelectorAll(".user-row")) {
    const select = row.querySelector("select");
    const kept = select.value || form.getAttribute(`data-req-${row.dataset.key}`);
    select.replaceChildren(new Option("", ""), ...names.map((name) => new Option(name, name, false, name === kept)));
    row.hidden = !names.length;
  }
};
const showLevels = () => {
  document.querySelector("#ai-level").hidden = opponent.value !== "1";
};
const leaveOutEmpty = () => {
  for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
};
const useAgain = () => {
  for (const field of form.elements) field.disabled = false;
};

const loadMore = async (pager) => {
  pager.remove();
  const answer = await fetch(pager.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  results.querySelector(".search__rows").append(...page.querySelectorAll(".search__rows > .game"));
  const next = page.querySelector(".pager");
  if (next) watch(results.appendChild(next));
};
const watch = (pager) => {
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    loadMore(pager);
  });
  observer.observe(pager);
};

offerPlayers();
showLevels();
for (const field of usernames) field.addEventListener("input", offerPlayers);
opponent.addEventListener("change", showLevels);
form.addEventListener("submit", leaveOutEmpty);
addEventListener("pageshow", useAgain);
const permalink = results.querySelector(".permalink");
if (permalink) {
  const filled = [...new FormData(form)].filter(([, value]) => value);
  permalink.href = `/games/search?${new URLSearchParams(filled)}`;
}
if (results.querySelector(".pager")) watch(results.querySelector(".pager"));
