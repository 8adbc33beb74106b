// <pb-lab-rules>: every rule of the game that can be switched, in three groups.

import { define, h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";

const KINDS = { option: "options", reading: "readings", change: "changes" };

class LabRules extends HTMLElement {
  open = new Set(["option"]);

  /** Draw the switches of a game. */
  show(state, answer) {
    this.state = state;
    const groups = ["option", "reading", "change"].map((kind) => {
      const all = answer.switches.filter((item) => item.kind === kind);
      const first = all.filter((item) => item.decides_play);
      const rest = all.filter((item) => !item.decides_play);
      if (!all.length) return null;
      const set = Object.keys(state.now[KINDS[kind]]).length;
      const box = h("details", { open: this.open.has(kind), on: { toggle: (event) => this.note(kind, event.target.open) } },
        h("summary", {}, h("span", {}, say(`lab.kind_${kind}`)), set ? h("span", { class: "badge" }, say("lab.set", { count: set })) : null),
        h("p", { class: "small quiet" }, say(`lab.kind_${kind}_words`)),
        first.map((item) => this.draw(item)));
      if (rest.length) {
        const more = `${kind}-more`;
        box.append(h("details", { class: "rest", open: this.open.has(more), on: { toggle: (event) => { event.stopPropagation(); this.note(more, event.target.open); } } },
          h("summary", {}, say("lab.rest", { count: rest.length })), rest.map((item) => this.draw(item))));
      }
      return box;
    });
    const { options, readings, changes } = state.now;
    const touched = [options, readings, changes].some((part) => Object.keys(part).length);
    const reset = h("button", { type: "button", disabled: !touched, on: { click: () => state.set({ options: {}, readings: {}, changes: {} }) } }, say("lab.reset_rules"));
    put(this, h("h2", {}, say("lab.rules")), reset, groups);
  }

  note(kind, open) {
    this.open[open ? "add" : "delete"](kind);
  }

  draw({ kind, name, text, value, book_value: usual, choices, clauses }) {
    const part = KINDS[kind];
    const select = h("select", { "data-rule": name, on: { change: () => this.choose(part, name, select.value, usual) } },
      choices.map((item) => h("option", { value: item.value, selected: item.value === value, disabled: Boolean(item.refused) && item.value !== value },
        item.value === usual || (kind === "change" && item.value === "") ? say("lab.by_the_book", { value: item.words }) : item.words)));
    const changed = kind === "change" ? Boolean(value) : value !== usual;
    return h("div", { class: `switch${changed ? " changed" : ""}` },
      h("label", {}, h("span", {}, name.replaceAll("_", " ")), select),
      h("p", { class: "small quiet" }, text, " ", clauses.slice(0, 3).map((clause) => [h("a", { class: "clause", href: this.cite(clause) }, clause), " "])));
  }

  cite(clause) {
    return `/library/clause/${this.book}/${encodeURIComponent(clause)}`;
  }

  choose(part, name, value, usual) {
    const now = { ...this.state.now[part] };
    if (value === usual) delete now[name];
    else now[name] = value;
    this.state.set({ [part]: now });
    queueMicrotask(() => this.querySelector(`[data-rule="${CSS.escape(name)}"]`)?.focus());
  }
}
define("pb-lab-rules", LabRules);
