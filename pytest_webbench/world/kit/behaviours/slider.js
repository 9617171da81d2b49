// Sliders with one thumb or two: an element with data-slider holds thumbs with role="slider", aria-valuemin,
// aria-valuemax, aria-valuenow and, if it is not 1, data-step. Arrow keys, Page Up and Page Down (ten steps),
// Home and End move them, and so does dragging along the track; two thumbs never pass each other.
// A thumb's data-attribute names the slider's attribute that repeats its value, as web components have it;
// [data-shows] within the slider shows the value of the thumb with that number, from 0.
// After each change the slider gets an event "change".
for (const slider of document.querySelectorAll("[data-slider]")) {
  const thumbs = [...slider.querySelectorAll("[role=slider]")];
  const read = (thumb, name) => Number(thumb.getAttribute(`aria-value${name}`));
  const show = () => {
    thumbs.forEach((thumb, index) => {
      const [least, most, now] = ["min", "max", "now"].map((name) => read(thumb, name));
      thumb.style.left = `${((now - least) / (most - least)) * 100}%`;
      if (thumb.dataset.attribute) slider.setAttribute(thumb.dataset.attribute, String(now));
      for (const place of slider.querySelectorAll(`[data-shows="${index}"]`))
        place.textContent = now.toLocaleString("en-US");
    });
  };
  const move = (thumb, wanted) => {
    const step = Number(thumb.dataset.step || 1);
    const index = thumbs.indexOf(thumb);
    const least = index ? read(thumbs[index - 1], "now") : read(thumb, "min");
    const most = index < thumbs.length - 1 ? read(thumbs[index + 1], "now") : read(thumb, "max");
    const origin = read(thumb, "min");
    const value = origin + Math.round((wanted - origin) / step) * step;
    thumb.setAttribute("aria-valuenow", String(Number(Math.min(most, Math.max(least, value)).toFixed(6))));
    show();
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  };
  slider.addEventListener("keydown", (event) => {
    const thumb = event.target.closest("[role=slider]");
    if (!thumb) return;
    const step = Number(thumb.dataset.step || 1);
    const now = read(thumb, "now");
    const wanted = {
      ArrowRight: now + step,
      ArrowUp: now + step,
      ArrowLeft: now - step,
      ArrowDown: now - step,
      PageUp: now + 10 * step,
      PageDown: now - 10 * step,
      Home: read(thumb, "min"),
      End: read(thumb, "max"),
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    move(thumb, wanted);
  });
  let dragged = null;
  const track = slider.querySelector("[data-track]") ?? slider;
  const valueAt = (event, thumb) => {
    const box = track.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    return read(thumb, "min") + share * (read(thumb, "max") - read(thumb, "min"));
  };
  track.addEventListener("pointerdown", (event) => {
    const gap = (thumb) => Math.abs(read(thumb, "now") - valueAt(event, thumb));
    const near = thumbs.reduce((best, thumb) => (gap(thumb) < gap(best) ? thumb : best));
    dragged = event.target.closest("[role=slider]") ?? near;
    dragged.focus();
    if (dragged !== event.target) move(dragged, valueAt(event, dragged));
  });
  addEventListener("pointermove", (event) => dragged && move(dragged, valueAt(event, dragged)));
  addEventListener("pointerup", () => (dragged = null));
  show();
}
