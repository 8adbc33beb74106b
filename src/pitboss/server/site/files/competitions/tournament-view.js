// A tournament: its terms, entries, seats and standings after every round, the felt of each table, and the prizes.

import "../shared/card.js";
import "./tournament-table.js";
import { define, h } from "../shared/dom.js";
import { compareMoney, showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";
import { nameWord, redraw, tellFields } from "./words.js";

/** What a place wins: an amount, a share of the pool, goods. */
function tellPrize({ amount, percent, goods }) {
  return [Number(amount) ? showMoney(amount) : "", Number(percent) ? say("competitions.of_the_pool", { percent }) : "", goods].filter(Boolean).join(", ");
}

class TournamentView extends HTMLElement {
  constructor() {
    super();
    this.facts = h("section", { class: "sheet" });
    this.tables = new Map();
    this.hall = h("div", { class: "hall" });
    this.rest = h("div", { class: "stack" });
  }

  connectedCallback() {
    this.append(this.facts, this.hall, this.rest);
  }

  show(followed) {
    const { shown } = followed;
    redraw(this.facts, h("p", { class: "row" }, h("span", { class: "state", "data-phase": shown.phase }, nameWord(shown.phase)),
      h("span", {}, say("competitions.entrants", { count: shown.entrants })), h("span", {}, say("competitions.pool", { amount: showMoney(shown.pool) })),
      shown.stage ? h("span", {}, say("competitions.stage", { stage: shown.stage, heat: shown.heat, heats: shown.heats })) : null),
      shown.dispute ? h("p", { class: "wrong" }, say("competitions.halted", { matter: shown.dispute })) : null,
      shown.goods?.length ? h("p", {}, say("competitions.goods", { list: shown.goods.join(", ") })) : null);
    this.showTables(followed);
    redraw(this.rest, this.drawStandings(shown), this.drawPlaces(shown), this.drawTerms(shown));
  }

  showTables(followed) {
    const tables = followed.shown.tables ?? {};
    for (const [name, element] of this.tables) {
      if (!(name in tables)) {
        element.remove();
        this.tables.delete(name);
      }
    }
    for (const [name, table] of Object.entries(tables)) {
      let element = this.tables.get(name);
      if (!element) {
        element = h("pb-tournament-table", { name });
        this.tables.set(name, element);
        this.hall.append(element);
      }
      element.show(followed, table);
    }
  }

  drawStandings({ entries, players, stacks, tables, waiting }) {
    const keys = Object.keys(entries ?? {});
    if (keys.length === 0) return h("p", { class: "quiet" }, say("competitions.no_entries"));
    const seated = Object.fromEntries(Object.entries(tables ?? {}).flatMap(([name, table]) => table.seats.map((key) => [key, name])));
    keys.sort((one, other) => compareMoney(stacks[other] ?? "0", stacks[one] ?? "0") || one.localeCompare(other));
    const line = (key, index) => h("tr", { "data-entry": key }, h("td", { class: "figure" }, key in stacks ? index + 1 : "–"), h("th", { scope: "row" }, players[key]),
      h("td", {}, seated[key] ?? "–"), h("td", { class: "figure" }, key in stacks ? showMoney(stacks[key]) : "–"), h("td", {}, waiting?.includes(key) ? nameWord("goes-on") : nameWord(entries[key])));
    return h("section", { class: "sheet" }, h("h2", {}, say("competitions.standings")), h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": say("competitions.standings") },
      h("table", { class: "standings" }, h("thead", {}, h("tr", {}, ["rank", "player", "table", "chips", "status"].map((key) => h("th", { scope: "col", class: ["rank", "chips"].includes(key) ? "figure" : "" }, say(`competitions.column_${key}`))))), h("tbody", {}, keys.map(line)))));
  }

  drawPlaces({ places, players, paid, terms }) {
    const prizes = new Map((terms?.format?.prizes ?? []).map((prize) => [prize.place, prize]));
    const count = Math.max(places?.length ?? 0, ...prizes.keys(), 0);
    if (count === 0) return null;
    const line = (_, index) => {
      const key = places?.[index];
      const prize = prizes.get(index + 1);
      return h("li", {}, key ? h("strong", {}, players[key] ?? key) : h("span", { class: "quiet" }, say("competitions.open_place")), prize ? h("span", {}, ` · ${tellPrize(prize)}`) : null,
        key && paid?.includes(index + 1) ? h("span", { class: "small quiet" }, ` ${say("competitions.prize_paid")}`) : null);
    };
    return h("section", { class: "sheet" }, h("h2", {}, say("competitions.places")), h("ol", { class: "places" }, Array.from({ length: count }, line)));
  }

  drawTerms({ terms, commitment }) {
    if (!terms) return h("p", { class: "quiet" }, say("competitions.no_terms"));
    return h("details", { class: "sheet", "data-key": "terms" }, h("summary", {}, say("competitions.terms")), tellFields(terms),
      commitment ? h("p", { class: "small" }, say("competitions.commitment"), " ", h("code", {}, commitment)) : null);
  }
}
define("pb-tournament-view", TournamentView);
