// Empty fields stay out of the address; a change of the order is applied at once.
for (const form of document.querySelectorAll("form[data-tidy]")) {
  form.addEventListener("submit", () => {
    for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
  });
  addEventListener("pageshow", () => {
    for (const field of form.elements) field.disabled = false;
  });
  form.addEventListener("change", (event) => "applies" in event.target.dataset && form.requestSubmit());
}
