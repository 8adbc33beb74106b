// What has happened, in sentences with their clauses, the newest first.

import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { showMoment } from "./words.js";

const LAST = 60;

class ToldHistory extends HTMLElement {
  /** Show what the role may read of a stream, as far as it has come. */
  async read(followed) {
    this.wanted = followed.seq;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.shown !== this.wanted) {
        const until = this.wanted;
        const after = Math.max(0, until - LAST);
        const rows = await getJson(`/api/streams/${encodeURIComponent(followed.kind)}/${encodeURIComponent(followed.name)}/history?role=${encodeURIComponent(followed.role)}&after=${after}`);
        this.shown = until;
        this.draw(rows);
      }
    } catch {
      put(this);
    } finally {
      this.busy = false;
    }
  }

  draw(rows) {
    if (rows.length === 0) return put(this);
    const items = [...rows].reverse().map(({ at_ms, said }) => h("li", {}, h("time", { class: "small quiet" }, showMoment(at_ms)),
      said.map(({ sentence, clauses }) => h("p", {}, sentence, clauses.length ? h("span", { class: "clause" }, ` ${clauses.join(", ")}`) : null))));
    return put(this, h("section", { class: "sheet" }, h("h2", {}, say("competitions.history")), h("div", { class: "told", tabindex: "0", role: "region", "aria-label": say("competitions.history") }, h("ol", { class: "plain-list" }, items))));
  }
}
define("pb-told-history", ToldHistory);
