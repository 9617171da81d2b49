// Board editor. The address follows the position and is replaced, never pushed.
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const EMPTY = "8/8/8/8/8/8/8/8";
const GLYPHS = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙", k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
// Which squares king and rook have to stand on for each right to castle.
const HOMES = { K: ["e1", "h1", "K", "R"], Q: ["e1", "a1", "K", "R"], k: ["e8", "h8", "k", "r"], q: ["e8", "a8", "k", "r"] };
const FILES = "abcdefgh";
const $ = (selector) => document.querySelector(selector);
const state = { squares: {}, turn: "w", rights: "KQkq", passant: "-", clocks: "0 1", colour: "white", variant: "standard" };
let held = null;

const parse = (fen) => {
  const [board, turn = "w", rights = "-", passant = "-", half = "0", full = "1"] = fen.trim().replaceAll("_", " ").split(/\s+/);
  const ranks = board.split("/");
  if (ranks.length !== 8 || !/^[wb]$/.test(turn) || !/^(-|K?Q?k?q?)$/.test(rights)) return null;
  const squares = {};
  for (const [row, rank] of ranks.entries()) {
    let file = 0;
    for (const char of rank) {
      if (/[1-8]/.test(char)) file += Number(char);
      else if (GLYPHS[char]) squares[FILES[file++] + (8 - row)] = char;
      else return null;
    }
    if (file !== 8) return null;
  }
  if (!/^(-|[a-h][36])$/.test(passant) || !/^\d+$/.test(half) || !/^\d+$/.test(full)) return null;
  return { squares, turn, rights: rights.replace("-", ""), passant, clocks: `${half} ${full}` };
};
const boardFen = () => [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
  [...FILES].map((file) => state.squares[file + rank] || "1").join("").replace(/1+/g, (ones) => String(ones.length))).join("/");
const possible = (right) => {
  const [king, rook, k, r] = HOMES[right];
  return state.squares[king] === k && state.squares[rook] === r;
};
const rights = () => [..."KQkq"].filter((one) => state.rights.includes(one) && possible(one)).join("") || "-";
const fen = () => `${boardFen()} ${state.turn} ${rights()} ${state.passant} ${state.clocks}`;
const addressOf = (text) => {
  if (text === START && state.variant === "standard" && state.colour === "white") return "/editor";
  const variant = state.variant === "standard" ? "" : `?variant=${state.variant}`;
  return `/editor/${encodeURIComponent(text).replaceAll("%20", "_").replaceAll("%2F", "/")}${variant}${variant ? "&" : "?"}color=${state.colour}`;
};

const show = () => {
  const order = state.colour === "white" ? [8, 7, 6, 5, 4, 3, 2, 1] : [1, 2, 3, 4, 5, 6, 7, 8];
  const files = state.colour === "white" ? [...FILES] : [...FILES].reverse();
  $("#board").innerHTML = order.flatMap((rank) => files.map((file) => {
    const dark = (FILES.indexOf(file) + rank) % 2 === 1;
    return `<div class="square${dark ? " dark" : ""}" data-square="${file}${rank}">${GLYPHS[state.squares[file + rank]] || ""}</div>`;
  })).join("");
  for (const [place, white] of [["top", state.colour === "black"], ["bottom", state.colour === "white"]]) {
    $(`.spare-${place}`).innerHTML = [..."KQRBNP"].map((piece) => (white ? piece : piece.toLowerCase())).map((piece) =>
      `<span data-spare="${piece}"${held === piece ? ' class="held"' : ""}>${GLYPHS[piece]}</span>`).join("")
      + `<span data-spare="trash"${held === "trash" ? ' class="held"' : ""}>🗑</span>`;
  }
  if (document.activeElement !== $("#fen")) $("#fen").value = fen();
  $("#url").value = location.origin + addressOf(fen());
  $("#turn").value = state.turn;
  $("#variants").value = state.variant;
  for (const box of document.querySelectorAll("[data-right]")) {
    box.disabled = !possible(box.dataset.right);
    box.checked = !box.disabled && state.rights.includes(box.dataset.right);
  }
  const row = state.turn === "b" ? 3 : 6;
  const options = ["", ...[...FILES].map((file) => file + row)];
  $("#enpassant-select").innerHTML = options.map((one) => `<option${one === state.passant ? " selected" : ""}>${one}</option>`).join("");
  const query = `?color=${state.colour}`;
  $("#analysis").href = `/analysis/${fen().replaceAll(" ", "_")}${query}`;
  $("#screenshot").href = `/export/fen.gif?fen=${fen().replaceAll(" ", "_")}&color=${state.colour}`;
};
const change = (changes = {}) => {
  Object.assign(state, changes);
  history.replaceState(null, "", addressOf(fen()));
  show();
};
const setFen = (text) => {
  const found = parse(text);
  if (found) change(found);
  return Boolean(found);
};

$("#fen").addEventListener("input", () => {
  $("#fen").setCustomValidity(parse($("#fen").value) ? "" : "Invalid FEN");
});
$("#fen").addEventListener("change", () => {
  setFen($("#fen").value);
  $("#fen").reportValidity();
});
$("#fen").addEventListener("blur", () => {
  $("#fen").value = fen();
  $("#fen").setCustomValidity("");
});
$("#fen").addEventListener("keypress", (event) => { if (event.key === "Enter") $("#fen").blur(); });
$("#turn").addEventListener("change", () => change({ turn: $("#turn").value, passant: "-" }));
$("#enpassant-select").addEventListener("change", () => change({ passant: $("#enpassant-select").value || "-" }));
$("#variants").addEventListener("change", () => change({ variant: $("#variants").value }));
$("#positions").addEventListener("change", () => { if (!setFen($("#positions").value)) $("#positions").value = ""; });
for (const box of document.querySelectorAll("[data-right]")) {
  box.addEventListener("change", () => {
    const others = [...state.rights].filter((one) => one !== box.dataset.right);
    change({ rights: [...others, ...(box.checked ? [box.dataset.right] : [])].join("") });
  });
}
$("#start").addEventListener("click", () => setFen(START));
$("#clear").addEventListener("click", () => setFen(`${EMPTY} ${state.turn} - - 0 1`));
$("#flip").addEventListener("click", () => change({ colour: state.colour === "white" ? "black" : "white" }));
addEventListener("keydown", (event) => {
  if (event.key === "f" && event.target === document.body) $("#flip").click();
});
document.addEventListener("click", (event) => {
  const { spare, square } = event.target.dataset;
  if (spare) {
    held = held === spare ? null : spare;
    show();
  } else if (square && held) {
    const { [square]: _old, ...squares } = state.squares;
    change({ squares: held === "trash" ? squares : { ...squares, [square]: held } });
  }
});

const params = new URLSearchParams(location.search);
Object.assign(state, parse(decodeURIComponent(location.pathname.replace(/^\/editor\/?/, "")) || START) || parse(START));
state.colour = params.get("color") === "black" ? "black" : "white";
state.variant = params.get("variant") || "standard";
show();
