// The library: books, clauses, games and lessons, each under an address of its own, with one search over all.

import "../shared/shell.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { addTexts, say } from "../shared/text.js";
import labTexts from "../texts/lab.js";
import texts from "../texts/library.js";
import { showBook } from "./book.js";
import { showClause } from "./clause.js";
import { showGame } from "./game.js";
import { showHome } from "./home.js";
import { showLesson } from "./lesson.js";
import { showLessons } from "./lessons.js";
import { showFound } from "./search.js";

addTexts("library", texts);
addTexts("lab", labTexts);

const PLACES = { book: showBook, clause: showClause, game: showGame, lessons: showLessons, lesson: showLesson, search: showFound };

class LibraryPage extends HTMLElement {
  async connectedCallback() {
    const field = h("input", { type: "search", name: "q", maxlength: 100, value: new URLSearchParams(location.search).get("q") ?? "", "aria-label": say("library.search_all") });
    const form = h("form", { class: "row library-search", action: "/library/search", role: "search" }, field, h("button", {}, say("library.search")));
    const place = h("div", { class: "library-place" }, h("p", { class: "quiet" }, say("library.loading")));
    put(this, form, place);
    const [, kind, ...rest] = pathParts();
    try {
      put(place, await (PLACES[kind] ?? showHome)(rest));
      const title = place.querySelector("h1")?.textContent;
      if (title) document.title = `${title} · pitboss`;
      if (location.hash) place.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`)?.scrollIntoView();
    } catch (error) {
      put(place, h("h1", {}, say("library.not_here")), h("p", { class: "wrong" }, error.message), h("p", {}, h("a", { href: "/library" }, say("library.title"))));
    }
  }
}
define("pb-library-page", LibraryPage);
