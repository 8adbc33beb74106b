// <pb-choices>: what may be answered now. Only what the server offers is there; what costs something says so, and Enter never takes it.

import { openDialog } from "../shared/dialog.js";
import { define, h, put } from "../shared/dom.js";
import { compareMoney, isAmount, showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";

class Choices extends HTMLElement {
  /** `choices` of the private document, what advice says of them, and whether going on is possible. */
  update({ choices, advice, several, canGoOn, goOn }) {
    const shown = JSON.stringify([choices, advice, several, canGoOn, goOn]);
    if (this.dataset.shown === shown) return;
    this.dataset.shown = shown;
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    put(this, choices.map((choice) => this.draw(choice, advice, several)), canGoOn ? this.drawGoOn(goOn) : null);
    this.querySelector(`[data-act="${focused}"]`)?.focus();
  }

  draw(choice, advice, several) {
    const kind = choice.command.type;
    const price = choice.price === null ? null : choice.up_to ? say("table.up_to", { amount: showMoney(choice.price) }) : showMoney(choice.price);
    const value = advice && advice.box === choice.box.replace(/^(\d+)$/, advice.box.endsWith("a") ? "$1a" : "$1") ? advice.money[kind] : undefined;
    const best = advice && value !== undefined && advice.best === kind;
    const place = several && choice.box ? say("table.box", { number: choice.box }) : null;
    const costs = choice.price !== null && !choice.free;
    const button = h("button", { type: "button", class: best ? "choice best" : "choice", "data-act": choice.key, "data-kind": kind, "data-costs": costs },
      h("span", { class: "line" }, choice.name, place ? h("small", {}, place) : null, h("kbd", {}, choice.key.toUpperCase())),
      h("small", { class: "figure" }, choice.free ? say("table.free") : price),
      value === undefined ? null : h("span", { class: "worth figure" }, value.replace("-", "−"), kind === "switch" ? ` ${say("table.both_boxes")}` : "", best ? h("b", {}, ` ${say("table.best")}`) : null));
    button.addEventListener("click", (event) => this.take(choice, event.shiftKey));
    if (!choice.up_to) return button;
    const less = h("button", { type: "button", class: "plain", "data-less": choice.key, on: { click: () => this.take(choice, true) } }, say("table.for_less", { name: choice.name }));
    return [button, less];
  }

  drawGoOn(text) {
    return h("button", { type: "button", class: "choice main", "data-act": "Space", on: { click: () => this.goOn() } },
      h("span", { class: "line" }, text, h("kbd", {}, say("table.space"))));
  }

  goOn() {
    this.dispatchEvent(new CustomEvent("go-on"));
  }

  /** Take a choice; an amount that may be smaller is asked for where somebody wants that. */
  async take(choice, ask = false) {
    let command = choice.command;
    if (choice.up_to && ask) {
      const amount = await this.askAmount(choice);
      if (amount === null) return;
      command = this.withAmount(command, amount);
    }
    this.dispatchEvent(new CustomEvent("choose", { detail: command }));
  }

  withAmount(command, amount) {
    if (command.type === "insure") return { ...command, amount };
    return { ...command, amounts: command.amounts.map(([player, full], at) => [player, at === 0 ? amount : full]) };
  }

  async askAmount(choice) {
    const field = h("input", { inputmode: "decimal", value: choice.price, autofocus: true, "aria-label": say("table.amount") });
    const body = h("p", { class: "row" }, field, say("table.up_to", { amount: showMoney(choice.price) }));
    const buttons = [{ value: "no", text: say("shared.cancel") }, { value: "yes", text: choice.name, main: true, costs: true }];
    const answer = await openDialog({ title: choice.name, body, buttons });
    const amount = field.value.trim();
    return answer === "yes" && isAmount(amount) && compareMoney(amount, choice.price) <= 0 ? amount : null;
  }

  /** The choice behind a key, if there is one. */
  press(key, event) {
    const button = this.querySelector(`[data-act="${key}"]`);
    if (!button) return false;
    button.click(event);
    return true;
  }
}
define("pb-choices", Choices);
