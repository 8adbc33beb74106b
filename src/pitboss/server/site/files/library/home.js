// The library's first page: books with their games, and the way to the lessons.

import { getJson } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { gameAddress } from "./cite.js";

export async function showHome() {
  const books = await getJson("/api/library/books");
  return [h("h1", {}, say("library.title")), h("p", {}, say("library.words")),
    h("p", {}, h("a", { class: "button main", href: "/library/lessons" }, say("library.to_lessons"))),
    h("div", { class: "shelf" }, books.map(drawBook))];
}

function drawBook({ id, name, edition, jurisdiction, clauses, statuses, games }) {
  return h("section", { class: "sheet" },
    h("h2", {}, h("a", { href: `/library/book/${id}` }, name)), h("p", { class: "small quiet" }, `${jurisdiction} · ${edition}`),
    h("p", {}, say("library.clauses", { count: clauses }), ": ", Object.entries(statuses).filter(([, many]) => many).map(([status, many], place) => [place ? ", " : "", `${many} ${say(`library.status_${status}`)}`]), "."),
    h("ul", { class: "games" }, games.map((game) => h("li", {},
      h("a", { href: gameAddress(game.id) }, game.name), game.edge ? h("span", { class: "figure" }, ` ${say("library.edge", { edge: game.edge })}`) : null, h("div", { class: "small quiet" }, game.summary)))));
}
