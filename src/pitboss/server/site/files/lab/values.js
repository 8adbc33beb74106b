// <pb-lab-values>: what every rule of the game is worth, one after another, the best for the player first.

import { define, h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { LongWork } from "./asking.js";

class LabValues extends HTMLElement {
  show(state) {
    this.state = state;
    const key = JSON.stringify(state.choice);
    if (key === this.key) return;
    this.key = key;
    this.work?.stop();
    this.work = new LongWork((work) => this.drawWork(work));
    this.beyond = h("input", { type: "checkbox" });
    this.result = h("div");
    put(this, h("h2", {}, say("lab.values_title")), h("p", {}, say("lab.values_words")),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", on: { click: () => this.begin() } }, say("lab.begin")),
        h("label", {}, this.beyond, say("lab.beyond"))), this.result);
  }

  begin() {
    this.work.begin("/api/lab/works/rules", { choice: this.state.choice, beyond: this.beyond.checked }).catch(toast);
  }

  drawWork(work) {
    const most = Math.max(...work.rules.map(({ difference }) => Math.abs(difference.value)), 1e-9);
    put(this.result, drawProgress(work, () => this.work.stop()),
      work.base ? h("p", {}, say("lab.base", { edge: work.base.text })) : null,
      work.rules.length ? h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("lab.values_title") }, h("table", { class: "lab-values-table" },
        h("thead", {}, h("tr", {}, ["rule", "change", "difference", "edge"].map((name) => h("th", { scope: "col", class: name === "difference" || name === "edge" ? "figure" : "" }, say(`lab.col_${name}`))), h("th", { scope: "col" }, h("span", { class: "unseen" }, say("lab.try"))))),
        h("tbody", {}, work.rules.map((row) => this.drawRow(row, most))))) : null,
      work.state === "done" && !work.rules.length ? h("p", {}, say("lab.no_rules")) : null);
  }

  drawRow({ kind, rule, before, after, edge, difference, text }, most) {
    const part = { option: "options", reading: "readings", change: "changes" }[kind];
    return h("tr", {}, h("th", { scope: "row" }, rule.replaceAll("_", " "), h("div", { class: "small quiet" }, text)),
      h("td", {}, `${before} → ${after}`),
      h("td", { class: "figure" }, difference.text, h("div", { class: `measure ${difference.value < 0 ? "for-player" : "for-house"}`, look: { "--share": String(Math.abs(difference.value) / most) } })),
      h("td", { class: "figure" }, edge.text),
      h("td", {}, kind === "change" ? null : h("a", { href: this.state.link({ view: "chart", [part]: { ...this.state.now[part], [rule]: after } }) }, say("lab.try"))));
  }
}
define("pb-lab-values", LabValues);

/** How far a long work has come, with a button that stops it. */
export function drawProgress(work, stop) {
  const { state, done, of, reason } = work;
  if (state === "failed") return h("p", { class: "wrong", role: "status" }, reason);
  const count = { done: done.toLocaleString("en"), of: of.toLocaleString("en") };
  return h("div", { class: "row lab-progress", role: "status" },
    h("progress", { max: of || 1, value: done, "aria-label": say("lab.progress") }), h("span", { class: "figure" }, say(`lab.state_${state}`, count)),
    state === "running" ? h("button", { type: "button", on: { click: stop } }, say("lab.stop")) : null);
}
