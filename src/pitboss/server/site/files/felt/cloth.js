// The cloth: rail, felt, what is printed on it, and the outlines of the spots. Drawn from what the server says of the layout.

import { s } from "../shared/dom.js";
import { HEIGHT, WIDTH, placeBoxes, printArc } from "./geometry.js";

let drawn = 0;
const BONUS = { left: 262, wide: 236, top: 166, high: 21, size: 18 };

function onArc(path, text, className, size) {
  drawn += 1;
  const id = `arc-${drawn}`;
  return [
    s("path", { id, d: path, fill: "none" }),
    s("text", { class: className, "font-size": size },
      s("textPath", { href: `#${id}`, startOffset: "50%" }, text)),
  ];
}

function fitted(text, room, most) {
  return Math.min(most, Math.floor((room / Math.max(1, text.length)) * 1.85));
}

function printLines(felt) {
  const of = (kind) => felt.lines.filter((line) => line.kind === kind).map(({ text }) => text);
  const natural = of("natural").join(" · ").toUpperCase();
  const dealer = of("dealer").join(" · ");
  const rules = of("rule");
  const insurance = of("insurance").join(" · ").toUpperCase();
  const half = Math.ceil(rules.length / 2);
  // A bonus table takes the room at both ends of the lines.
  const room = felt.bonuses.length ? 0.66 : 1;
  const degrees = felt.bonuses.length ? 38 : 62;
  const rows = rules.length > 2 ? [rules.slice(0, half), rules.slice(half)] : [rules];
  return [
    onArc(printArc(470, 165), natural, "print strong", fitted(natural, 740 * room, felt.bonuses.length ? 38 : 46)),
    onArc(printArc(520, 203), dealer, "print", fitted(dealer, 860 * room, 28)),
    rows.map((row, at) => onArc(printArc(556 + 34 * at, 237 + 29 * at), row.join("   ·   "), "print quiet", fitted(row.join("   ·   "), 940 * room, 22))),
    s("path", { class: "line", d: printArc(640, 294, degrees) }),
    onArc(printArc(660, 321), insurance, "print strong", fitted(insurance, 900 * room, 27)),
    s("path", { class: "line", d: printArc(680, 336, degrees) }),
  ];
}

/** The bonus table, in two columns beside the printing, where neither boxes nor their side wagers lie. */
function printBonuses(felt) {
  const half = Math.ceil(felt.bonuses.length / 2);
  return [felt.bonuses.slice(0, half), felt.bonuses.slice(half)].map((column, side) => {
    const left = side ? WIDTH - BONUS.left - BONUS.wide : BONUS.left;
    return column.map(({ name, pays }, row) => {
      const y = BONUS.top + row * BONUS.high;
      const size = Math.min(BONUS.size, fitted(`${name}   ${pays}`, BONUS.wide, BONUS.size));
      return [s("text", { class: "print bonus", x: left, y, "font-size": size }, name),
        s("text", { class: "print strong pays", x: left + BONUS.wide, y, "font-size": size }, pays)];
    });
  });
}

function drawSpots(felt) {
  const places = placeBoxes(felt.boxes);
  const spots = felt.boxes.map(({ number }) => {
    const { x, y, shift } = places.get(number);
    const [aside, below] = shift ? [-Math.sign(shift) * 26, 54] : [x < WIDTH / 2 - 1 ? 50 : -50, 46];
    return s("g", {}, s("circle", { class: "line", cx: x, cy: y, r: 40 }),
      s("text", { class: "print quiet", x: x + aside, y: y + below, "font-size": 18 }, number));
  });
  const pairs = [...new Set(felt.boxes.map(({ area }) => area))].map((area) => {
    const own = felt.boxes.filter((box) => box.area === area).map((box) => places.get(box.number));
    if (own.length < 2) return null;
    const [one, two] = own[0].x > own[1].x ? [own[1], own[0]] : own;
    return s("path", { class: "line", d: `M${one.x + 40} ${one.y}H${two.x - 40}M${one.x} ${one.y + 46}q0 14 14 14H${two.x - 14}q14 0 14-14` });
  });
  return [spots, pairs];
}

/** The cloth as an SVG element. */
export function drawCloth(felt) {
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "cloth", "aria-hidden": "true" },
    s("path", { class: "rail", d: "M20 12H1580Q1600 12 1600 40V250C1600 700 1300 858 800 858S0 700 0 250V40Q0 12 20 12Z" }),
    s("path", { class: "felt", d: "M34 28H1566Q1580 28 1580 46V250C1580 686 1290 838 800 838S20 686 20 250V46Q20 28 34 28Z" }),
    s("path", { class: "line", d: "M60 40H1540" }),
    printLines(felt), printBonuses(felt), drawSpots(felt));
}
