// A round that is over: the table with a time line that one can scrub, the log beside it, its money and record below.

import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { showMoney } from "../shared/money.js";
import { applyPatch } from "../shared/socket.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { clauses, figures, timeText } from "../desks/common.js";
import "../felt/felt.js";

class RoundView extends HTMLElement {
  async open(table, number, book, seesMoney) {
    const path = `/api/tables/${encodeURIComponent(table)}/rounds/${number}`;
    const [round, steps, money] = await Promise.all([getJson(path), getJson(`${path}/timeline`), seesMoney ? getJson(`${path}/money`) : []]);
    this.documents = [steps.start];
    for (const step of steps.steps) this.documents.push(applyPatch(this.documents.at(-1), step.changes));
    this.steps = steps.steps;
    this.book = book ?? steps.start.game.split("/")[0];
    this.at = 0;
    this.felt = h("pb-felt");
    this.range = h("input", { type: "range", min: 0, max: this.steps.length, value: 0, "aria-label": say("audit.step"), on: { input: () => this.go(Number(this.range.value)) } });
    this.where = h("output", { class: "figure" });
    this.lines = h("ol", { class: "log", tabindex: 0, "aria-label": say("audit.log") });
    this.log = this.listLines();
    put(this.lines, this.log.map(({ item }) => item));
    const move = (by) => () => this.go(this.at + by);
    put(this, h("div", { class: "round-view" },
      h("div", { class: "row" }, h("h2", {}, say("audit.round", { number, table })), round.revision ? h("span", { class: "quiet" }, say("audit.revision", { count: round.revision })) : null,
        h("a", { href: `/audit/round/${encodeURIComponent(table)}/${number}` }, say("audit.link"))),
      h("div", { class: "scrub" }, h("button", { type: "button", "aria-label": say("audit.back"), on: { click: move(-1) } }, "◀"), this.range,
        h("button", { type: "button", "aria-label": say("audit.forward"), on: { click: move(1) } }, "▶"), this.where),
      h("div", { class: "columns two" }, this.felt, this.lines),
      money.length ? h("section", {}, h("h3", {}, say("audit.money")), figures([say("desks.from"), say("desks.to"), say("desks.amount"), say("audit.clauses")],
        money.map((moved) => [moved.debit, moved.credit, showMoney(moved.amount), clauses(moved.clauses, this.book)]), { caption: say("audit.money"), numeric: [2] })) : null,
      h("details", {}, h("summary", {}, say("audit.record")), h("pre", { class: "record", tabindex: 0 }, round.record))));
    this.unbind?.();
    this.unbind = bindKeys({ ArrowLeft: move(-1), ArrowRight: move(1), Home: () => this.go(0), End: () => this.go(this.steps.length) });
    this.go(this.steps.length);
  }

  disconnectedCallback() {
    this.unbind?.();
  }

  listLines() {
    return this.steps.flatMap((step, at) => step.lines.map((line) => ({
      at: at + 1,
      item: h("li", {}, h("button", { type: "button", on: { click: () => this.go(at + 1) } }, `${line.text} `, clauses(line.clauses))),
    })));
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.steps.length, at));
    this.felt.show(this.documents[this.at]);
    this.range.value = String(this.at);
    const step = this.steps[this.at - 1];
    this.where.textContent = step ? `${this.at}/${this.steps.length} ${timeText(step.at_ms)}` : `0/${this.steps.length}`;
    const shown = this.log.filter(({ at: own }) => own <= this.at).at(-1);
    for (const { item } of this.log) item.firstChild.removeAttribute("aria-current");
    if (shown) {
      const button = shown.item.firstChild;
      button.setAttribute("aria-current", "step");
      const box = this.lines;
      const top = shown.item.offsetTop - box.offsetTop;
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 48) box.scrollTop = top - box.clientHeight / 2;
    }
  }
}
define("pb-round-view", RoundView);

export const openRound = (view, ...rest) => view.open(...rest).catch(toast);
