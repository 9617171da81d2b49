// Every search page builds the next address: the whole query as JSON in one parameter.
const shown = document.querySelector("#state");
const state = shown ? JSON.parse(shown.textContent) : { words: "", chosen: {}, sort: "score desc", start: 0, rows: 25 };

const terminal = (service, parameters) => ({ type: "terminal", service, parameters });
const refinement = ([attribute, values]) => {
  const nodes = values.map((value) => terminal("text", { attribute, operator: "exact_match", negation: false, value }));
  return nodes.length > 1 ? { type: "group", logical_operator: "or", nodes } : nodes[0];
};
const requestOf = ({ words, chosen, sort, start, rows }) => {
  const refinements = Object.entries(chosen).filter(([, values]) => values.length).map(refinement);
  const text = terminal("full_text", { value: words });
  const [sortBy, direction] = sort.split(" ");
  return {
    query: refinements.length ? { type: "group", logical_operator: "and", nodes: [text, ...refinements] } : text,
    return_type: "entry",
    request_options: {
      paginate: { start, rows },
      scoring_strategy: "combined",
      sort: [{ sort_by: sortBy, direction }],
    },
    request_info: { src: "ui" },
  };
};
const go = (changes) => {
  const asked = requestOf({ ...state, start: 0, ...changes });
  location.assign(`/search?request=${encodeURIComponent(JSON.stringify(asked))}`);
};

document.querySelector("#quick").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = event.target.querySelector("input").value.trim();
  if (words) go({ words, chosen: {}, sort: "score desc" });
});
const form = document.querySelector("#refinements");
if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = {};
    for (const box of form.querySelectorAll("input:checked")) (chosen[box.dataset.attribute] ??= []).push(box.value);
    go({ chosen });
  });
  for (const button of document.querySelectorAll("[data-start]")) {
    button.addEventListener("click", () => go({ start: Number(button.dataset.start) }));
  }
}
