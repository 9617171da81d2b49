// Choices of a list's form: a button opens its options; an option is sent with the form.
for (const choice of document.querySelectorAll("[data-choose]")) {
  const [field, button, list] = choice.children;
  const open = (shown) => {
    list.hidden = !shown;
    button.setAttribute("aria-expanded", String(shown));
  };
  button.addEventListener("click", () => open(list.hidden));
  const choose = (event) => {
    const option = event.target.closest("[role=option]");
    if (!option || (event.key && event.key !== "Enter" && event.key !== " ")) return;
    field.value = option.dataset.value;
    field.form.requestSubmit();
  };
  list.addEventListener("click", choose);
  list.addEventListener("keydown", choose);
  document.addEventListener("click", (event) => choice.contains(event.target) || open(false));
}
