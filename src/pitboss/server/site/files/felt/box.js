// A box of the layout: its hands with cards, totals and stakes, its side wagers, and who is there.

import "../shared/card.js";
import "../shared/chips.js";
import { define, h } from "../shared/dom.js";
import { addMoney, moneyClass, showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";

/** More side wagers of one box are told together: what is lost, what still lies there, and each that has won. */
const MOST_APART = 4;

/** Keep the elements that are there and change only what is different: cards that lie stay where they lie. */
export function setCards(row, cards) {
  const there = [...row.children];
  cards.forEach((face, at) => {
    const card = there[at];
    if (card) {
      if (card.getAttribute("face") !== face) card.setAttribute("face", face);
    } else {
      row.append(h("pb-card", { face, class: "arrives", look: { "--at": String(at) } }));
    }
  });
  there.slice(cards.length).forEach((card) => card.remove());
  row.style.setProperty("--count", String(cards.length));
  row.style.setProperty("--step", cards.length > 3 ? "22" : "26");
}

class FeltBox extends HTMLElement {
  /** `model`: { number, hands, bets, sides, insurance, controller, me, active, own, results, chips, canBet, chosen, spots } */
  update(model) {
    this.model = model;
    if (!this.spot) this.build();
    const { number, me } = model;
    this.classList.toggle("active", Boolean(model.active));
    this.classList.toggle("own", Boolean(model.own));
    this.classList.toggle("chosen", Boolean(model.chosen && model.canBet));
    this.classList.toggle("empty", !model.hands.length && !model.bets.length);
    this.updateHands(model);
    const mine = model.bets.filter(({ player }) => player === me);
    const staked = mine.length ? addMoney(...mine.map(({ amount }) => amount)) : "";
    this.spot.disabled = !model.canBet;
    this.spot.setAttribute("aria-label", staked ? say("felt.spot_staked", { number, amount: showMoney(staked) }) : say("felt.spot", { number }));
    this.drawSides(model);
    this.names.replaceChildren(...(model.names.length > 1 ? [] : model.names).map((player) => h("span", { class: player === me ? "me" : "", title: player }, player)));
  }

  build() {
    this.hands = h("div", { class: "hands" });
    this.spot = h("button", { type: "button", class: "spot", "data-box": this.model.number, "data-wager": "main" });
    this.sides = h("div", { class: "sides" });
    this.names = h("div", { class: "names" });
    this.append(this.hands, this.spot, h("div", { class: "below" }, this.sides, this.names));
  }

  updateHands(model) {
    const shown = model.hands.length ? model.hands : [{ cards: [], stakes: groupBets(model.bets), total: null, waiting: true }];
    while (this.hands.children.length > shown.length) this.hands.lastChild.remove();
    shown.forEach((hand, at) => {
      let element = this.hands.children[at];
      if (!element) {
        element = h("div", { class: "hand" }, h("div", { class: "lying" }, h("div", { class: "cards" }), h("div", { class: "tags" })), h("div", { class: "stakes" }));
        this.hands.append(element);
      }
      const [lying, stakes] = element.children;
      const [cards, tags] = lying.children;
      element.classList.toggle("acts", model.active === at + 1);
      element.classList.toggle("done", ["bust", "out"].includes(hand.status));
      setCards(cards, hand.cards);
      tags.replaceChildren(...this.tag(hand, model.results.filter((result) => result.hand === at + 1 && result.wager === "main"), model.results.length));
      this.drawStakes(stakes, hand, model, at);
    });
  }

  tag(hand, results) {
    const found = [];
    if (hand.cards.length && hand.total !== null) {
      const text = hand.natural ?? (hand.soft ? say("felt.soft", { total: hand.total }) : String(hand.total));
      found.push(h("span", { class: "total" }, text));
    }
    for (const { net, stake, player } of results) {
      const name = results.length > 1 ? `${player} ` : "";
      const text = moneyClass(net) ? showMoney(net, { signed: true }) : say(stake === "0" ? "felt.token_gone" : "felt.push");
      found.push(h("span", { class: `result ${moneyClass(net)}` }, name, text));
    }
    return found;
  }

  drawStakes(row, hand, model, at) {
    const shown = JSON.stringify([hand.stakes, model.results, model.chips, model.controller]);
    if (row.dataset.shown === shown) return;
    row.dataset.shown = shown;
    row.replaceChildren();
    const several = new Set(hand.stakes.map(({ player }) => player)).size > 1;
    for (const { player, money, tokens } of hand.stakes) {
      const result = model.results.find((item) => item.hand === at + 1 && item.player === player && item.wager === "main");
      const gone = result && (moneyClass(result.net) === "lost" || (result.stake === "0" && result.net === "0"));
      const stack = h("span", { class: `stack${gone ? " gone" : ""}` },
        money !== "0" ? h("pb-chips", { amount: money, denominations: model.chips.join(",") }) : null,
        tokens !== "0" && Number(tokens) ? h("pb-chips", { class: "chip-free", amount: tokens, token: say("felt.token") }) : null,
        result && moneyClass(result.net) === "won" ? h("pb-chips", { class: "payout", amount: result.net, denominations: model.chips.join(",") }) : null,
        several ? h("span", { class: player === model.me ? "whose me" : "whose" }, player === model.controller ? "▸ " : "", player) : null);
      row.append(stack);
    }
  }

  drawSides(model) {
    const shown = JSON.stringify([model.sides, model.results, model.chosen, model.canBet, model.insurance]);
    if (this.sides.dataset.shown === shown) return;
    this.sides.dataset.shown = shown;
    const wagers = this.listSides(model);
    const laid = wagers.filter(({ amount, net }) => amount || net);
    const groups = laid.length > MOST_APART ? groupSides(laid) : [...laid, ...(wagers.length > MOST_APART ? [] : wagers.filter(({ amount, net }) => !amount && !net))];
    this.sides.replaceChildren(...groups.map((group) => this.drawSide(group, model)));
  }

  /** Every side wager and insurance with what lies there and what has come of it; without stakes, those that may be placed. */
  listSides(model) {
    const found = [];
    for (const spot of model.spots) {
      const bets = model.sides.filter(({ wager }) => wager === spot.wager);
      const results = model.results.filter(({ wager }) => wager === spot.wager);
      if (!bets.length && !results.length && !(model.chosen && model.canBet)) continue;
      found.push({ spot, name: spot.name, short: spot.short, amount: sumMoney(bets.map((bet) => bet.amount)), net: sumMoney(results.map((result) => result.net)) });
    }
    const insured = sumMoney(model.insurance.map(([, amount]) => amount).filter(Number));
    const results = model.results.filter(({ wager }) => wager === "insurance");
    if (insured || results.length) found.push({ name: say("felt.insurance"), short: say("felt.insurance"), amount: insured, net: sumMoney(results.map((result) => result.net)), kind: "insured" });
    return found;
  }

  drawSide({ spot, name, short, amount, net, kind = "" }, model) {
    const text = net ? (moneyClass(net) ? showMoney(net, { signed: true }) : say("felt.push")) : amount ? showMoney(amount) : "";
    const label = say("felt.side_spot", { name, number: model.number, amount: text || say("felt.nothing") });
    const inside = [h("span", { class: "short" }, short), text ? h("span", { class: "figure" }, text) : null];
    const look = `side ${kind} ${net ? moneyClass(net) : ""}${amount ? " staked" : ""}`;
    if (!spot) return h("span", { class: look, title: name, role: "img", "aria-label": label }, inside);
    return h("button", {
      type: "button", class: look, disabled: !model.canBet, title: spot.name,
      "data-box": spot.per_area ? model.area : model.number, "data-wager": spot.wager, "aria-label": label,
    }, inside);
  }
}
define("pb-felt-box", FeltBox);


const sumMoney = (amounts) => (amounts.length ? addMoney(...amounts) : "");

/** Many side wagers of a box in few words. */
function groupSides(laid) {
  const won = laid.filter(({ net }) => net && moneyClass(net) !== "lost");
  const together = [laid.filter(({ net }) => net && moneyClass(net) === "lost"), laid.filter(({ net }) => !net)].filter((part) => part.length);
  return [...together.map((part) => (part.length === 1 ? part[0] : {
    name: part.map(({ name }) => name).join(", "), short: say("felt.side_count", { count: part.length }),
    amount: sumMoney(part.map(({ amount }) => amount).filter(Boolean)), net: sumMoney(part.map(({ net }) => net).filter(Boolean)),
  })), ...won];
}

/** Bets before the deal, one stack for each player. */
export function groupBets(bets) {
  const found = new Map();
  for (const { player, amount, tokens } of bets) {
    const before = found.get(player) ?? { player, money: "0", tokens: "0" };
    const token = tokens ?? "0";
    found.set(player, { player, money: addMoney(before.money, amount), tokens: addMoney(before.tokens, token) });
  }
  return [...found.values()];
}
