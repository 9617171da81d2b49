// Compares a recording with the page that this document made of it. `recorded` is the parsed XML;
// returns a function that counts now: {nodes, lost, misplaced}, all of nodes that have an id.
(recorded) => {
  const ID = "backend_node_id";
  const parents = (root) => {
    const found = new Map();
    for (const element of root.querySelectorAll(`[${ID}]`)) {
      const id = element.getAttribute(ID);
      const above = element.parentElement && element.parentElement.closest(`[${ID}]`);
      if (!found.has(id)) found.set(id, above ? above.getAttribute(ID) : null);
    }
    return found;
  };
  const wanted = parents(recorded);
  return () => {
    const here = parents(document);
    let lost = 0;
    let misplaced = 0;
    for (const [id, parent] of wanted) {
      if (!here.has(id)) lost += 1;
      else if (here.get(id) !== parent) misplaced += 1;
    }
    return { nodes: wanted.size, lost, misplaced };
  };
}
