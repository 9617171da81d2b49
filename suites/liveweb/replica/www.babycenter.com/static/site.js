// Tools: <form data-tool="ADDRESS"> is worked out there when it is sent; the answer's members go into [data-shows=NAME].
// What has been shown disappears as soon as the form is changed.
for (const form of document.querySelectorAll("[data-tool]")) {
  const result = document.querySelector(".result");
  const alert = form.querySelector("[role=alert]");
  const clear = () => {
    result.hidden = true;
    alert.hidden = true;
  };
  form.addEventListener("input", clear);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear();
    const answer = await fetch(`${form.dataset.tool}?${new URLSearchParams(new FormData(form))}`);
    const found = await answer.json();
    alert.textContent = found.error ?? "";
    alert.hidden = !found.error;
    result.hidden = Boolean(found.error);
    for (const [name, value] of Object.entries(found))
      for (const place of result.querySelectorAll(`[data-shows=${name}]`)) place.textContent = value;
  });
}
