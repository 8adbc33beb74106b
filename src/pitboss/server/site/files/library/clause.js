// A clause: our summary, what it becomes in software, which tests watch it, where it was last used at this floor.

import { getJson } from "../shared/api.js";
import { h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { clauseAddress, drawTrail, gameAddress, lessonAddress } from "./cite.js";

export async function showClause([book, ...rest]) {
  const clause = rest.join("/");
  const query = new URLSearchParams({ book, clause });
  const page = await getJson(`/api/library/clause?${query}`);
  const uses = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, say("library.looking")));
  fillUses(uses, query);
  const part = (title, ...children) => h("section", {}, h("h2", {}, title), children);
  const list = (items) => h("ul", { class: "plain-list" }, items.map((item) => h("li", {}, item)));
  return [drawTrail({ nav: say("library.trail"), text: say("library.title"), href: "/library" }, { text: page.book_name, href: `/library/book/${book}` }, { text: clause }),
    h("h1", {}, say("library.clause", { clause })),
    h("p", { class: "row" }, h("span", { class: `status status-${page.status}` }, say(`library.status_${page.status}`)), h("span", { class: "small quiet" }, `${page.status_words} · ${page.kind.replaceAll("-", " ")}`)),
    h("p", { class: "summary" }, page.summary), page.note ? h("p", { class: "quiet" }, page.note) : null,
    page.reason ? part(say("library.how"), h("p", {}, page.reason)) : null,
    page.code.length ? part(say("library.code"), list(page.code.map((place) => h("code", {}, place)))) : null,
    page.tests.length ? part(say("library.tests"), list(page.tests.map((test) => [h("code", {}, test), test === page.witness || page.witness.startsWith(`${test}[`) ? h("span", { class: "badge" }, say("library.witness")) : null]))) : null,
    page.values.length ? part(say("library.values"), h("div", { class: "scroll", tabindex: 0 }, h("table", {}, h("tbody", {}, page.values.map((value) => h("tr", {},
      h("th", { scope: "row" }, value.name.replaceAll("_", " "), h("div", { class: "small quiet" }, value.text)), h("td", {}, value.value),
      h("td", { class: "small" }, value.game ? value.game.split(", ").map((game) => [h("a", { href: gameAddress(game) }, game), " "]) : say("library.all_games")))))))) : null,
    page.lessons.length ? part(say("library.lessons"), list(page.lessons.map((lesson) => h("a", { href: lessonAddress(lesson.id) }, lesson.title)))) : null,
    part(say("library.uses"), uses),
    h("nav", { class: "row ends", "aria-label": say("library.neighbours") },
      page.before ? h("a", { class: "button", href: clauseAddress(book, page.before), rel: "prev" }, `← ${page.before}`) : h("span"),
      page.after ? h("a", { class: "button", href: clauseAddress(book, page.after), rel: "next" }, `${page.after} →`) : null)];
}

async function fillUses(place, query) {
  try {
    const { uses, searched, pending } = await getJson(`/api/library/uses?${query}`);
    put(place, uses.length ? h("ul", { class: "plain-list" }, uses.map(({ table, number }) => h("li", {}, h("a", { href: `/round/${encodeURIComponent(table)}/${number}` }, say("library.round", { table, number }))))) : h("p", {}, say("library.unused")),
      h("p", { class: "small quiet" }, say("library.searched", { count: searched }), pending ? ` ${say("library.pending", { count: pending })}` : ""));
  } catch (error) {
    put(place, h("p", { class: "wrong" }, error.message));
  }
}
