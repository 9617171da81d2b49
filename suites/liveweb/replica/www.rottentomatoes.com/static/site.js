// Groups of radio buttons in open shadow roots; what is applied becomes a part of the path.
customElements.define(
  "select-radio-group",
  class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      for (const [value, label] of Object.entries(JSON.parse(this.dataset.options))) {
        const row = document.createElement("label");
        const radio = Object.assign(document.createElement("input"), { type: "radio", name: "choice", value });
        radio.checked = this.getAttribute("value") === value;
        radio.addEventListener("change", () => this.setAttribute("value", value));
        row.append(radio, ` ${label}`);
        row.style.display = "block";
        root.append(row);
      }
    }
  },
);
for (const button of document.querySelectorAll("[data-apply]")) {
  button.addEventListener("click", () => {
    const parts = [];
    for (const name of ["affiliates", "genres", "sort"]) {
      const group = document.querySelector(`select-radio-group[name=${name}]`);
      if (group.getAttribute("value")) parts.push(`${name}:${group.getAttribute("value")}`);
    }
    location.assign(document.querySelector("[data-filters]").dataset.filters + parts.join("~"));
  });
}
