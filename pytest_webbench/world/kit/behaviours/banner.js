// Banners about cookies or news: <div data-banner="NAME" hidden> is shown until it has been answered.
// A button in it with data-answers="VALUE" hides it and keeps the cookie NAME=VALUE for a year.
for (const banner of document.querySelectorAll("[data-banner]")) {
  const name = banner.dataset.banner;
  banner.hidden = document.cookie.split("; ").some((one) => one.startsWith(`${name}=`));
  banner.addEventListener("click", (event) => {
    const button = event.target.closest("[data-answers]");
    if (!button) return;
    document.cookie = `${name}=${button.dataset.answers}; path=/; max-age=31536000; secure`;
    banner.hidden = true;
  });
}
