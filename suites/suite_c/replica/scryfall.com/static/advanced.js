// Type line: a list of suggestions from which types are taken over as tokens; only tokens are searched for.
const input = document.querySelector("#type-input");
const list = document.querySelector("#type-list");
const tokens = document.querySelector("#tokens");
const types = input.dataset.types.split(",");
let active = -1;

const taken = () => [...tokens.querySelectorAll("input")].map((field) => field.value);
const suggestions = () => {
  const text = input.value.trim().toLowerCase();
  const free = types.filter((type) => !taken().includes(type) && type.toLowerCase().includes(text));
  return free.sort((a, b) => b.toLowerCase().startsWith(text) - a.toLowerCase().startsWith(text)).slice(0, 12);
};

const close = () => {
  list.hidden = true;
  active = -1;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
};
const highlight = (index) => {
  const options = [...list.children];
  active = options.length ? (index + options.length) % options.length : -1;
  options.forEach((option, place) => option.setAttribute("aria-selected", String(place === active)));
  if (active >= 0) input.setAttribute("aria-activedescendant", options[active].id);
};
const open = () => {
  list.replaceChildren(...suggestions().map((type, place) => {
    const option = Object.assign(document.createElement("li"), { id: `type-option-${place}`, textContent: type });
    option.setAttribute("role", "option");
    option.addEventListener("mousedown", (event) => event.preventDefault());
    option.addEventListener("click", () => take(type));
    return option;
  }));
  list.hidden = !list.children.length;
  input.setAttribute("aria-expanded", String(!list.hidden));
  highlight(0);
};

const take = (type) => {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "type[]", value: type });
  const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "×", ariaLabel: `Remove ${type}` });
  const token = Object.assign(document.createElement("span"), { className: "token" });
  token.append(type, field, remove);
  remove.addEventListener("click", () => token.remove());
  tokens.append(token);
  input.value = "";
  close();
};

const onKey = (event) => {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move) {
    event.preventDefault();
    if (list.hidden) open();
    else highlight(active + move);
  } else if (event.key === "Enter" && !list.hidden && active >= 0) {
    event.preventDefault();
    take(list.children[active].textContent);
  } else if (event.key === "Escape") close();
  else if (event.key === "Backspace" && !input.value) tokens.lastElementChild?.remove();
};

input.addEventListener("input", open);
input.addEventListener("click", open);
input.addEventListener("keydown", onKey);
input.addEventListener("blur", close);
