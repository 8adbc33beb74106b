// <pb-felt>: a table as it is now, drawn from the document that the server gives. It decides nothing and offers spots.

import "../shared/card.js";
import "./box.js";
import { define, h, put } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { addTexts, say } from "../shared/text.js";
import { nameCard } from "../shared/card.js";
import { setCards } from "./box.js";
import { drawCloth } from "./cloth.js";
import { drawMeters, drawRack, drawShoe, drawSign, listMeters } from "./furniture.js";
import { WIDTH, placeBoxes } from "./geometry.js";
import texts from "../texts/felt.js";

addTexts("felt", texts);
const NARROW = 720;

class Felt extends HTMLElement {
  connectedCallback() {
    this.cards = h("div", { class: "cards" });
    this.total = h("div", { class: "dealer-total" });
    this.corner = h("div", { class: "corner left" });
    this.shoe = h("div", { class: "corner right" });
    this.boxes = h("div", { class: "boxes" });
    this.words = h("p", { class: "words" });
    this.sentences = h("ul", { class: "unseen", "aria-label": say("felt.in_sentences") });
    this.stage = h("div", { class: "stage", role: "group", "aria-label": say("felt.table") }, this.corner, h("div", { class: "dealer" }, this.cards, this.total), this.shoe, this.words, this.boxes);
    put(this, this.stage, this.sentences);
    this.elements = new Map();
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this);
  }

  disconnectedCallback() {
    this.observer.disconnect();
  }

  measure() {
    const { width, height } = this.getBoundingClientRect();
    const narrow = width < NARROW;
    this.stage.classList.toggle("narrow", narrow);
    if (narrow) this.stage.tabIndex = 0; // it scrolls
    else this.stage.removeAttribute("tabindex");
    const fit = Math.min(width / WIDTH, height / 860);
    this.stage.style.setProperty("--u", `${narrow ? width / 620 : fit}px`);
  }

  /** Draw a document; `options`: { me, faceDown, canBet, chosen }. */
  show(doc, options = {}) {
    if (this.printed !== doc.felt.title + doc.felt.boxes.length) {
      this.printed = doc.felt.title + doc.felt.boxes.length;
      this.stage.querySelector(".cloth")?.remove();
      this.stage.prepend(drawCloth(doc.felt));
      this.places = placeBoxes(doc.felt.boxes);
    }
    this.stage.classList.toggle("in-play", doc.boxes.length > 0);
    this.stage.classList.toggle("in-pairs", [...this.places.values()].some(({ paired }) => paired));
    setCards(this.cards, doc.dealer);
    const over = doc.dealer_total > 21 ? " over" : "";
    put(this.total, doc.dealer.length ? h("span", { class: `total${over}` }, doc.dealer_total === null ? "" : String(doc.dealer_total)) : null);
    this.furnish(doc);
    doc.felt.boxes.forEach((box, at) => this.showBox(doc, box, at, options));
    this.tell(doc, options);
  }

  // Rack, shoe, sign and meters: drawn again only when one of them has changed.
  furnish(doc) {
    const shown = JSON.stringify([this.printed, doc.shoe, doc.notice.limits, doc.meters, doc.dealer.length, doc.boxes.map(({ hands }) => hands.map(({ cards }) => cards.length))]);
    if (this.furnished === shown) return;
    this.furnished = shown;
    put(this.corner, drawRack(doc), drawSign(doc));
    put(this.shoe, drawMeters(doc), drawShoe(doc));
    put(this.words, doc.felt.lines.map(({ text }) => h("span", {}, text)), listMeters(doc).map(([name, value]) => h("span", { class: "figure" }, `${name} ${showMoney(value)}`)));
  }

  showBox(doc, { number, area }, at, options) {
    let element = this.elements.get(number);
    if (!element) {
      element = h("pb-felt-box", { "data-number": number });
      element.style.order = String(at);
      this.elements.set(number, element);
      this.boxes.append(element);
    }
    const { x, y, outX, outY, shift, paired } = this.places.get(number);
    if (element.place !== `${x} ${y}`) {
      element.place = `${x} ${y}`;
      element.style.setProperty("--x", String(x));
      element.style.setProperty("--y", String(y));
      element.style.setProperty("--out-x", outX.toFixed(3));
      element.style.setProperty("--out-y", outY.toFixed(3));
      element.style.setProperty("--aside", Math.abs(outX).toFixed(3));
      element.style.setProperty("--shift", String(shift));
    }
    const played = doc.boxes.find((box) => box.number === number);
    const bets = doc.boxes.length ? [] : doc.bets.filter((bet) => bet.wager === "main" && [number, area].includes(bet.box));
    const first = number === area || number === `${area}a`;
    const on = (box) => box === number || (first && box === area);
    const sides = doc.boxes.length || doc.sides.length
      ? doc.sides.filter(({ box }) => on(box))
      : doc.bets.filter((bet) => bet.wager !== "main" && on(bet.box));
    const results = doc.settlements.filter(({ box, wager }) => (wager === "main" ? box === number : on(box) || box === number));
    const players = played ? played.players : [...new Set(bets.map(({ player }) => player))];
    const down = options.faceDown?.[number];
    const hands = (played?.hands ?? []).map((hand, place) => ({
      ...hand,
      cards: place === 0 && down?.length ? down : hand.cards,
      natural: doc.naturals?.includes(number) && hand.cards.length === 2 ? doc.felt.natural : undefined,
    }));
    element.classList.toggle("many", played?.hands.length > 1);
    element.classList.toggle("crowded", played?.hands.length > 2);
    element.model ??= { number };
    const model = {
      number, area, hands, bets, sides, results, names: paired && !first ? [] : players,
      controller: played?.controller ?? "",
      insurance: played?.insurance ?? [],
      me: options.me ?? "",
      own: players.includes(options.me),
      active: doc.turn?.[0] === number ? doc.turn[1] : 0,
      canBet: Boolean(options.canBet),
      chosen: options.chosen === number,
      chips: doc.felt.chips,
      spots: first || !doc.felt.spots.some(({ per_area }) => per_area) ? doc.felt.spots : [],
    };
    const shown = JSON.stringify(model);
    if (element.shown === shown) return;
    element.shown = shown;
    element.update(model);
  }

  /** The table as a list of sentences, for those who listen. */
  tell(doc, { me }) {
    const cards = (list) => list.map(nameCard).join(", ");
    const lines = [];
    if (doc.dealer.length) lines.push(say("felt.dealer_has", { cards: cards(doc.dealer), total: doc.dealer_total ?? "" }));
    for (const box of doc.boxes) {
      for (const hand of box.hands) {
        const stakes = hand.stakes.map(({ player, money }) => say("felt.stake_of", { player, amount: showMoney(money) })).join(", ");
        lines.push(say("felt.box_has", { number: box.number, cards: cards(hand.cards), total: hand.total ?? "", stakes }));
      }
    }
    for (const bet of doc.boxes.length ? [] : doc.bets) lines.push(say("felt.bet_of", { player: bet.player, number: bet.box, amount: showMoney(bet.amount), wager: bet.wager }));
    for (const { box, player, wager, net } of doc.settlements) {
      lines.push(say("felt.result_of", { box, player: player === me ? say("felt.you") : player, wager, net: showMoney(net, { signed: true }) }));
    }
    const shown = lines.join("\n");
    if (this.sentences.dataset.shown === shown) return;
    this.sentences.dataset.shown = shown;
    put(this.sentences, lines.map((line) => h("li", {}, line)));
  }
}
define("pb-felt", Felt);
