// A promotion: its terms, entries, the draw with its proof, winners and claims.

import { define, h } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { giveCommand } from "./order-desk.js";
import { nameField, nameWord, offerProof, redraw, tellValue } from "./words.js";

class PromotionView extends HTMLElement {
  show(followed) {
    const { shown } = followed;
    redraw(this,
      h("section", { class: "sheet" }, h("p", { class: "row" }, h("span", { class: "state", "data-phase": shown.phase }, nameWord(shown.phase)),
        shown.times ? h("span", {}, say("competitions.promotion_times", shown.times)) : null),
        h("p", {}, say("competitions.entries", { count: shown.entries })),
        shown.own_entries?.length ? h("p", { "data-own-entries": true }, say("competitions.own_entries", { list: shown.own_entries.join(", ") })) : null),
      this.drawPrizes(followed), this.drawProof(shown), this.drawClaims(followed), this.drawTerms(shown), this.drawStaff(shown));
  }

  drawTerms({ terms, stated }) {
    if (!terms) return h("p", { class: "quiet" }, say("competitions.no_terms"));
    return h("details", { class: "sheet", "data-key": "terms", open: true }, h("summary", {}, say("competitions.terms")),
      h("dl", { class: "fields" }, Object.entries(stated ?? {}).map(([name, value]) => h("div", {}, h("dt", {}, nameField(name)), h("dd", {}, tellValue(name, value))))),
      h("p", { class: "small" }, say("competitions.digest"), " ", h("code", {}, terms.digest)));
  }

  drawPrizes(followed) {
    const { prizes } = followed.shown;
    if (!prizes?.length) return null;
    const line = ({ number, name, status, player, entry }) => h("tr", {}, h("td", { class: "figure" }, number), h("th", { scope: "row" }, name), h("td", {}, nameWord(status)),
      h("td", {}, player || (entry ? say("competitions.entry_number", { number: entry }) : "–")),
      h("td", {}, followed.role === "player" && player ? h("button", { type: "button", "data-key": `claim-${number}`, on: { click: () => giveCommand(followed, "claim", { prize: number }) } }, say("competitions.claim")) : null));
    return h("section", { class: "sheet" }, h("h2", {}, say("competitions.prizes")), h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": say("competitions.prizes") },
      h("table", {}, h("thead", {}, h("tr", {}, ["number", "prize", "status", "winner", "claim"].map((key) => h("th", { scope: "col" }, say(`competitions.column_${key}`))))), h("tbody", {}, prizes.map(line)))));
  }

  drawProof({ commitment, seed, salt }) {
    if (!commitment) return null;
    return h("section", { class: "sheet" }, h("h2", {}, say("competitions.draw")),
      seed ? offerProof({ commitment, seed, salt }, "proof") : h("p", { class: "small" }, say("competitions.committed"), " ", h("code", {}, commitment)));
  }

  drawClaims({ shown: { claims } }) {
    if (!claims?.length) return null;
    return h("section", { class: "sheet" }, h("h2", {}, say("competitions.claims")), h("ul", { class: "plain-list" }, claims.map(({ number, prize, player, status }) =>
      h("li", {}, say("competitions.claim_line", { number, prize, player, status: nameWord(status) })))));
  }

  drawStaff({ notices, disputes }) {
    if (!notices?.length && !disputes?.length) return null;
    return h("section", { class: "sheet" }, h("h2", {}, say("competitions.to_settle")), h("ul", { class: "plain-list" },
      (notices ?? []).map(({ number, body, text }) => h("li", {}, say("competitions.notice_line", { number, body: nameWord(body), text }))),
      (disputes ?? []).map(({ number, player, matter, upheld }) => h("li", {}, say("competitions.dispute_line", { number, player, matter, state: upheld === null ? nameWord("open") : nameWord(upheld ? "upheld" : "dismissed") })))));
  }
}
define("pb-promotion-view", PromotionView);
