// Loads a recorded page into this document. A recording is XML, and an HTML parser makes another
// page of it, so there are three ways:
//   compat  as the reference does: the XML is written as if it were HTML
//   expand  the same with explicit end tags, and with addresses for links, which recordings lack
//   dom     each node is made as it was recorded, with its states: no parser's rules lose any
// Returns a function of the mode, so that several modes share one parse. It loads the page and
// returns {nodes, lost, misplaced}, all null if the recording is not well-formed XML.
({ build, expand, losses }, { xml, hidden, clickable }) => {
  const recorded = new DOMParser().parseFromString(xml, "application/xml");
  const wellFormed = !recorded.getElementsByTagName("parsererror").length;
  const source = wellFormed ? recorded : new DOMParser().parseFromString(xml, "text/html");
  const unknown = () => ({ nodes: null, lost: null, misplaced: null });
  const counted = wellFormed ? losses(recorded) : unknown;

  const write = (html) => {
    document.open();
    document.write(html);
    document.close();
  };
  // Scripts are off here, so that this parser shows what <noscript> holds. The reference's had
  // scripts on and skipped it.
  const withoutNoscript = (html) => html.replace(/<noscript\b[^>]*>[^]*?(?:<\/noscript>|$)/gi, "");

  return (mode) => {
    if (mode === "dom") {
      write("<!doctype html><html><head></head><body></body></html>");
      build(source.documentElement, { hidden, clickable });
    } else if (mode === "expand") {
      write(expand(source.documentElement));
    } else {
      write(withoutNoscript(xml));
    }
    return counted();
  };
}
