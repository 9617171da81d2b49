// Date pickers: <div data-datepicker="2024-12-25" data-leads-to="/scores/{date}"><button>Calendar</button></div>.
// Its button opens a month, named by role="grid"; a day leads to the address with its digits (20241225), or, with
// data-fills="ID" instead, becomes the value (2024-12-25) of that field.
const MONTHS = Array.from({ length: 12 }, (_, at) =>
  new Date(Date.UTC(2024, at, 1)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);
const iso = (day) => day.toISOString().slice(0, 10);
for (const picker of document.querySelectorAll("[data-datepicker]")) {
  const { datepicker: chosen, leadsTo, fills } = picker.dataset;
  const opener = picker.querySelector("button");
  const panel = picker.appendChild(document.createElement("div"));
  panel.className = "datepicker";
  panel.hidden = true;
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", "Choose a date");
  let month = new Date(`${chosen}T00:00:00Z`);
  month.setUTCDate(1);
  const make = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const step = (months) => {
    month = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + months, 1));
    show();
  };
  const choose = (day) => {
    panel.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    if (leadsTo) return location.assign(leadsTo.replace("{date}", iso(day).replaceAll("-", "")));
    const field = document.getElementById(fills);
    field.value = iso(day);
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const stepper = (label, sign, months) => {
    const made = make("button", sign, { type: "button", "aria-label": label });
    made.addEventListener("click", () => step(months));
    return made;
  };
  const show = () => {
    const title = `${MONTHS[month.getUTCMonth()]} ${month.getUTCFullYear()}`;
    const grid = make("div", "", { role: "grid", "aria-label": title });
    const last = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
    for (let from = 1 - month.getUTCDay(); from <= last; from += 7) {
      const week = grid.appendChild(make("div", "", { role: "row" }));
      for (let at = from; at < from + 7; at += 1) {
        const cell = week.appendChild(make("span", "", { role: "gridcell" }));
        if (at < 1 || at > last) continue;
        const day = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), at));
        const name = `${MONTHS[month.getUTCMonth()]} ${at}, ${month.getUTCFullYear()}`;
        const button = make("button", String(at), { type: "button", "aria-label": name });
        if (iso(day) === chosen) button.setAttribute("aria-current", "date");
        button.addEventListener("click", () => choose(day));
        cell.append(button);
      }
    }
    panel.replaceChildren(
      stepper("Previous year", "«", -12),
      stepper("Previous month", "‹", -1),
      make("strong", title),
      stepper("Next month", "›", 1),
      stepper("Next year", "»", 12),
      grid,
    );
  };
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    opener.setAttribute("aria-expanded", String(!panel.hidden));
    show();
  });
  picker.addEventListener("keydown", (event) => {
    if (event.key === "Escape") panel.hidden = true;
  });
}
