// <pb-layout>: a table as it lies, small enough for a wall of tables: dealer, boxes, cards, stakes. `show(document)`
// draws what the server says; with a second document, what differs from it is marked.

import "../shared/card.js";
import { define, h, put } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { hasText, say } from "../shared/text.js";
import "./common.js";

/** The name of a phase, as people at a table say it. */
export function phaseWords(document) {
  const closed = document.notice?.closed ? say("desks.closed") : null;
  return closed ?? (hasText(`desks.phase_${document.phase}`) ? say(`desks.phase_${document.phase}`) : document.phase);
}

const cards = (faces) => faces.map((face) => h("pb-card", { face }));

function handView(hand) {
  const total = hand.total === null ? "" : `${hand.soft ? say("desks.soft") : ""}${hand.total}`;
  const status = hand.status === "open" || !hasText(`desks.status_${hand.status}`) ? null : say(`desks.status_${hand.status}`);
  return h("div", { class: "hand" },
    h("div", { class: "cards" }, cards(hand.cards)),
    h("p", { class: "facts" }, h("strong", { class: "figure" }, total), status ? ` ${status}` : ""),
    hand.stakes.map((stake) => h("p", { class: "facts stake" }, h("span", {}, stake.player), " ",
      h("span", { class: "figure" }, showMoney(stake.money)), stake.doubled ? ` ${say("desks.doubled")}` : "")));
}

function boxView(number, content, marks) {
  return h("li", { class: `box ${marks}`, "aria-label": say("desks.box", { number }) }, h("p", { class: "number" }, number), content);
}

function listBoxes(document) {
  if (document.boxes.length) {
    return document.boxes.map((box) => [box.number, [
      box.hands.length ? box.hands.map(handView) : h("p", { class: "facts quiet" }, box.players.join(", ")),
      box.insurance.map(([player, amount]) => h("p", { class: "facts" }, say("desks.insured", { player, amount: showMoney(amount) }))),
      document.sides.filter((side) => side.box === box.number).map((side) =>
        h("p", { class: "facts quiet" }, `${side.player} ${side.wager} `, h("span", { class: "figure" }, showMoney(side.amount)))),
    ]]);
  }
  const numbers = [...new Set(document.bets.map((bet) => bet.box))].sort((one, other) => parseInt(one, 10) - parseInt(other, 10));
  return numbers.map((number) => [number, document.bets.filter((bet) => bet.box === number).map((bet) =>
    h("p", { class: "facts stake" }, h("span", {}, bet.player), " ", h("span", { class: "figure" }, showMoney(bet.amount)),
      bet.wager === "main" ? "" : h("span", { class: "quiet" }, ` ${bet.wager}`)))]);
}

// What the sign says, and what it announces.
function signLine({ notice }) {
  if (!notice) return null;
  const range = (limits) => `${showMoney(limits.minimum ?? "0")}–${limits.maximum ? showMoney(limits.maximum) : "…"}`;
  const parts = [];
  if (notice.limits?.minimum) parts.push(range(notice.limits));
  if (notice.coming_limits) parts.push(say("desks.to_come", { limits: range(notice.coming_limits) }));
  if (notice.closing_minute || notice.rounds_left !== null) parts.push(say("desks.closes"));
  if (!notice.sign_up) parts.push(say("desks.no_sign"));
  return parts.length ? h("p", { class: "facts sign-line quiet" }, parts.join(" · ")) : null;
}

class Layout extends HTMLElement {
  /** Draw a document; `other` is one that it is compared with. */
  show(document, other = null) {
    const dealer = document.dealer ?? [];
    const changed = (number) => {
      if (!other) return false;
      const find = (of) => JSON.stringify([of.boxes.find((box) => box.number === number), of.bets.filter((bet) => bet.box === number)]);
      return find(document) !== find(other);
    };
    const turn = document.turn?.[0];
    const boxes = listBoxes(document);
    const part = (document.part ?? []).length ? h("p", { class: "facts part" }, say("desks.part"), " ", cards(document.part)) : null;
    put(this, signLine(document), h("div", { class: "dealer-row" },
      h("div", { class: "cards dealer", role: "group", "aria-label": say("desks.dealer") }, cards(dealer)),
      h("p", { class: "facts" }, dealer.length ? h("strong", { class: "figure" }, document.dealer_total) : say("desks.no_cards"))),
    part,
    document.void ? h("p", { class: "void" }, say("desks.void")) : null,
    boxes.length
      ? h("ul", { class: "boxes" }, boxes.map(([number, content]) =>
        boxView(number, content, `${number === turn ? "turn" : ""} ${changed(number) ? "changed" : ""}`)))
      : h("p", { class: "quiet facts" }, say("desks.no_wagers")));
  }
}
define("pb-layout", Layout);
