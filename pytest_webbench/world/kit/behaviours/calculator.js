// Calculators: <form data-calculator="JSON of formulas by name"> holds fields with a name (inputs, selects,
// and sliders' thumbs with data-name) and elements with data-result="NAME", which show a formula's result.
// data-digits (2) and data-prefix ("$") say how. After each change the form gets an event "calculated" whose
// detail holds all values and results; form.resultsOf(values) works them out for other values.
// With data-on="submit" it calculates when the form is sent, else at every change.
const rounded = (value, digits = 0) => Math.floor(value * 10 ** digits + 0.5) / 10 ** digits;
const numberOf = (text) => Number(String(text).replace(/[^0-9.-]/g, "")) || 0;
const shown = (value, { digits = 2, prefix = "" }) => {
  const places = { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) };
  return prefix + rounded(value, Number(digits)).toLocaleString("en-US", places);
};
const fieldsOf = (form) => {
  const values = {};
  for (const one of form.querySelectorAll("input[name], select[name]"))
    if (one.type !== "radio" || one.checked) values[one.name] = numberOf(one.value);
  for (const thumb of form.querySelectorAll("[data-name]"))
    values[thumb.dataset.name] = Number(thumb.getAttribute("aria-valuenow"));
  return values;
};
const resultsOf = (form, given) => {
  const values = { ...given };
  for (const [name, script] of Object.entries(JSON.parse(form.dataset.calculator))) {
    const known = Object.keys(values);
    const formula = new Function("rounded", ...known, `return ${script}`);
    values[name] = formula(rounded, ...known.map((key) => values[key]));
  }
  return values;
};
const calculate = (form) => {
  const values = resultsOf(form, fieldsOf(form));
  for (const place of form.querySelectorAll("[data-result]"))
    place.textContent = shown(values[place.dataset.result], place.dataset);
  form.dispatchEvent(new CustomEvent("calculated", { bubbles: true, detail: values }));
};
for (const form of document.querySelectorAll("[data-calculator]")) {
  form.resultsOf = (given) => resultsOf(form, given);
  const onSubmit = form.dataset.on === "submit";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    calculate(form);
  });
  if (onSubmit) continue;
  form.addEventListener("input", () => calculate(form));
  form.addEventListener("change", () => calculate(form));
  calculate(form);
}
