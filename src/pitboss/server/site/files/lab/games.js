// <pb-lab-games>: games compared, from the one that costs least.

import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { LongWork } from "./asking.js";
import { drawProgress } from "./values.js";

class LabGames extends HTMLElement {
  async show(state) {
    this.state = state;
    if (this.work) return;
    this.work = new LongWork((work) => this.drawWork(work));
    const books = await getJson("/api/library/books").catch((error) => void toast(error));
    this.result = h("div");
    const form = h("form", { class: "stack", on: { submit: (event) => { event.preventDefault(); this.begin(form); } } },
      (books ?? []).map((book) => h("fieldset", {}, h("legend", {}, book.name), h("div", { class: "row" }, book.games.map((game) =>
        h("label", {}, h("input", { type: "checkbox", name: "game", value: game.id, checked: true }), game.name, h("span", { class: "small quiet figure" }, game.edge)))))),
      h("div", { class: "row" }, h("button", { class: "main" }, say("lab.compare")), h("span", { class: "small quiet" }, say("lab.compare_words"))));
    put(this, h("h2", {}, say("lab.games_title")), form, this.result);
  }

  begin(form) {
    const named = [...form.querySelectorAll("[name=game]:checked")].map(({ value }) => value);
    const own = this.state.choice;
    const choices = named.map((game) => (game === own.game ? own : { game }));
    this.work.begin("/api/lab/works/games", { choices }).catch(toast);
  }

  drawWork(work) {
    const most = Math.max(...work.games.map(({ edge }) => Math.abs(edge.value)), 1e-9);
    put(this.result, drawProgress(work, () => this.work.stop()),
      work.games.length ? h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("lab.games_title") }, h("table", {},
        h("thead", {}, h("tr", {}, ["game", "edge", "by_chart", "deviation", "cards"].map((name) => h("th", { scope: "col", class: ["edge", "by_chart", "deviation"].includes(name) ? "figure" : "" }, say(`lab.col_${name}`))))),
        h("tbody", {}, work.games.map((row) => h("tr", {},
          h("th", { scope: "row" }, h("a", { href: `/lab?view=chart&game=${row.game}` }, row.name), h("div", { class: "small quiet" }, row.game)),
          h("td", { class: "figure" }, row.edge.text, h("div", { class: `measure ${row.edge.value < 0 ? "for-player" : "for-house"}`, look: { "--share": String(Math.abs(row.edge.value) / most) } })),
          h("td", { class: "figure" }, row.by_chart.text), h("td", { class: "figure" }, row.deviation.text), h("td", {}, row.cards)))))) : null);
  }
}
define("pb-lab-games", LabGames);
