// The lab: a game with its rules as somebody sets them, and six ways to look at it.

import "../shared/shell.js";
import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { addTexts, say } from "../shared/text.js";
import texts from "../texts/lab.js";
import "./board.js";
import "./games.js";
import "./rules.js";
import "./run.js";
import "./sides.js";
import { isAboutTable, LabState } from "./state.js";
import "./values.js";
import { drawFigures } from "./worth.js";
import { LastQuestion, askWorth } from "./asking.js";

addTexts("lab", texts);

const VIEWS = { board: "pb-lab-board", chart: "pb-lab-worth", rules: "pb-lab-values", sides: "pb-lab-sides", run: "pb-lab-run", games: "pb-lab-games" };

class LabPage extends HTMLElement {
  question = new LastQuestion();
  edge = new LastQuestion();

  async connectedCallback() {
    this.state = new LabState();
    this.views = {};
    this.game = h("select", { id: "lab-game", on: { change: () => this.state.set({ game: this.game.value, options: {}, readings: {}, changes: {}, boxes: [], up: "", actions: [], meters: {} }) } });
    this.tabs = h("nav", { class: "lab-tabs", "aria-label": say("lab.views") });
    this.rules = document.createElement("pb-lab-rules");
    this.headline = h("div", { class: "lab-headline", role: "status" });
    this.view = h("div", { class: "lab-view" });
    this.aside = h("aside", { class: "sheet lab-rules", "aria-label": say("lab.rules") }, h("details", { open: matchMedia("(min-width: 64rem)").matches }, h("summary", {}, say("lab.rules_open")), this.rules));
    put(this, h("h1", {}, say("lab.title")), h("div", { class: "row lab-head" }, h("label", { for: "lab-game" }, say("lab.game")), this.game, this.headline), this.tabs,
      h("div", { class: "lab-grid" }, this.view, this.aside));
    this.state.addEventListener("change", ({ detail }) => this.follow(detail));
    this.drawTabs();
    put(this.view, h("p", { class: "quiet" }, say("lab.working")));
    await Promise.all([this.listGames(), this.learnTable()]);
    this.showView();
    this.showEdge();
  }

  async listGames() {
    try {
      const books = await getJson("/api/library/books");
      put(this.game, books.map((book) => h("optgroup", { label: book.name }, book.games.map(({ id, name }) => h("option", { value: id, selected: id === this.state.now.game }, `${name} (${id})`)))));
    } catch (error) {
      this.complain(error);
    }
  }

  async learnTable() {
    try {
      const answer = await this.question.ask("/api/lab/switches", { choice: this.state.choice });
      if (!answer) return;
      this.table = answer;
      this.rules.book = answer.book;
      this.rules.show(this.state, answer);
    } catch (error) {
      this.complain(error);
    }
  }

  complain(error) {
    this.headline.removeAttribute("aria-busy");
    const { options, readings, changes } = this.state.now;
    const switched = Object.keys({ ...options, ...readings, ...changes }).length > 0;
    put(this.headline, h("p", { class: "wrong" }, error.message), switched ? h("button", { type: "button", "data-act": "by-the-book", on: { click: () => this.state.set({ options: {}, readings: {}, changes: {} }) } }, say("lab.reset_rules")) : null);
    if (!this.table) put(this.view);
  }

  async follow(changed) {
    this.drawTabs();
    if (isAboutTable(changed)) {
      if (this.game.value !== this.state.now.game) this.game.value = this.state.now.game;
      await this.learnTable();
    }
    if (isAboutTable(changed) || changed.includes("seen")) this.showEdge();
    this.showView();
  }

  drawTabs() {
    const held = this.tabs.contains(document.activeElement);
    put(this.tabs, Object.keys(VIEWS).map((view) => h("a", {
      href: this.state.link({ view }), "aria-current": view === this.state.now.view ? "page" : undefined,
      on: { click: (event) => { if (!event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); this.state.set({ view }); } } },
    }, say(`lab.view_${view}`))));
    if (held) this.tabs.querySelector("[aria-current]").focus();
  }

  showView() {
    if (!this.table) return;
    const { view } = this.state.now;
    this.views[view] ??= document.createElement(VIEWS[view]);
    if (this.view.firstElementChild !== this.views[view]) put(this.view, this.views[view]);
    this.aside.hidden = view === "games";
    this.views[view].show(this.state, this.table);
  }

  /** The edge of the game, in the head of every view. */
  async showEdge() {
    this.headline.setAttribute("aria-busy", "true");
    try {
      await askWorth(this.edge, this.state, ({ figures, whole }) => {
        this.headline.removeAttribute("aria-busy");
        if (figures.length || whole) put(this.headline, drawFigures(figures.filter(({ id }) => ["edge", "deviation", "shoe"].includes(id))));
        else put(this.headline, h("p", { class: "quiet" }, say("lab.edge_comes")));
      });
    } catch (error) {
      this.complain(error);
    }
  }
}
define("pb-lab-page", LabPage);
