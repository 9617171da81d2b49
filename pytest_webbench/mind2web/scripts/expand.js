// Writes a recorded node as HTML with explicit end tags: `<div/>` would open a div and not end it.
(root) => {
  const VOID = new Set([
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]);
  const escaped = (text) => text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
  const startTag = (element) => {
    const attributes = [...element.attributes].map((one) => ` ${one.name}="${escaped(one.value)}"`);
    // Recordings have no addresses, and without one a link is neither focusable nor a link.
    if (element.localName === "a" && !element.hasAttribute("href")) attributes.push(' href="#"');
    return `<${element.localName}${attributes.join("")}>`;
  };
  const written = (node) => {
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
      return escaped(node.data);
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    if (VOID.has(node.localName)) return startTag(node);
    return `${startTag(node)}${[...node.childNodes].map(written).join("")}</${node.localName}>`;
  };
  return written(root);
}
