// The filter bar: panels fold out over the list, and what is chosen in one counts when "Apply" is pressed.
const form = document.querySelector("#filter-form");
const input = document.querySelector("#keyword-input");
const suggestions = document.querySelector("#keyword-suggestions");
const chips = document.querySelector("#keyword-chips");

const fold = (button, open) => {
  button.setAttribute("aria-expanded", String(open));
  document.getElementById(button.getAttribute("aria-controls")).hidden = !open;
};
for (const button of form.querySelectorAll(".open")) {
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    for (const other of form.querySelectorAll(".open")) fold(other, other === button && open);
  });
}
for (const clear of form.querySelectorAll("[data-clear]")) {
  clear.addEventListener("click", () => {
    const panel = clear.closest(".panel");
    for (const box of panel.querySelectorAll("[type=checkbox]")) box.checked = false;
    for (const select of panel.querySelectorAll("select")) select.value = "";
    for (const radio of panel.querySelectorAll("[type=radio]")) radio.checked = !radio.value;
    if (panel.contains(chips)) chips.replaceChildren();
  });
}

const addKeyword = (word) => {
  const item = document.createElement("li");
  item.append(`${word} `);
  const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "×" });
  remove.setAttribute("aria-label", `Remove ${word}`);
  remove.dataset.keyword = word;
  item.append(remove, Object.assign(document.createElement("input"), { type: "hidden", name: "keyword", value: word }));
  chips.append(item);
};
chips.addEventListener("click", (event) => {
  if (event.target.dataset.keyword) event.target.closest("li").remove();
});
for (const tag of form.querySelectorAll("[data-add]")) {
  tag.addEventListener("click", () => { addKeyword(tag.dataset.add); tag.remove(); });
}
let asked = 0;
input.addEventListener("input", async () => {
  const ticket = ++asked;
  const words = input.value.trim();
  suggestions.hidden = true;
  input.setAttribute("aria-expanded", "false");
  if (!words) return;
  const answer = await (await fetch(`/api/keywords?search=${encodeURIComponent(words)}`)).json();
  if (ticket !== asked) return;
  suggestions.replaceChildren(...answer.keywords.map(({ keyword, count }) => {
    const option = Object.assign(document.createElement("div"), { textContent: `${keyword} ${count}` });
    option.setAttribute("role", "option");
    option.dataset.word = keyword;
    return option;
  }));
  suggestions.hidden = !answer.keywords.length;
  input.setAttribute("aria-expanded", String(!suggestions.hidden));
});
suggestions.addEventListener("click", (event) => {
  const { word } = event.target.dataset;
  if (!word) return;
  addKeyword(word);
  input.value = "";
  suggestions.hidden = true;
});
const sort = document.querySelector("#sort-select");
sort.addEventListener("change", () => {
  form.querySelector('[name="sort"]').value = sort.value;
  form.requestSubmit();
});
