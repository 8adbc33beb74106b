// <pb-lab-board>: cards set by click or key, and what every action is worth.

import "../shared/card.js";
import { nameCard } from "../shared/card.js";
import { openDialog } from "../shared/dialog.js";
import { define, h, put } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { say, hasText } from "../shared/text.js";
import { announce, toast } from "../shared/toast.js";
import { packText } from "../round/packing.js";
import { LastQuestion } from "./asking.js";

const SUITS = ["s", "h", "d", "c"];
const words = (text) => text.split(" ").filter(Boolean);

class LabBoard extends HTMLElement {
  question = new LastQuestion();
  target = "";
  suit = "s";

  connectedCallback() {
    this.felt = h("section", { class: "lab-felt", "aria-label": say("lab.position") });
    this.deck = h("section", { class: "lab-deck", "aria-label": say("lab.deck") });
    this.values = h("section", { class: "lab-values sheet", "aria-label": say("lab.values"), "aria-live": "polite" });
    put(this, h("div", { class: "lab-setting" }, this.felt, this.deck), this.values);
    const ranks = Object.fromEntries([..."a23456789tjqk"].map((rank) => [rank, () => this.put(rank.toUpperCase())]));
    this.unbind = bindKeys({ ...ranks, 0: () => this.put("T"), Backspace: () => this.undo(), b: () => this.aim(this.nextBox()), d: () => this.aim("up"), s: () => this.aim("seen") });
  }

  disconnectedCallback() {
    this.unbind?.();
  }

  /** Show the position of the state; `table` says what deck and how many boxes there are. */
  show(state, table) {
    this.state = state;
    this.table = table;
    while (state.now.boxes.length < table.boxes) state.now.boxes.push("");
    state.now.boxes.length = table.boxes;
    if (!this.isPlace(this.target)) this.target = this.findNext();
    this.drawFelt();
    this.drawDeck();
    this.ask();
  }

  isPlace(place) {
    return place === "up" || place === "seen" || (place !== "" && Number(place) < this.table.boxes);
  }

  /** Where the next card belongs: two to every box, one to the dealer. */
  findNext() {
    const short = this.state.now.boxes.findIndex((cards) => words(cards).length < 2);
    if (short >= 0) return String(short);
    return this.state.now.up ? "0" : "up";
  }

  nextBox() {
    const at = Number(this.target);
    return Number.isInteger(at) && this.target !== "" ? String((at + 1) % this.table.boxes) : "0";
  }

  aim(place) {
    this.target = place;
    this.drawFelt();
    this.drawDeck();
    announce(say("lab.goes_to", { place: this.namePlace(place) }));
  }

  namePlace(place) {
    if (place === "up") return say("lab.dealer");
    if (place === "seen") return say("lab.seen");
    return this.table.boxes > 1 ? say("lab.box", { number: `1${"ab"[place]}` }) : say("lab.box", { number: 1 });
  }

  count(card) {
    const { boxes, up, seen } = this.state.now;
    return [...boxes.flatMap(words), ...words(up), ...words(seen)].filter((one) => one === card).length;
  }

  /** A card, or a rank of the suit that is chosen. */
  put(card) {
    if (!this.state) return;
    const wanted = card.length === 2 ? [card] : [card + this.suit, ...SUITS.map((suit) => card + suit)];
    const face = wanted.find((one) => this.table.deck.includes(one) && this.count(one) < this.table.decks);
    if (!face) return void toast(say("lab.none_left", { card: card.length === 2 ? nameCard(card) : card }));
    const { boxes, seen } = this.state.now;
    const target = this.target;
    if (target === "up") this.state.set({ up: face });
    else if (target === "seen") this.state.set({ seen: `${seen} ${face}`.trim() });
    else this.state.set({ boxes: boxes.map((cards, place) => (String(place) === target ? `${cards} ${face}`.trim() : cards)) });
    const moved = boxes.every((cards, place) => words(cards).length <= 2 || String(place) !== target);
    if (target !== "seen" && moved && !this.state.now.actions.length) this.target = this.findNext();
    this.drawFelt();
    this.drawDeck();
  }

  take(place, at) {
    const without = (text) => words(text).filter((_, number) => number !== at).join(" ");
    const { boxes, seen } = this.state.now;
    this.target = place;
    if (place === "up") this.state.set({ up: "", actions: [] });
    else if (place === "seen") this.state.set({ seen: without(seen) });
    else this.state.set({ boxes: boxes.map((cards, number) => (String(number) === place ? without(cards) : cards)), actions: [] });
  }

