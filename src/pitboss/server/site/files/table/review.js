// The review of a round at a practice table, and of a whole session: what decisions cost, and what was luck.

import "../shared/card.js";
import { postJson } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";
import { addMoney, moneyClass, showMoney, subtractMoney } from "../shared/money.js";
import { hasText, say } from "../shared/text.js";

/** An action in words. */
export const nameAction = (kind) => (hasText(`table.act_${kind}`) ? say(`table.act_${kind}`) : kind);

const keyOf = (table) => `pitboss.review.${table}`;
const readKept = (table) => JSON.parse(sessionStorage.getItem(keyOf(table)) ?? "{}");

/** What a round was worth to its player; kept for the sum of the session. */
export async function fetchReview(table, number) {
  const review = await postJson(`/api/tables/${encodeURIComponent(table)}/rounds/${number}/review`);
  const { net, sides, cost, expected } = review;
  sessionStorage.setItem(keyOf(table), JSON.stringify({ ...readKept(table), [number]: { net, sides, cost, expected } }));
  return review;
}

export function showReview(review) {
  const rows = review.choices.map((choice) => h("section", { class: `decision ${choice.mistake ? "mistake" : ""}` },
    h("h3", {}, h("span", { class: "hand-of-cards" }, choice.cards.map((face) => h("pb-card", { face }))),
      say("table.against"), choice.dealer ? h("pb-card", { face: choice.dealer }) : null,
      choice.mistake ? say("table.you_cost", { taken: nameAction(choice.taken), cost: choice.cost, best: nameAction(choice.best) }) : say("table.you_best", { taken: nameAction(choice.taken) })),
    h("table", {}, choice.values.map(({ name, money, units }) => h("tr", { class: name === choice.taken ? "taken" : "" },
      h("td", {}, nameAction(name)), h("td", { class: "figure" }, money.replace("-", "−")), h("td", { class: "figure quiet" }, units.toFixed(4).replace("-", "−")),
      h("td", {}, [name === choice.best ? say("table.best") : "", name === choice.taken ? say("table.yours") : ""].filter(Boolean).join(", ")))))));
  const head = h("p", {}, say("table.round_net", { number: review.number }), " ", h("b", { class: `figure ${moneyClass(review.net)}` }, moneyClass(review.net) ? showMoney(review.net, { signed: true }) : say("table.even")),
    ". ", review.choices.length ? say("table.given_away", { cost: review.cost }) : say("table.nothing_decided"));
  return openDialog({ title: say("table.review"), body: [head, rows], className: "review" });
}

/** The next round at the table begins another session. */
export function endSession(table) {
  sessionStorage.removeItem(keyOf(table));
}

/** The session so far: result, side wagers, what main wagers were to bring, what decisions cost, and the rest, which is luck. */
export function sumSession(table) {
  const rounds = Object.values(readKept(table));
  if (!rounds.length) return null;
  const known = rounds.every(({ expected }) => expected !== null);
  const add = (name) => addMoney(...rounds.map((round) => round[name].replace("+", "")));
  const [net, sides, cost] = [add("net"), add("sides"), add("cost")];
  const expected = known ? add("expected") : null;
  const luck = known ? addMoney(subtractMoney(subtractMoney(net, sides), expected), cost) : null;
  return { rounds: rounds.length, net, sides, cost, expected, luck };
}

export function drawSession(sum) {
  const line = (name, amount) => [h("dt", {}, name), h("dd", { class: moneyClass(amount) }, showMoney(Number(amount).toFixed(2).replace(/\.00$/, ""), { signed: true }))];
  return h("dl", { class: "pairs" }, h("dt", {}, say("table.rounds")), h("dd", {}, String(sum.rounds)), line(say("table.result"), sum.net), Number(sum.sides) ? line(say("table.of_sides"), sum.sides) : null,
    sum.expected === null ? null : line(say("table.expected"), sum.expected), line(say("table.skill"), sum.cost === "0" ? "0" : `-${sum.cost}`),
    sum.luck === null ? null : line(say("table.luck"), sum.luck));
}
