// Dialogs: <button data-opens="ID"> opens <dialog id="ID">; a button in it with data-closes closes it.
// A dialog with data-at-once is open from the start, unless the storage entry "seen ID" is there.
const opens = (dialog) => {
  if (!dialog.open) dialog.showModal();
};
for (const dialog of document.querySelectorAll("dialog")) {
  const key = `seen ${dialog.id}`;
  dialog.addEventListener("close", () => {
    if ("atOnce" in dialog.dataset) localStorage.setItem(key, "1");
  });
  if ("atOnce" in dialog.dataset && !localStorage.getItem(key)) opens(dialog);
}
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) opens(document.getElementById(opener.dataset.opens));
  const closer = event.target.closest("[data-closes]");
  if (closer) closer.closest("dialog").close();
});