  undo() {
    const { actions, boxes } = this.state.now;
    if (actions.length) return this.state.set({ actions: actions.slice(0, -1) });
    const last = boxes.map((cards) => words(cards).length);
    const place = last.indexOf(Math.max(...last));
    if (last[place]) this.take(String(place), last[place] - 1);
    else if (this.state.now.up) this.take("up", 0);
    return undefined;
  }

  // ---------------------------------------------------------------- drawing

  drawFelt() {
    const { boxes, up, seen } = this.state.now;
    const places = ["up", ...boxes.keys()].map(String);
    put(this.felt, places.map((place) => this.drawPlace(place, place === "up" ? words(up) : words(boxes[place]))),
      this.drawPlace("seen", words(seen)),
      h("div", { class: "row end" },
        h("button", { type: "button", on: { click: () => this.undo() } }, say("lab.undo"), h("kbd", {}, "⌫")),
        h("button", { type: "button", on: { click: () => { this.target = "0"; this.state.set({ boxes: boxes.map(() => ""), up: "", actions: [], seen: "" }); } } }, say("lab.clear"))));
  }

  drawPlace(place, cards) {
    const name = this.namePlace(place);
    const small = place === "seen";
    return h("div", { class: `lab-place${this.target === place ? " aimed" : ""}${small ? " small-cards" : ""}` },
      h("button", { type: "button", class: "plain", "aria-pressed": String(this.target === place), on: { click: () => this.aim(place) } }, name),
      h("div", { class: "lab-cards" }, cards.map((card, at) => h("button", {
        type: "button", class: "card-button", "aria-label": say("lab.take_off", { card: nameCard(card) }), on: { click: () => this.take(place, at) },
      }, h("pb-card", { face: card }))),
      this.target === place ? h("span", { class: "slot", "aria-hidden": "true" }) : null,
      small && !cards.length ? h("span", { class: "small quiet" }, say("lab.seen_words")) : null));
  }

  drawDeck() {
    const choose = (suit) => h("button", {
      type: "button", "aria-pressed": String(this.suit === suit), class: "suit-choice",
      on: { click: () => { this.suit = suit; this.drawDeck(); this.deck.querySelector(`.suit-choice[aria-pressed="true"]`)?.focus(); } },
    }, say(`shared.suit_${suit}`));
    put(this.deck, h("p", { class: "small" }, say("lab.pick", { place: this.namePlace(this.target) })),
      h("div", { class: "row suits", role: "group", "aria-label": say("lab.suit") }, SUITS.map(choose)),
      SUITS.map((suit) => h("div", { class: `suit-row${suit === this.suit ? " chosen" : ""}` },
        this.table.deck.filter((card) => card[1] === suit).map((card) => h("button", {
          type: "button", class: "card-button", "data-card": card, disabled: this.count(card) >= this.table.decks,
          "aria-label": nameCard(card), on: { click: () => { this.put(card); this.deck.querySelector(`[data-card="${card}"]`)?.focus(); } },
        }, h("pb-card", { face: card }))))));
  }

  async ask() {
    const { boxes, up } = this.state.now;
    if (!up && !boxes.some(Boolean)) return put(this.values, h("h2", {}, say("lab.values")), h("p", {}, say("lab.start")));
    this.values.setAttribute("aria-busy", "true");
    try {
      const answer = await this.question.ask("/api/lab/board", { choice: this.state.choice, position: this.state.position });
      if (answer) this.drawAnswer(answer);
    } catch (error) {
      put(this.values, h("h2", {}, say("lab.values")), h("p", { class: "wrong" }, error.message));
    }
    this.values.removeAttribute("aria-busy");
    return undefined;
  }

