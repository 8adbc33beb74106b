// One table of a tournament: the dealer's cards, everybody's place in order, and what one may do at one's own.

import "../shared/card.js";
import { define, h } from "../shared/dom.js";
import { moneyClass, showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { account } from "../shared/account.js";
import { keepEnter } from "./command-form.js";
import "./count-down.js";
import { nameWord, redraw } from "./words.js";

const MOVES = { hit: "hit", stand: "stand", double: "double", split: "split", surrender: "surrender", insure: "insure", "take-even-money": "even-money" };

class TournamentTable extends HTMLElement {
  constructor() {
    super();
    this.felt = h("div", { class: "tournament-felt" });
    this.amount = h("input", { inputmode: "decimal", size: 6, "aria-label": say("competitions.wager_amount"), pattern: "[0-9]+([.][0-9]+)?" });
    this.secret = h("input", { type: "checkbox" });
    this.own = h("div", { class: "row own-part" });
    this.controls = h("div", { class: "row" });
    this.secretly = h("label", { class: "small" }, this.secret, say("competitions.undisclosed"));
    this.form = h("form", { class: "row", hidden: true, on: { submit: (event) => this.wager(event), keydown: keepEnter } }, h("label", {}, say("competitions.wager"), this.amount),
      this.secretly, h("button", {}, say("competitions.place_wager")));
  }

  connectedCallback() {
    this.own.append(this.form, this.controls);
    this.append(this.felt, this.own);
  }

  async show(followed, table) {
    this.followed = followed;
    const { shown } = followed;
    const person = (await account().catch(() => null))?.name ?? "";
    const mine = table.seats.find((key) => key && shown.players[key] === person) ?? "";
    redraw(this.felt, h("h2", {}, say("competitions.table_round", { table: this.getAttribute("name"), round: table.round })),
      h("p", { class: "row" }, h("span", { class: "state" }, nameWord(table.phase)), h("span", {}, say("competitions.limits", { minimum: showMoney(table.minimum), maximum: showMoney(table.maximum) })),
        table.deadline_ms ? h("pb-count-down", { until: table.deadline_ms }) : null,
        table.waits_for.length ? h("span", {}, say("competitions.waits_for", { who: table.waits_for.map((key) => shown.players[key] ?? key).join(", ") })) : null),
      h("p", { class: "dealer-hand" }, h("span", {}, say("competitions.dealer")), this.drawCards(table.dealer)),
      h("ol", { class: "seats" }, table.seats.map((key, index) => this.drawSeat(shown, table, key, index, key === mine))),
      table.results.length ? h("ul", { class: "plain-list small" }, table.results.map(({ player, wager, net }) => h("li", {}, `${shown.players[player] ?? player}, ${nameWord(wager)}: `, h("span", { class: `figure ${moneyClass(net)}` }, showMoney(net, { signed: true }))))) : null);
    this.secretly.hidden = !(shown.terms?.format?.undisclosed_wagers > 0);
    this.offer(table, mine);
  }

  drawCards(cards) {
    return h("span", { class: "cards" }, cards.map((face) => h("pb-card", { face })));
  }

  drawSeat(shown, table, key, index, isMine) {
    if (!key) return h("li", { class: "seat empty quiet" }, say("competitions.empty_seat"));
    const marks = [index + 1 === table.marker ? say("competitions.marker") : "", table.out.includes(key) ? nameWord("out") : "", table.forms[key] ? say("competitions.form_state", { state: nameWord(table.forms[key]) }) : ""].filter(Boolean);
    return h("li", { class: isMine ? "seat mine" : "seat" }, h("strong", {}, shown.players[key] ?? key), h("span", { class: "figure small" }, say("competitions.stack", { amount: showMoney(shown.stacks[key] ?? "0") })),
      table.wagers[key] ? h("span", { class: "small" }, say("competitions.staked", { wager: nameWord(table.wagers[key]) })) : null,
      marks.length ? h("span", { class: "small quiet" }, marks.join(" · ")) : null, (table.cards[key] ?? []).map((hand) => this.drawCards(hand)));
  }

  offer(table, mine) {
    const betting = Boolean(mine) && table.phase === "betting" && !table.out.includes(mine) && !table.counted;
    const staked = Boolean(table.wagers[mine] || table.forms[mine]);
    this.form.hidden = !betting || staked;
    if (!this.amount.value) this.amount.value = table.minimum;
    const moves = (table.actions ?? []).filter(({ type }) => type in MOVES);
    const button = (key, text, command) => h("button", { type: "button", "data-key": key, on: { click: () => this.ask(command) } }, text);
    redraw(this.controls,
      betting && staked ? button("take-back", say("competitions.take_back"), { type: "take-back" }) : null,
      betting && !staked && Number(Object.fromEntries(Object.entries(table.pass_cards))[mine] ?? 0) > 0 ? button("pass-card", say("competitions.pass_card"), { type: "pass-card" }) : null,
      mine ? moves.map(({ type, amount }) => button(type, say(`competitions.move_${type.replaceAll("-", "_")}`), { type: "act", move: MOVES[type], ...(type === "insure" && amount ? { amount } : {}) })) : null);
    this.own.hidden = this.form.hidden && this.controls.childElementCount === 0;
  }

  wager(event) {
    event.preventDefault();
    const amount = this.amount.value.trim();
    if (this.secret.checked) this.ask({ type: "write-form", wager: "main", amount });
    else this.ask({ type: "wager", amount });
  }

  async ask(command) {
    try {
      await this.followed.ask(command, "player");
      this.secret.checked = false;
    } catch (error) {
      toast(error);
    }
  }
}
define("pb-tournament-table", TournamentTable);
