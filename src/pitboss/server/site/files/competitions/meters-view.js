// Prize meter systems: what their meters show now, at which tables, and whether a draw was what was committed to.

import { define, h } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";
import { nameField, nameWord, offerProof, redraw, tellFields } from "./words.js";

/** A share as a percentage, counted in whole steps: rates are exact texts. */
export function showRate(rate) {
  return say("competitions.rate", { percent: Number((Number(rate) * 100).toFixed(6)) });
}

class MetersView extends HTMLElement {
  show({ name, shown }) {
    const systems = Object.entries(shown.systems ?? {});
    redraw(this, h("p", {}, h("a", { class: "button", "data-key": "display", href: `/competitions/meters/${encodeURIComponent(name)}/display` }, say("competitions.display"))),
      ...systems.map(([system, facts]) => this.drawSystem(system, facts)),
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
