// Links inside the library: clauses, games, lessons.

import { h } from "../shared/dom.js";

export const clauseAddress = (book, clause) => `/library/clause/${book}/${encodeURIComponent(clause)}`;
export const gameAddress = (game) => `/library/game/${game}`;
export const lessonAddress = (lesson) => `/library/lesson/${lesson}`;

/** A clause as a small link. */
export function citeClause(book, clause) {
  return h("a", { class: "clause", href: clauseAddress(book, clause) }, clause);
}

/** Clauses in a row. */
export function citeAll(book, clauses) {
  return clauses.map((clause) => [citeClause(book, clause), " "]);
}

/** Where one is, from the library down. */
export function drawTrail(...steps) {
  return h("nav", { class: "trail", "aria-label": steps[0].nav }, h("ol", {}, steps.map(({ text, href }) => h("li", {}, href ? h("a", { href }, text) : h("span", { "aria-current": "page" }, text)))));
}
