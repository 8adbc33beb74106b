// <pb-lab-sides>: side wagers with their edges, outcomes and meters; a meter is set and the wager priced again.

import { define, h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { LastQuestion } from "./asking.js";

class LabSides extends HTMLElement {
  question = new LastQuestion();

  async show(state) {
    this.state = state;
    this.setAttribute("aria-busy", "true");
    if (!this.childElementCount) put(this, h("p", { class: "quiet" }, say("lab.working")));
    try {
      const answer = await this.question.ask("/api/lab/side-wagers", { choice: state.choice, meters: state.now.meters });
      if (answer) this.draw(answer);
    } catch (error) {
      put(this, h("p", { class: "wrong" }, error.message));
    }
    this.removeAttribute("aria-busy");
  }

  draw({ wagers, refused }) {
    const focused = document.activeElement?.dataset?.meter;
    put(this, h("h2", {}, say("lab.sides_title")),
      h("div", { class: "lab-wagers" }, wagers.map((wager) => this.drawWager(wager))),
      Object.keys(refused).length ? h("details", {}, h("summary", {}, say("lab.not_offered", { count: Object.keys(refused).length })),
        h("ul", {}, Object.entries(refused).map(([name, why]) => h("li", {}, h("strong", {}, name), ": ", why)))) : null);
    if (focused) this.querySelector(`[data-meter="${CSS.escape(focused)}"]`)?.focus();
  }

  drawWager({ id, name, player, edge, exact, deviation, favours_player: fair, outcomes, meters, notes }) {
    return h("section", { class: "sheet", "data-wager": id },
      h("h3", {}, name), h("p", { class: "small quiet" }, player),
      h("dl", { class: "pairs" },
        h("dt", {}, say("lab.figure_edge")), h("dd", {}, edge.text, exact ? ` (${exact})` : "", fair ? h("strong", {}, ` ${say("lab.favours")}`) : null),
        h("dt", {}, say("lab.figure_deviation")), h("dd", {}, deviation.text)),
      meters.length ? h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("lab.meters", { name }) }, h("table", {}, h("thead", {}, h("tr", {}, ["meter", "stands", "adds", "fair"].map((head) => h("th", { scope: "col", class: head === "meter" || head === "stands" ? "" : "figure" }, say(`lab.col_${head}`))))),
        h("tbody", {}, meters.map((meter) => this.drawMeter(id, meter))))) : null,
      h("details", {}, h("summary", {}, say("lab.outcomes", { count: outcomes.length })),
        h("div", { class: "scroll", tabindex: 0 }, h("table", {}, h("thead", {}, h("tr", {}, ["outcome", "net", "chance", "often"].map((head) => h("th", { scope: "col", class: head === "outcome" ? "" : "figure" }, say(`lab.col_${head}`))))),
          h("tbody", {}, outcomes.map((one) => h("tr", {}, h("th", { scope: "row" }, one.outcome.replaceAll("-", " ")), h("td", { class: "figure" }, one.net), h("td", { class: "figure" }, one.chance.text), h("td", { class: "figure" }, one.often))))))),
      notes.map((note) => h("p", { class: "small quiet" }, note)));
  }

  drawMeter(wager, { meter, adds, break_even: fair }) {
    const key = `${wager}.${meter}`;
    const field = h("input", { "data-meter": key, inputmode: "decimal", size: 9, value: this.state.now.meters[key] ?? "", "aria-label": say("lab.meter_stands", { meter }),
      on: { change: () => this.set(key, field.value.trim()) } });
    return h("tr", {}, h("th", { scope: "row" }, meter), h("td", {}, field), h("td", { class: "figure" }, adds.text), h("td", { class: "figure" }, fair ? fair.text : say("lab.never")));
  }

  set(key, value) {
    const meters = { ...this.state.now.meters };
    if (value) meters[key] = value;
    else delete meters[key];
    this.state.set({ meters });
  }
}
define("pb-lab-sides", LabSides);
