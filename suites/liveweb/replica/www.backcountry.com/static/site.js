// Filters and order lead to the address of the list that they make.
for (const box of document.querySelectorAll("[data-href]")) box.addEventListener("change", () => location.assign(box.dataset.href));
for (const order of document.querySelectorAll("[data-go]")) order.addEventListener("change", () => location.assign(order.value));
