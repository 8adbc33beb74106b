// The lobby: the pit as tables by rulebook and game, to sit down at, to watch or to practise.

import "../shared/shell.js";
import "./table-card.js";
import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { addTexts, say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import texts from "../texts/lobby.js";

addTexts("lobby", texts);
const AGAIN_MS = 4000;

class LobbyPage extends HTMLElement {
  connectedCallback() {
    this.tables = [];
    this.search = h("input", { type: "search", name: "search", autocomplete: "off", placeholder: say("lobby.search_hint"), on: { input: () => this.draw() } });
    this.kind = this.choose("kind", [["", "lobby.all_kinds"], ["machine", "lobby.kind_machine"], ["person", "lobby.kind_person"], ["practice", "lobby.kind_practice"]]);
    this.order = this.choose("order", [["book", "lobby.by_book"], ["edge", "lobby.by_edge"], ["cost", "lobby.by_cost"], ["minimum", "lobby.by_minimum"]]);
    this.count = h("p", { class: "quiet small", role: "status" });
    this.left = h("section", { class: "left", hidden: true });
    this.pit = h("div", { class: "pit" });
    put(this, h("h1", {}, say("lobby.title")), h("p", { class: "quiet" }, say("lobby.lead")),
      h("search", { class: "row filters" }, h("label", {}, say("lobby.search"), this.search), h("label", {}, say("lobby.kind"), this.kind), h("label", {}, say("lobby.order"), this.order)),
      this.count, this.left, this.pit);
    document.addEventListener("pb-account", () => this.load());
    this.load();
  }

  choose(name, options) {
    return h("select", { name, on: { change: () => this.draw() } }, options.map(([value, key]) => h("option", { value }, say(key))));
  }

  async load() {
    clearTimeout(this.waiting);
    try {
      this.tables = await getJson("/api/lobby");
      this.draw();
      if (this.isConnected && this.tables.some(({ working_out: working }) => working)) this.waiting = setTimeout(() => this.load(), AGAIN_MS);
    } catch (error) {
      toast(error);
    }
  }

  draw() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (table) => {
      const text = [table.name, table.game, table.title, table.rulebook, ...table.lines, ...table.side_wagers].join(" ").toLowerCase();
      return words.every((word) => text.includes(word)) && (!this.kind.value || table.kind === this.kind.value);
    };
    const found = this.tables.filter(fits);
    this.count.textContent = this.tables.length ? say("lobby.found", { count: found.length }) : say("lobby.loading");
    const left = found.filter(({ chips }) => chips !== null);
    this.left.hidden = !left.length;
    put(this.left, left.length ? [h("h2", {}, say("lobby.left")), this.drawTables(left)] : null);
    const rest = found.filter(({ chips }) => chips === null);
    if (this.order.value === "book") {
      const books = [...new Set(rest.map(({ rulebook }) => rulebook))];
      put(this.pit, books.map((book) => h("section", {}, h("h2", {}, book), this.drawTables(rest.filter(({ rulebook }) => rulebook === book)))));
    } else {
      const key = { edge: "edge", cost: "cost_per_hour", minimum: "minimum" }[this.order.value];
      const number = (table) => (table[key] === null ? Infinity : Number(table[key]));
      put(this.pit, this.drawTables([...rest].sort((one, other) => number(one) - number(other))));
    }
  }

  drawTables(tables) {
    return h("ul", { class: "tables" }, tables.map((table) => {
      const card = h("pb-table-card");
      card.show(table);
      return h("li", {}, card);
    }));
  }
}
define("pb-lobby-page", LobbyPage);
