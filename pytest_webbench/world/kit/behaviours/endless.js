// Endless lists: <a data-more="#LIST" href="?page=2">More</a> below <ul id="LIST">. When the link comes into view or is pressed,
// the list of that page is added to this one and the link becomes that page's own, or goes if it has none.
for (const link of document.querySelectorAll("a[data-more]")) {
  let busy = false;
  const more = async () => {
    if (busy || !link.isConnected) return;
    busy = true;
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const added = page.querySelector(link.dataset.more);
    document.querySelector(link.dataset.more).append(...(added?.children ?? []));
    const next = page.querySelector("a[data-more]");
    if (next) link.href = next.getAttribute("href");
    else link.remove();
    busy = false;
  };
  link.addEventListener("click", (event) => {
    event.preventDefault();
    more();
  });
  new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && more()).observe(link);
}
