// <pb-lab-worth>: what the game is worth with its rules as they are, and how to play it.

import { define, h, put } from "../shared/dom.js";
import { hasText, say } from "../shared/text.js";
import { LastQuestion, askWorth } from "./asking.js";
import { drawChart } from "./chart.js";

class LabWorth extends HTMLElement {
  question = new LastQuestion();

  async show(state) {
    this.setAttribute("aria-busy", "true");
    if (!this.childElementCount) put(this, h("p", { class: "quiet" }, say("lab.working")));
    try {
      await askWorth(this.question, state, (answer) => this.draw(answer));
    } catch (error) {
      put(this, h("p", { class: "wrong" }, error.message));
    }
    this.removeAttribute("aria-busy");
  }

  draw(answer) {
    this.removeAttribute("aria-busy");
    const opened = [...this.querySelectorAll("details")].map(({ open }) => open);
    put(this, h("h2", {}, answer.name, " ", h("span", { class: "small quiet" }, answer.cards)),
      answer.whole ? null : h("p", { class: "quiet" }, say(answer.figures.length ? "lab.more_comes" : "lab.edge_comes")),
      drawFigures(answer.figures),
      h("h3", {}, say("lab.chart")), drawChart(answer.chart, answer.legend, answer.notes),
      answer.by_up_card.length ? [h("h3", {}, say("lab.by_up_card")), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("lab.by_up_card") }, h("table", {},
        h("thead", {}, h("tr", {}, answer.by_up_card.map(({ id }) => h("th", { scope: "col", class: "figure" }, id)))),
        h("tbody", {}, h("tr", {}, answer.by_up_card.map(({ number }) => h("td", { class: "figure" }, number.text))))))] : null,
      h("details", { open: opened[0] }, h("summary", {}, say("lab.ends")),
        answer.whole ? h("table", {}, h("tbody", {}, answer.ends.map(({ id, number }) => h("tr", {}, h("th", { scope: "row" }, id), h("td", { class: "figure" }, number.text)))))
          : h("p", { class: "quiet" }, say("lab.working"))),
      h("details", { open: opened[1] }, h("summary", {}, say("lab.chart_text")), h("pre", { class: "scroll", tabindex: 0 }, answer.text)));
  }
}
define("pb-lab-worth", LabWorth);

/** Figures as a row of short sheets. */
export function drawFigures(figures) {
  return h("dl", { class: "lab-figures" }, figures.map(({ id, number, note }) =>
    h("div", { "data-figure": id }, h("dt", {}, hasText(`lab.figure_${id}`) ? say(`lab.figure_${id}`) : id), h("dd", { class: "big" }, number.text), h("dd", { class: "small quiet" }, note))));
}
