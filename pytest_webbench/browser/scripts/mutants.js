// Elements that episodes made from a solution act on: beside the solution's own, or in its form.

const CLIMB = 8;
const TYPED = "input:not([type]), input[type=text], input[type=search], textarea";
const SENDING = "button:not([type]), button[type=submit], input[type=submit]";

function isShown(element) {
  return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
}

// A path of as many parts that begins alike: the same kind of page.
function sameKind(one, other) {
  const [parts, others] = [one, other].map((link) => link.pathname.split("/").slice(1));
  const alike = parts.length === 1 || parts[0] === others[0];
  return one.host === other.host && parts.length === others.length && alike && one.href !== other.href;
}

// The link that has the same place in another item of the list that an element's link is in.
function neighbour(element) {
  const link = element.closest("a[href]");
  let item = link;
  for (let level = 0; item && item.parentElement && level < CLIMB; level += 1) {
    const place = [...item.querySelectorAll("a[href]")].indexOf(link);
    const items = [...item.parentElement.children].filter((one) => one.tagName === item.tagName);
    const at = items.indexOf(item);
    for (const one of [...items.slice(at + 1), ...items.slice(0, at).reverse()]) {
      const links = one.matches("a[href]") ? [one] : [...one.querySelectorAll("a[href]")];
      const found = links[Math.max(place, 0)];
      if (found && isShown(found) && sameKind(link, found)) {
        return found;
      }
    }
    item = item.parentElement;
  }
  return null;
}

// A box of the same group that is not ticked.
function otherBox(element) {
  const role = element.getAttribute("role") || element.type;
  const boxes = `input[type="${role}"], [role="${role}"]`;
  let group = element.parentElement;
  for (let level = 0; group && level < CLIMB; level += 1) {
    const all = [...group.querySelectorAll(boxes)].filter(isShown);
    const at = all.indexOf(element);
    const others = [...all.slice(at + 1), ...all.slice(0, at).reverse()];
    const found = others.find((one) => !one.checked && one.getAttribute("aria-checked") !== "true");
    if (found) {
      return found;
    }
    group = group.parentElement;
  }
  return null;
}

// The button of the form that has the focus.
function submit() {
  const form = document.activeElement && document.activeElement.form;
  return (form && [...form.querySelectorAll(SENDING)].find(isShown)) || null;
}

// The field whose Enter does what a button does: of the form that the button is the first to send.
function enter(element) {
  const form = element.form;
  if (!form || form.querySelector(SENDING) !== element) {
    return null;
  }
  const fields = [...form.querySelectorAll(TYPED)].filter(isShown);
  return fields.find((one) => one === document.activeElement) || fields.at(-1) || null;
}

// Some link to another page of the same site.
function lookAround() {
  const here = location.href.split("#")[0];
  const leads = (link) =>
    link.host === location.host && !link.target && link.href.split("#")[0] !== here;
  return [...document.querySelectorAll("a[href]")].find((link) => leads(link) && isShown(link)) || null;
}

function find(ask, element) {
  const ways = { neighbour, submit, enter, "other-box": otherBox, "look-around": lookAround };
  return ways[ask](element);
}
