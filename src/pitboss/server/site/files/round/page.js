// A round that is over, or any record: stepped forwards and backwards on the felt, its cards changed, shared by a link.

import "../shared/shell.js";
import "../felt/felt.js";
import { getJson, postJson } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { moneyClass, showMoney } from "../shared/money.js";
import { addTexts, say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import texts from "../texts/round.js";
import { citeClause } from "../library/cite.js";
import { packText, unpackText } from "./packing.js";

addTexts("round", texts);
const CARD = /\b(10|[A2-9TJQK])([shdc])\b/g;

class RoundPage extends HTMLElement {
  connectedCallback() {
    const [, table, number] = pathParts();
    this.table = table;
    this.number = number;
    this.heading = h("h1", {}, table ? say("round.title", { table, number }) : say("round.record"));
    this.felt = h("pb-felt");
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": say("round.step"), on: { input: () => this.go(Number(this.slider.value)) } });
    this.where = h("output", { class: "figure" });
    this.told = h("p", { class: "call", role: "status", "aria-live": "polite", tabindex: "0" });
    this.list = h("ol", { class: "steps", "aria-label": say("round.steps") });
    this.money = h("section", { class: "money" });
    this.record = h("textarea", { rows: 12, spellcheck: "false", "aria-label": say("round.record_text") });
    const step = (key, text, by) => h("button", { type: "button", "data-act": key, on: { click: () => this.go(this.at + by) } }, text);
    const bar = h("div", { class: "row bar" }, step("first", "«", -1e6), step("back", say("round.back"), -1), step("on", say("round.on"), 1), step("last", "»", 1e6), this.slider, this.where);
    bar.querySelector("[data-act=first]").setAttribute("aria-label", say("round.first"));
    bar.querySelector("[data-act=last]").setAttribute("aria-label", say("round.last"));
    const editor = h("details", { class: "editor" }, h("summary", {}, say("round.change")), h("p", { class: "quiet small" }, say("round.change_how")),
      h("div", { class: "cards-of", "data-cards": true }), this.record,
      h("p", { class: "row" }, h("button", { type: "button", class: "main", "data-act": "replay", on: { click: () => this.replay(this.record.value) } }, say("round.replay")),
        h("button", { type: "button", "data-act": "share", on: { click: () => this.share() } }, say("round.share")),
        h("button", { type: "button", "data-act": "download", on: { click: () => this.download() } }, say("round.download"))));
    this.cards = editor.querySelector("[data-cards]");
    this.differences = h("ul", { class: "wrong", hidden: true });
    put(this, h("div", { class: "head" }, this.heading, table ? h("a", { href: `/table/${encodeURIComponent(table)}` }, say("round.to_table")) : null),
      this.felt, h("section", { class: "panel" }, this.told, bar, this.differences), h("aside", {}, this.list, this.money, editor));
    bindKeys({ ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), Home: () => this.go(0), End: () => this.go(1e6) });
    this.at = 0;
    this.load();
  }

  async load() {
    try {
      if (location.hash.length > 1) await this.replay(await unpackText(location.hash.slice(1)), false);
      else if (this.table) this.show(await getJson(`/api/tables/${encodeURIComponent(this.table)}/rounds/${this.number}/steps`));
      else this.querySelector(".editor").open = true;
    } catch (error) {
      toast(error);
    }
  }

  async replay(text, changed = true) {
    try {
      const played = await postJson("/api/replay", { record: text });
      if (changed) history.replaceState(null, "", `/round#${await packText(text)}`);
      if (changed) this.heading.textContent = say("round.changed");
      this.show(played);
    } catch (error) {
      toast(error);
    }
  }

  show(played) {
    this.played = played;
    document.title = `${this.heading.textContent} · pitboss`;
    this.slider.max = String(played.steps.length - 1);
    this.record.value = played.record;
    put(this.list, played.steps.map((step, at) => h("li", {}, h("button", { type: "button", class: "plain", on: { click: () => this.go(at) } },
      h("b", {}, step.asked || say("round.as_recorded")),
      step.said.map(({ text, clauses = [], net }) => h("span", { class: net ? moneyClass(net) : "" }, `${text} `, h("span", { class: "clause" }, clauses[0] ?? ""))),
      step.refusal ? h("span", {}, `${step.refusal} `, h("span", { class: "clause" }, step.clauses[0] ?? "")) : null))));
    const last = played.steps.at(-1).table;
    put(this.money, h("h2", {}, say("round.money")), this.drawMoney(last.settlements));
    this.differences.hidden = !played.differences.length;
    put(this.differences, played.differences.map((text) => h("li", {}, text)));
    this.drawCards();
    const first = played.steps.findIndex(({ asked }) => asked === "deal");
    this.go(location.hash.includes("&") ? this.at : Math.max(0, first));
  }

  /** Who won and lost what, with the clause that decided it. */
  drawMoney(settlements) {
    const { book, spots } = this.played.felt;
    const nameWager = (wager) => spots.find((spot) => spot.wager === wager)?.name ?? say(`round.wager_${wager}`);
    const heads = ["box", "player", "wager", "outcome", "stake", "net", "clause"].map((name) => h("th", { scope: "col", class: ["stake", "net"].includes(name) ? "figure" : "" }, say(`round.${name}`)));
    return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, settlements.map(({ box, hand, player, wager, stake, net, outcome, clauses }) => h("tr", {},
      h("td", {}, box, hand > 1 ? `.${hand}` : ""), h("td", {}, player), h("td", {}, nameWager(wager)), h("td", {}, outcome.replaceAll("-", " ")), h("td", { class: "figure" }, showMoney(stake)),
      h("td", { class: `figure ${moneyClass(net)}` }, showMoney(net, { signed: true })), h("td", {}, clauses.length ? citeClause(book, clauses[0]) : "")))));
  }

  /** The cards of the record as cards: a click changes one. */
  drawCards() {
    const found = [...this.played.record.matchAll(CARD)].filter((match) => this.isInCards(match.index));
    put(this.cards, found.map((match) => h("button", { type: "button", class: "plain", on: { click: () => this.changeCard(match) } },
      h("pb-card", { face: `${match[1] === "10" ? "T" : match[1]}${match[2]}` }))));
  }

  isInCards(place) {
    const text = this.played.record;
    const line = text.slice(text.lastIndexOf("\n", place) + 1, place);
    return /^\s*(cards|deals?)\b/.test(line);
  }

  async changeCard(match) {
    const faces = [..."shdc"].map((suit) => [..."A23456789TJQK"].map((rank) => `${rank}${suit}`));
    const body = (dialog) => faces.map((row) => h("div", { class: "deck" }, row.map((face) =>
      h("button", { type: "button", class: "plain", on: { click: () => dialog.finish(face) } }, h("pb-card", { face })))));
    const face = await openDialog({ title: say("round.which_card"), body, buttons: [{ value: "", text: say("shared.cancel") }] });
    if (!face) return;
    const text = this.played.record;
    const changed = `${text.slice(0, match.index)}${face}${text.slice(match.index + match[0].length)}`;
    await this.replay(this.forgetResults(changed));
  }

  /** What a record says of its end does not hold for other cards. */
  forgetResults(text) {
    return text.replace(/^(results|dealer|meters_after|void|cites)\s*=\s*(\[[^\]]*\]|\{[^}]*\}|.*)\n?/gm, "");
  }

  go(at) {
    if (!this.played) return;
    const { steps, felt } = this.played;
    this.at = Math.max(0, Math.min(steps.length - 1, at));
    const step = steps[this.at];
    this.slider.value = String(this.at);
    this.where.textContent = say("round.place", { at: this.at + 1, count: steps.length });
    const lines = step.refusal ? [{ text: step.refusal, clauses: step.clauses }] : step.said.length ? step.said : [{ text: step.asked }];
    put(this.told, lines.map(({ text, clauses = [] }) => h("span", {}, text, " ", clauses.length ? [citeClause(felt.book, clauses[0]), " "] : null)));
    this.felt.show({ ...step.table, felt, naturals: [] }, {});
    [...this.list.children].forEach((item, place) => {
      item.firstChild.setAttribute("aria-current", place === this.at ? "step" : "false");
    });
    const item = this.list.children[this.at];
    this.list.scrollTop = item.offsetTop - this.list.offsetTop - 60;
  }

  async share() {
    const address = this.table && !location.hash ? location.href : `${location.origin}/round#${await packText(this.record.value)}`;
    try {
      await navigator.clipboard.writeText(address);
      toast(say("round.copied"));
    } catch {
      await openDialog({ title: say("round.share"), body: h("textarea", { rows: 4, cols: 60, readonly: true, autofocus: true, "aria-label": say("round.share") }, address) });
    }
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.record.value], { type: "application/toml" }));
    h("a", { href: address, download: `${this.table ?? "record"}-${this.number ?? "changed"}.round.toml` }).click();
    URL.revokeObjectURL(address);
  }
}
define("pb-round-page", RoundPage);
