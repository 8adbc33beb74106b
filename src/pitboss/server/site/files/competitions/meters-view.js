// Prize meter systems: what their meters show now, at which tables, and whether a draw was what was committed to.

import { account } from "../shared/account.js";
import { getJson } from "../shared/api.js";
import { define, h } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { clauses } from "../desks/common.js";
import { giveOrder } from "../desks/orders.js";
import { nameField, nameWord, offerProof, redraw, tellFields } from "./words.js";

/** A share as a percentage, counted in whole steps: rates are exact texts. */
export function showRate(rate) {
  return say("competitions.rate", { percent: Number((Number(rate) * 100).toFixed(6)) });
}

class MetersView extends HTMLElement {
  show(followed) {
    this.followed = followed;
    this.draw();
    this.lookForPrizes().catch(toast);
  }

  /** Whoever acts for the house at one of the tables sees the prizes there that wait for somebody's word. */
  async lookForPrizes() {
    const person = await account();
    if (!person?.roles.length) return;
    const members = Object.values(this.followed.shown.systems ?? {}).flatMap(({ tables }) => tables);
    const { tables } = await getJson("/api/desk");
    const waiting = tables.filter(({ name }) => members.includes(name)).flatMap((table) => table.waits.filter(({ kind }) => kind === "prize").map((matter) => ({ table, matter })));
    if (JSON.stringify(waiting.map(({ matter }) => matter)) === JSON.stringify((this.waiting ?? []).map(({ matter }) => matter))) return;
    this.waiting = waiting;
    this.draw();
  }

  async confirm({ table, matter }) {
    try {
      const forms = await getJson(`/api/tables/${encodeURIComponent(table.name)}/order-forms`);
      const form = forms.find(({ type }) => type === matter.order);
      if (!form?.role) throw new Error(say("competitions.not_yours_to_confirm"));
      await giveOrder(form, { table: table.name, book: table.book, roles: table.roles, known: {} }, matter.fields);
      await this.lookForPrizes();
    } catch (error) {
      toast(error);
    }
  }

  drawPrizes() {
    if (!this.waiting?.length) return null;
    return h("section", { class: "sheet prizes-waiting" }, h("h2", {}, say("competitions.prizes_waiting")), h("ul", { class: "plain-list" }, this.waiting.map((one) =>
      h("li", { class: "row" }, h("a", { href: `/desk/${encodeURIComponent(one.table.name)}` }, one.table.name), h("span", {}, one.matter.text, " ", clauses(one.matter.clauses, one.table.book)),
        h("button", { type: "button", "data-key": `prize-${one.table.name}`, on: { click: () => this.confirm(one) } }, say("competitions.confirm_prize"))))));
  }

  draw() {
    const { name, shown } = this.followed;
    const systems = Object.entries(shown.systems ?? {});
    redraw(this, h("p", {}, h("a", { class: "button", "data-key": "display", href: `/competitions/meters/${encodeURIComponent(name)}/display` }, say("competitions.display"))),
      this.drawPrizes(), ...systems.map(([system, facts]) => this.drawSystem(system, facts)),
      shown.readings?.length ? h("section", { class: "sheet" }, h("h2", {}, say("competitions.readings")), h("ol", { class: "plain-list" }, shown.readings.slice(-20).reverse().map((reading) => h("li", {}, tellFields(reading))))) : null);
  }

  drawSystem(system, facts) {
    const rows = Object.entries(facts.values).map(([meter, value]) => h("tr", {}, h("th", { scope: "row" }, nameField(meter)),
      h("td", { class: "figure meter-value", "data-meter": meter }, showMoney(value)), h("td", { class: "figure" }, showMoney(facts.seeds[meter])), h("td", { class: "figure" }, showRate(facts.rates[meter]))));
    const standing = !facts.open ? "closed" : facts.works ? "works" : "broken";
    return h("section", { class: "sheet" }, h("h2", {}, nameField(system)), h("p", { class: "row" }, h("span", { class: `state state-${standing}` }, say(`competitions.meter_${standing}`)),
      h("span", {}, say("competitions.wager_costs", { wager: nameField(facts.wager), price: showMoney(facts.price) }))),
      h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": nameField(system) }, h("table", {}, h("thead", {}, h("tr", {}, ["meter", "value", "seed_value", "share"].map((key) => h("th", { scope: "col", class: key === "meter" ? "" : "figure" }, say(`competitions.column_${key}`))))), h("tbody", {}, rows))),
      h("p", {}, say("competitions.tables"), " ", facts.tables.length ? facts.tables.map((table, index) => [index ? ", " : "", h("a", { href: `/table/${encodeURIComponent(table)}` }, table)]) : "–"),
      Object.keys(facts.signs).length ? h("p", { class: "wrong" }, Object.entries(facts.signs).map(([table, sign]) => say("competitions.sign_at", { table, sign: nameWord(sign) })).join(" · ")) : null,
      facts.commitment ? h("p", { class: "small" }, say("competitions.commitment"), " ", h("code", {}, facts.commitment)) : null,
      facts.revealed.map((series) => h("details", { "data-key": `${system}-${series.series}` }, h("summary", {}, say("competitions.revealed_series", { number: series.series, count: series.draws.length })), offerProof(series, `proof-${system}-${series.series}`),
        h("ol", { class: "plain-list" }, series.draws.map((draw) => h("li", {}, say(draw.box ? "competitions.draw_box" : "competitions.draw_none", { table: draw.table, round: draw.round, pick: nameField(draw.pick), box: draw.box })))))));
  }
}
define("pb-meters-view", MetersView);
