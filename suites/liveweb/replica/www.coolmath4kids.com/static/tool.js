// A quiz: settings, questions one after the other, and results when they are asked for.
const byId = (id) => document.getElementById(id);
const { name, label, sign } = document.body.dataset;
const right = ([a, b]) => ({ add: a + b, subtract: a + b - b, multiply: a * b })[name];
const asked = ([a, b]) => (name === "subtract" ? `${a + b} ${sign} ${b}` : `${a} ${sign} ${b}`);
const views = ["quiz", "finished", "results-container"].map(byId);
const show = (view) => views.forEach((one) => (one.hidden = one !== view));
let quiz = { pairs: [], given: [] };
let clock = 0;

const ask = () => {
  clearInterval(clock);
  const pair = quiz.pairs[quiz.given.length];
  if (!pair) return show(byId("finished"));
  byId("progress").textContent = `Question ${quiz.given.length + 1} of ${quiz.pairs.length}`;
  byId("question").textContent = `${asked(pair)} = ?`;
  for (const [kind, number] of [["row", pair[0]], ["column", pair[1]]])
    for (const one of document.querySelectorAll(`[data-${kind}]`))
      one.classList.toggle("here", one.dataset[kind] === String(number));
  byId("answer").value = "";
  byId("answer").focus();
  byId("clock").textContent = "";
  if (quiz.seconds === "unlimited") return;
  let left = Number(quiz.seconds);
  clock = setInterval(() => {
    left -= 1;
    byId("clock").textContent = `${left} seconds left`;
    if (left <= 0) reply("");
  }, 1000);
};
const reply = (text) => {
  quiz.given.push(text.trim());
  ask();
};
byId("settings").addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = new FormData(event.target);
  const answer = await fetch(`/sites/default/files/practice-tool/${name}/questions?${new URLSearchParams(chosen)}`);
  quiz = { pairs: await answer.json(), given: [], range: chosen.get("range"), seconds: chosen.get("time") };
  show(byId("quiz"));
  ask();
});
byId("reply").addEventListener("submit", (event) => {
  event.preventDefault();
  if (byId("answer").value.trim()) reply(byId("answer").value);
});
byId("see").addEventListener("click", () => {
  const rows = quiz.pairs.map((pair, at) => {
    const row = document.createElement("tr");
    const good = quiz.given[at] === String(right(pair));
    for (const text of [asked(pair), quiz.given[at] || "–", right(pair)]) row.insertCell().textContent = text;
    row.cells[1].className = good ? "user-correct-answer" : "user-wrong-answer";
    return row;
  });
  const good = rows.filter((row) => row.cells[1].className === "user-correct-answer").length;
  byId("told").textContent = `${label}: ${quiz.range}, ${rows.length} questions, ${quiz.seconds} seconds`;
  document.querySelector(".user-score").textContent = `${good} out of ${rows.length}`;
  document.querySelector("#resultsTable tbody").replaceChildren(...rows);
  show(byId("results-container"));
});
byId("help")?.addEventListener("click", ({ target }) => {
  byId("chart").hidden = !byId("chart").hidden;
  target.setAttribute("aria-expanded", String(!byId("chart").hidden));
});
for (const one of document.querySelectorAll(".again")) one.addEventListener("click", () => show(null));
