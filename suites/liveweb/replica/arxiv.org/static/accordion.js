// As on the real page: a press on a group's heading opens or closes it.
for (const head of document.querySelectorAll(".accordion-head")) {
  head.addEventListener("click", () => {
    head.classList.toggle("open");
    head.nextElementSibling.classList.toggle("open");
  });
}