  drawAnswer(answer) {
    // Until the deal is there the cards go where they went, however soon or late an answer comes.
    const { boxes, up } = this.state.now;
    const dealt = up && boxes.every((cards) => words(cards).length >= 2);
    const due = { 1: "0", "1a": "0", "1b": "1" }[answer.due];
    if (dealt && due !== undefined && due !== this.target && this.target !== "seen") this.aim(due);
    const valued = answer.actions.filter((action) => action.worth);
    const plain = answer.actions.filter((action) => !action.worth);
    const several = answer.boxes.some(({ hands }) => hands.length > 1);
    put(this.values, h("h2", {}, answer.sentence),
      several ? h("ul", { class: "lab-hands" }, answer.boxes.flatMap(({ number, hands }) => hands.map((hand, at) =>
        h("li", { class: hand.turn ? "turn" : "" }, say("lab.hand_of", { number, hand: at + 1 }), " ", hand.cards.map((card) => h("pb-card", { face: card })), " ", hand.words)))) : null,
      valued.length ? h("table", { class: "lab-actions" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("lab.action")), h("th", { scope: "col", class: "figure" }, say("lab.worth_at", { stake: this.state.now.stake })),
          h("th", { scope: "col", class: "figure" }, say("lab.of_stake")), h("th", { scope: "col", class: "figure" }, say("lab.behind")))),
        this.group(valued).map(([about, actions], place, all) => h("tbody", {},
          all.length > 1 ? h("tr", { class: "about" }, h("th", { scope: "rowgroup", colspan: 4 }, say(`lab.about_${about}`, { box: this.findBox(answer) }))) : null, actions.map((action) => this.drawAction(action))))) : null,
      plain.length || this.state.now.actions.length ? h("div", { class: "row" }, plain.map((action) => this.drawPlay(action)),
        this.state.now.actions.length ? h("span", { class: "small quiet" }, say("lab.played", { actions: this.state.now.actions.join(", ") })) : null) : null,
      answer.refused.length ? h("details", {}, h("summary", {}, say("lab.refused", { count: answer.refused.length })),
        h("ul", {}, answer.refused.map(({ action, reason, clauses }) => h("li", {}, h("strong", {}, this.nameAction(action)), ": ", reason, " ",
          clauses.map((clause) => [h("a", { class: "clause", href: `/library/clause/${this.table.book}/${encodeURIComponent(clause)}` }, clause), " "]))))) : null,
      h("dl", { class: "pairs" },
        answer.natural ? [h("dt", {}, say("lab.natural")), h("dd", {}, answer.natural.text)] : null,
        h("dt", {}, say("lab.left")), h("dd", {}, String(answer.left)),
        answer.error ? [h("dt", {}, say("lab.error")), h("dd", {}, answer.error)] : null),
      this.drawStake(),
      h("div", { class: "row" },
        h("button", { type: "button", on: { click: () => copy(location.href, say("lab.link_copied")) } }, say("lab.copy_link")),
        answer.record ? h("button", { type: "button", on: { click: async () => location.assign(`/round#${await packText(answer.record)}`) } }, say("lab.on_felt")) : null,
        h("button", { type: "button", disabled: !answer.record, on: { click: () => copy(answer.record, say("lab.record_copied")) } }, say("lab.copy_record"))));
  }

  group(actions) {
    const found = new Map();
    for (const action of actions) found.set(action.about, [...(found.get(action.about) ?? []), action]);
    return [...found];
  }

  findBox({ boxes }) {
    return (boxes.find(({ hands }) => hands.some(({ turn }) => turn)) ?? boxes[0]).number;
  }

  drawStake() {
    const field = h("input", { inputmode: "decimal", size: 7, value: this.state.now.stake, on: { change: () => this.state.set({ stake: field.value.trim() || "10" }) } });
    return h("label", {}, say("lab.stake"), field);
  }

  nameAction(action) {
    return hasText(`lab.do_${action}`) ? say(`lab.do_${action}`) : action;
  }

  drawPlay({ action, command }) {
    return h("button", { type: "button", "data-play": command, on: { click: () => this.play(command) } }, this.nameAction(action));
  }

  drawAction(item) {
    const name = item.command ? this.drawPlay(item) : this.nameAction(item.action);
    const sign = (value) => (value > 0 ? "won" : value < 0 ? "lost" : "");
    return h("tr", { class: item.best ? "best" : "" },
      h("th", { scope: "row" }, name, item.best ? h("span", { class: "badge" }, say("lab.best")) : null),
      h("td", { class: `figure ${sign(item.money.value)}` }, item.money.text),
      h("td", { class: "figure" }, item.worth.text),
      h("td", { class: "figure" }, item.behind.value ? item.behind.text : "–"));
  }

  play(command) {
    const box = /^1b\b/.test(command) ? "1" : "0";
    this.target = box;
    this.state.set({ actions: [...this.state.now.actions, command] });
  }
}
define("pb-lab-board", LabBoard);

/** Put a text where it can be pasted from; where the browser does not allow that, show it. */
async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    openDialog({ title: say("lab.copy_yourself"), body: h("textarea", { readonly: true, rows: 12, cols: 60, autofocus: true }, text) });
  }
}
