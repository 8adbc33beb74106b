// <pb-log>: what has happened, line by line, each with the clause that decides it.

import { getJson } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { define, h, put } from "../shared/dom.js";
import { moneyClass } from "../shared/money.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";

const MOST = 400;
const NEAR = 40;

/** Show what a clause says, in our words, and where it stands. */
export async function showClause(book, clause) {
  try {
    const rows = await getJson(`/api/clauses/${encodeURIComponent(book)}?clause=${encodeURIComponent(clause)}`);
    const body = rows.map((row) => h("section", {}, h("h3", {}, `${row.book} ${row.clause}`), h("p", {}, row.summary),
      row.note ? h("p", { class: "quiet" }, row.note) : null));
    const link = h("a", { href: `/library/clause/${encodeURIComponent(book)}/${encodeURIComponent(clause)}` }, say("table.in_library"));
    await openDialog({ title: say("table.clause", { clause }), body: [body, document.querySelector("pb-shell nav a[href^='/library']") ? h("p", {}, link) : null] });
  } catch (error) {
    toast(error);
  }
}

/** A line of the log: what happened, and the clause that decides it, which opens. */
export function drawLine(line, me, book) {
  const tone = line.net && line.player === me ? moneyClass(line.net) : "";
  const [first, ...more] = line.clauses ?? [];
  return h("li", { class: tone, "data-kind": line.kind ?? "" }, line.text, first
    ? h("button", { type: "button", class: "plain clause", title: [first, ...more].join(", "), on: { click: () => showClause(book, first) } }, first)
    : null);
}

class Log extends HTMLElement {
  connectedCallback() {
    this.list = h("ol", { "aria-live": "polite", "aria-relevant": "additions", tabindex: "0", "aria-label": say("table.log") });
    put(this, this.list);
    this.follows = true;
    this.list.addEventListener("scroll", () => (this.follows = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR));
    new ResizeObserver(() => this.follow()).observe(this.list);
  }

  start(book) {
    this.book = book;
    put(this.list);
  }

  /** The last line is in sight, unless somebody reads what was before. */
  follow() {
    if (this.follows) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Lines of the server: { text, clauses, net, player, kind }. */
  add(lines, me) {
    this.list.append(...lines.map((line) => this.draw(line, me)));
    while (this.list.childElementCount > MOST) this.list.firstElementChild.remove();
    this.follow();
  }

  /** Lines from before those that are there. */
  recall(lines, me) {
    this.list.prepend(...lines.map((line) => this.draw(line, me)));
    this.follow();
  }

  draw(line, me) {
    return drawLine(line, me, this.book);
  }
}
define("pb-log", Log);
