// A season or a kind of season opens as soon as it is chosen.
for (const choice of document.querySelectorAll("[data-leads]")) choice.addEventListener("change", () => location.assign(choice.value));
