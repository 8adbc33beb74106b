// What the desks have in common: clauses, times, money with its colour, schemas, tabs, who somebody is.

import { getJson } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { moneyClass, showMoney } from "../shared/money.js";
import { addTexts, hasText, say } from "../shared/text.js";
import texts from "../texts/desks.js";

addTexts("desks", texts);

const language = document.documentElement.lang || "en";
const clock = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

export const timeText = (ms) => clock.format(new Date(ms));

/** Clause numbers, small and quiet; each leads to its page in the library where the book is known. */
export function clauses(list, book = "") {
  if (!list?.length) return null;
  const shown = list.slice(0, 4);
  const more = list.length > 4 ? `, +${list.length - 4}` : "";
  return h("span", { class: "clause", title: list.join(", ") }, book ? shown.map((clause, at) => [
    at ? ", " : "", h("a", { href: `/library/clause/${encodeURIComponent(book)}/${encodeURIComponent(clause)}` }, clause)]) : shown.join(", "), more);
}

export const gain = (amount) => h("span", { class: `figure ${moneyClass(amount)}` }, showMoney(amount, { signed: true }));

/** A code word as people read it: what the catalogue has, else the word without its hyphens. */
export function wordOf(kind, code) {
  const key = `desks.${kind}_${code.replace(/[^\w]/g, "_")}`;
  if (hasText(key)) return say(key);
  const words = code.replace(/[-_]/g, " ");
  return kind === "order" || kind === "field" ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}

let schemas = null;
/** The schemas of all commands, asked for once. */
export function readSchemas() {
  schemas ??= getJson("/api/schemas");
  return schemas;
}

/** A list of definitions as a table of figures. */
export function figures(heads, rows, { caption = "", numeric = [] } = {}) {
  const kind = (at) => (numeric.includes(at) ? "figure" : undefined);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption || heads.join(", ") },
    h("table", {}, caption ? h("caption", { class: "unseen" }, caption) : null,
      h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: kind(at) }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, at) => h("td", { class: kind(at) }, cell)))))));
}

/** Runs of words in time: seconds until a moment, as "4:05". */
export function untilText(ms, now = Date.now()) {
  const left = Math.max(0, Math.round((ms - now) / 1000));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
