// What stands on the table beside the boxes: shoe, discard rack, sign and meters.

import { h, s } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";

/** How many cards have left the shoe, as everybody can see it: those on the table and those in the rack. */
export function countGone(doc) {
  const lying = doc.dealer.length + doc.boxes.reduce((sum, box) => sum + box.hands.reduce((cards, hand) => cards + hand.cards.length, 0), 0);
  return doc.shoe.racked + lying;
}

/** The shoe, with its cards and the cut card in it. */
export function drawShoe(doc) {
  const all = doc.felt.decks * doc.felt.deck_cards || 1;
  const left = Math.max(0, Math.min(1, 1 - countGone(doc) / all));
  const cut = doc.shoe.cut_card === null || doc.shoe.cut_card_out ? null : doc.shoe.cut_card / all;
  const long = 132;
  return s("svg", { viewBox: "0 0 190 104", class: "shoe", role: "img", "aria-label": say("felt.shoe", { percent: Math.round(left * 100) }) },
    s("path", { class: "wood", d: "M10 26H168L184 40V92H10Z" }),
    s("rect", { class: "deck", x: 18 + long * (1 - left), y: 18, width: long * left, height: 46, rx: 3 }),
    Array.from({ length: 7 }, (_, at) => s("path", { class: "edge", d: `M${(18 + long * (1 - left) + ((at + 1) * long * left) / 8).toFixed(1)} 18V64` })),
    cut === null ? null : s("rect", { class: "cut", x: 18 + long * (1 - cut) - 2, y: 10, width: 4, height: 56 }),
    s("path", { class: "wood front", d: "M10 58H168L184 70V96H10Z" }),
    s("text", { x: 92, y: 82, class: "print" }, doc.shoe.cut_card_out ? say("felt.cut_out") : say("felt.shoe_name", { number: doc.shoe.number || 1 })));
}

/** The discard rack, as full as cards are gone. */
export function drawRack(doc) {
  const all = doc.felt.decks * doc.felt.deck_cards || 1;
  const high = Math.min(58, (doc.shoe.racked / all) * 58);
  return s("svg", { viewBox: "0 0 120 104", class: "rack", role: "img", "aria-label": say("felt.rack", { count: doc.shoe.racked }) },
    s("path", { class: "wood", d: "M14 20V88H106V20" }),
    s("rect", { class: "deck", x: 20, y: 84 - high, width: 80, height: high }),
    s("text", { x: 60, y: 101, class: "print small" }, say("felt.rack_name")));
}

function drawLine(name, amount) {
  return amount === null ? null : h("div", {}, h("dt", {}, name), h("dd", { class: "figure" }, showMoney(amount)));
}

/** The sign with the limits. */
export function drawSign({ notice: { limits } }) {
  return h("dl", { class: "sign" }, drawLine(say("felt.minimum"), limits.minimum), drawLine(say("felt.maximum"), limits.maximum));
}

/** What the meters show, each with its name. */
export function listMeters({ meters }) {
  return Object.entries(meters).map(([name, meter]) => [name.split("-").slice(-1)[0], meter.value.replace(/(\.\d\d)\d+$/, "$1")]);
}

/** The meters, beside the shoe. */
export function drawMeters(doc) {
  const meters = listMeters(doc);
  return meters.length ? h("dl", { class: "meters", "aria-label": say("felt.meters") }, meters.map(([name, value]) => drawLine(name, value))) : null;
}
