// <pb-card face="Td">: a card of our own drawing. "??" is its back; a rank alone ("T") is a card whose suit nobody asked.

import { define, s } from "./dom.js";
import { say } from "./text.js";

const SUITS = {
  h: "M0 9.5C-9.5 2.5-10.5-2-10.5-4.5A5.3 5.3 0 0 1 0-5.8A5.3 5.3 0 0 1 10.5-4.5C10.5-2 9.5 2.5 0 9.5Z",
  d: "M0-11.5Q4-4.5 8.7 0Q4 4.5 0 11.5Q-4 4.5-8.7 0Q-4-4.5 0-11.5Z",
  s: "M0-11C8.5-4 10.3 .4 10.3 3.4A4.9 4.9 0 0 1 1.6 6.6Q2 9.4 4.4 11H-4.4Q-2 9.4-1.6 6.6A4.9 4.9 0 0 1-10.3 3.4C-10.3 .4-8.5-4 0-11Z",
  c: "M0-11a4.7 4.7 0 0 1 3.6 7.7A4.8 4.8 0 1 1 1.6 4.4Q2 8.9 4.4 11H-4.4Q-2 8.9-1.6 4.4A4.8 4.8 0 1 1-3.6-3.3A4.7 4.7 0 0 1 0-11Z",
};
const L = 33, C = 50, R = 67;
const PIPS = {
  A: [[C, 70]],
  2: [[C, 32], [C, 108]],
  3: [[C, 32], [C, 70], [C, 108]],
  4: [[L, 32], [R, 32], [L, 108], [R, 108]],
  5: [[L, 32], [R, 32], [C, 70], [L, 108], [R, 108]],
  6: [[L, 32], [R, 32], [L, 70], [R, 70], [L, 108], [R, 108]],
  7: [[L, 32], [R, 32], [C, 51], [L, 70], [R, 70], [L, 108], [R, 108]],
  8: [[L, 32], [R, 32], [C, 51], [L, 70], [R, 70], [C, 89], [L, 108], [R, 108]],
  9: [[L, 32], [R, 32], [L, 57.3], [R, 57.3], [C, 70], [L, 82.7], [R, 82.7], [L, 108], [R, 108]],
  T: [[L, 32], [R, 32], [C, 44.7], [L, 57.3], [R, 57.3], [L, 82.7], [R, 82.7], [C, 95.3], [L, 108], [R, 108]],
};
const CROWNS = {
  K: "M37 40V22L43.5 30L50 19L56.5 30L63 22V40Z",
  Q: "M38 40Q36 27 42 24Q44 31 50 22Q56 31 58 24Q64 27 62 40Z",
  J: "M37 40L40 28H60L63 40Z",
};

function suit(kind, x, y, size, turned = false) {
  if (!SUITS[kind]) return null;
  const turn = turned ? " rotate(180)" : "";
  return s("path", { d: SUITS[kind], transform: `translate(${x} ${y})${turn} scale(${size})` });
}

function index(rank, kind) {
  const text = rank === "T" ? "10" : rank;
  return [
    s("text", { x: 14, y: 25, "font-size": 24, "text-anchor": "middle", ...(text === "10" ? { textLength: 21, lengthAdjust: "spacingAndGlyphs" } : {}) }, text),
    suit(kind, 14, 38, 0.62),
  ];
}

function half(rank, kind) {
  return [
    s("path", { d: "M29 70V66Q33 53 50 53T71 66V70Z" }),
    s("path", { class: "court-line", d: "M36 70L50 57L64 70M43 70L50 63.5L57 70" }),
    s("circle", { class: "court-paper", cx: 50, cy: 46, r: 8.5 }),
    s("circle", { cx: 50, cy: 46, r: 8.5, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
    s("path", { class: "court-brass", d: CROWNS[rank] }),
    rank === "J" ? s("path", { class: "court-line", d: "M60 29Q70 24 67 14" }) : null,
    suit(kind, 32.5, 23, 0.5),
  ];
}

function middle(rank, kind) {
  if (CROWNS[rank]) {
    return [
      s("rect", { class: "court-line", x: 25, y: 13, width: 50, height: 114, rx: 4 }),
      half(rank, kind),
      s("g", { transform: "rotate(180 50 70)" }, half(rank, kind)),
      s("path", { class: "court-line", d: "M29 70H71" }),
    ];
  }
  const size = rank === "A" ? 2.1 : 0.86;
  return (PIPS[rank] ?? []).map(([x, y]) => suit(kind, x, y, size, y > 70));
}

function paper(className) {
  return s("rect", { class: className, x: 1, y: 1, width: 98, height: 138, rx: 8 });
}

function drawBack() {
  const mark = (turn) => s("g", { transform: turn ? "rotate(180 50 70)" : "" },
    s("path", { class: "back-line", d: "M28 30a22 22 0 0 0 44 0" }),
    [[37, 48], [50, 54], [63, 48]].map(([cx, cy]) => s("circle", { class: "back-dot", cx, cy, r: 3.4 })));
  return [paper("paper"), s("rect", { class: "back", x: 6, y: 6, width: 88, height: 128, rx: 5 }),
    s("rect", { class: "back-line", x: 11, y: 11, width: 78, height: 118, rx: 3 }), mark(false), mark(true),
    s("path", { class: "back-line", d: "M20 70H80M50 62V78" })];
}

/** The card as an SVG element. */
export function drawCard(face) {
  const root = s("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" });
  const [rank, kind = ""] = face;
  if (rank === "?") {
    root.append(...drawBack());
    return root;
  }
  const drawn = s("g", { class: `suit-${kind}` });
  const far = s("g", { class: "far" }, index(rank, kind), s("g", { transform: "rotate(180 50 70)" }, index(rank, kind)), middle(rank, kind));
  const near = s("g", { class: "near" },
    s("text", { x: rank === "T" ? 2 : 5, y: 50, "font-size": 54, ...(rank === "T" ? { textLength: 38, lengthAdjust: "spacingAndGlyphs" } : {}) }, rank === "T" ? "10" : rank),
    suit(kind, 23, 70, 1.25), suit(kind, 66, 102, 2.5));
  drawn.append(far, near);
  root.append(paper("paper"), drawn);
  return root;
}

/** The card in words. */
export function nameCard(face) {
  const [rank, kind] = face;
  if (rank === "?") return say("shared.card_down");
  const name = say(`shared.rank_${rank}`);
  return kind ? say("shared.card", { rank: name, suit: say(`shared.suit_${kind}`) }) : name;
}

class Card extends HTMLElement {
  static observedAttributes = ["face"];

  connectedCallback() {
    this.draw();
  }

  attributeChangedCallback(name, before, now) {
    if (this.isConnected && before !== now) this.draw();
    if (before === "??" && now !== before) this.classList.add("turns");
  }

  draw() {
    const face = this.getAttribute("face") || "??";
    this.setAttribute("role", "img");
    this.setAttribute("aria-label", nameCard(face));
    this.replaceChildren(drawCard(face));
  }
}
define("pb-card", Card);
