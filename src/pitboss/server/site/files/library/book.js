// A book: its clauses section by section, filtered by how they are met and by what they are about.

import { getJson } from "../shared/api.js";
import { h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { announce } from "../shared/toast.js";
import { citeClause, drawTrail, gameAddress } from "./cite.js";

export async function showBook([book]) {
  const page = await getJson(`/api/library/books/${encodeURIComponent(book)}`);
  const lines = page.sections.flatMap(({ clauses }) => clauses);
  const choose = (name, values, words) => h("select", { name, on: { change: () => draw() } }, h("option", { value: "" }, say("library.all")), values.map((value) => h("option", { value }, words(value))));
  const status = choose("status", [...new Set(lines.map((line) => line.status))], (value) => say(`library.status_${value}`));
  const kind = choose("kind", [...new Set(lines.map((line) => line.kind))].sort(), (value) => value.replaceAll("-", " "));
  const text = h("input", { type: "search", name: "text", size: 20, on: { input: () => draw() } });
  const list = h("div");
  const draw = () => {
    const wanted = text.value.trim().toLowerCase();
    const fits = (line) => (!status.value || line.status === status.value) && (!kind.value || line.kind === kind.value) && (!wanted || `${line.clause} ${line.summary}`.toLowerCase().includes(wanted));
    const shown = page.sections.map(({ section, clauses }) => ({ section, clauses: clauses.filter(fits) })).filter(({ clauses }) => clauses.length);
    put(list, shown.map(({ section, clauses }) => h("section", { id: `section-${section}` }, h("h2", {}, say("library.section", { section })),
      h("ul", { class: "clauses" }, clauses.map((line) => h("li", {}, h("div", { class: "where" }, citeClause(page.book.id, line.clause), h("span", { class: `status status-${line.status}` }, say(`library.status_${line.status}`))), h("p", {}, line.summary)))))));
    announce(say("library.found", { count: shown.reduce((sum, { clauses }) => sum + clauses.length, 0) }));
  };
  draw();
  return [drawTrail({ nav: say("library.trail"), text: say("library.title"), href: "/library" }, { text: page.book.name }),
    h("h1", {}, page.book.name), h("p", { class: "quiet" }, `${page.book.jurisdiction} · ${page.book.edition}`),
    h("p", {}, page.book.games.map((game, place) => [place ? ", " : "", h("a", { href: gameAddress(game.id) }, game.name)])),
    h("form", { class: "row", role: "search", on: { submit: (event) => event.preventDefault() } }, h("label", {}, say("library.find"), text), h("label", {}, say("library.status"), status), h("label", {}, say("library.kind"), kind)),
    h("nav", { class: "sections", "aria-label": say("library.sections") }, page.sections.map(({ section }) => h("a", { href: `#section-${section}` }, section))), list];
}
