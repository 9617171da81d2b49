"use strict";

const goWith = (changes) => {
  const address = new URL(location);
  for (const [name, value] of Object.entries({ ...changes, page: "" })) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  location.assign(address);
};

const drawer = document.getElementById("drawer");
drawer?.addEventListener("click", () => {
  const form = document.getElementById("filters");
  form.hidden = !form.hidden;
  drawer.setAttribute("aria-expanded", String(!form.hidden));
});

document.getElementById("order")?.addEventListener("change", (event) => {
  const [by, sort] = event.target.value.split(" ");
  goWith({ order_by: by, order_sort: sort });
});

document.getElementById("size")?.addEventListener("change", (event) => goWith({ page_size: event.target.value }));

// Fields left empty do not belong into the address.
document.getElementById("filters")?.addEventListener("formdata", ({ formData }) => {
  for (const name of ["year_made_from", "year_made_to"]) if (!formData.get(name)) formData.delete(name);
});
