// <pb-chips amount="37.5">: an amount as chips, a heap for each denomination, with the amount below it.
// `denominations` says which chips there are, as the server names them; `token` draws a token of Free Bet.

import { define, h, s } from "./dom.js";
import { fromGrains, showMoney, toGrains } from "./money.js";

export const DENOMINATIONS = ["0.5", "1", "2.5", "5", "25", "100", "500", "1000", "5000", "25000"];
const MOST_IN_A_HEAP = 10;
const THICK = 5;

/** The chips that make an amount, the largest first: [["25", 1], ["5", 2]...]; what is less than the smallest is left out. */
export function breakIntoChips(amount, denominations = DENOMINATIONS) {
  let left = toGrains(amount);
  const heaps = [];
  for (const value of [...denominations].sort((one, other) => (toGrains(one) < toGrains(other) ? 1 : -1))) {
    const count = left / toGrains(value);
    if (count > 0n) heaps.push([value, Number(count)]);
    left %= toGrains(value);
  }
  return heaps;
}

/** The class that gives a chip its colours. */
export function chipClass(value) {
  const name = fromGrains(toGrains(value)).replace(".", "-");
  return KNOWN.has(name) ? `chip-${name}` : "chip-other";
}
const KNOWN = new Set(["0-5", "1", "2-5", "5", "10", "25", "100", "500", "1000", "5000", "25000"]);

function label(value) {
  const grains = toGrains(value);
  return grains >= toGrains("1000") && grains % toGrains("1000") === 0n ? `${grains / toGrains("1000")}k` : fromGrains(grains);
}

/** One chip from above, as the tray holds it. */
export function drawChip(value) {
  return s("svg", { viewBox: "0 0 40 40", class: chipClass(value), "aria-hidden": "true" }, top(20, 20, 18, 18, value));
}

function top(cx, cy, rx, ry, value, text = label(value)) {
  const at = { cx, cy };
  return [
    s("ellipse", { ...at, rx, ry, class: "chip-ring", fill: "var(--chip-face)" }),
    s("ellipse", { ...at, rx: rx - 2.4, ry: ry - 2.4 * (ry / rx), fill: "none", stroke: "var(--chip-mark)", "stroke-width": 4.4, pathLength: 48, "stroke-dasharray": "3 5" }),
    s("ellipse", { ...at, rx: rx - 5.6, ry: ry - 5.6 * (ry / rx), fill: "var(--chip-face)", stroke: "var(--chip-mark)", "stroke-width": 0.8 }),
    s("text", { x: cx, y: cy + 0.5, class: "chip-value", "font-size": text.length > 2 ? 9.5 : 13, fill: "var(--chip-ink)" }, text),
  ];
}

function heap(value, count, className, text) {
  const shown = Math.min(count, MOST_IN_A_HEAP);
  const height = 30 + THICK * shown;
  const parts = [];
  for (let at = 0; at < shown; at += 1) {
    const y = height - 16 - THICK * at;
    parts.push(s("path", { d: `M2 ${y - THICK}v${THICK}a18 14 0 0 0 36 0v-${THICK}`, class: "chip-ring", fill: "var(--chip-face)" }));
    parts.push(s("path", { d: `M8 ${y + 9.6}l0-${THICK}m8 8.6l0-${THICK}m10 4.6l0-${THICK}m7-3l0-${THICK}`, stroke: "var(--chip-mark)", "stroke-width": 3 }));
  }
  parts.push(top(20, height - 16 - THICK * shown, 18, 14, value, text));
  return s("svg", { viewBox: `0 0 40 ${height}`, class: className, "aria-hidden": "true" }, parts);
}

function drawHeaps(amount, denominations, token) {
  if (token) return [heap(amount, 1, "chip-token", token)];
  const heaps = [];
  for (const [value, count] of breakIntoChips(amount, denominations)) {
    for (let left = count; left > 0; left -= MOST_IN_A_HEAP) heaps.push(heap(value, left, chipClass(value)));
  }
  return heaps.slice(0, 5);
}

class Chips extends HTMLElement {
  static observedAttributes = ["amount", "denominations", "token"];

  connectedCallback() {
    this.draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.draw();
  }

  draw() {
    const amount = this.getAttribute("amount");
    if (!amount) {
      this.replaceChildren();
      return;
    }
    const chips = this.getAttribute("denominations");
    const heaps = drawHeaps(amount, chips ? chips.split(",") : DENOMINATIONS, this.getAttribute("token"));
    this.style.setProperty("--heaps", String(Math.max(1, heaps.length)));
    this.replaceChildren(h("span", { class: "heaps" }, heaps), h("span", { class: "amount" }, showMoney(amount)));
  }
}
define("pb-chips", Chips);
