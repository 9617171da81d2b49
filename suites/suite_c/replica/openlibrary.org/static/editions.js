// Filter and pages of the editions table. The chosen length is remembered, the rest is not.
const KEY = "editions-table.resultsLength";
const rows = [...document.querySelectorAll("#editions tbody tr")];
const [filter, length, info, previous, next] = ["filter", "length", "info", "previous", "next"].map((id) => document.getElementById(id));
let first = 0;

const show = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => words.every((word) => row.textContent.toLowerCase().includes(word)));
  const size = Number(length.value);
  if (first >= found.length) first = 0;
  const page = found.slice(first, first + size);
  for (const row of rows) row.hidden = !page.includes(row);
  const range = page.length ? `${first + 1} to ${first + page.length}` : "0 to 0";
  const all = found.length < rows.length ? ` (filtered from ${rows.length} total editions)` : "";
  info.textContent = `Showing ${range} of ${found.length} editions${all}`;
  previous.disabled = first === 0;
  next.disabled = first + size >= found.length;
};
const turn = (step) => () => {
  first = Math.max(0, first + step * Number(length.value));
  show();
};

if (rows.length > 3) {
  const kept = localStorage.getItem(KEY);
  if ([...length.options].some((option) => option.value === kept)) length.value = kept;
  for (const tools of document.querySelectorAll(".table-tools, .table-foot")) tools.hidden = false;
  filter.addEventListener("input", () => { first = 0; show(); });
  length.addEventListener("change", () => { localStorage.setItem(KEY, length.value); first = 0; show(); });
  previous.addEventListener("click", turn(-1));
  next.addEventListener("click", turn(1));
  show();
}
