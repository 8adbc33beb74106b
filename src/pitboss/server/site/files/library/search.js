// What a search over the whole library has found.

import { getJson } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { clauseAddress, drawTrail, gameAddress, lessonAddress } from "./cite.js";

export async function showFound() {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const page = await getJson(`/api/library/search?${new URLSearchParams({ q: query })}`);
  return [drawTrail({ nav: say("library.trail"), text: say("library.title"), href: "/library" }, { text: say("library.search") }),
    h("h1", {}, say("library.found_for", { query: page.query })),
    page.found.length ? h("ol", { class: "clauses" }, page.found.map((item) => h("li", {}, h("div", { class: "where" }, h("span", { class: "status" }, say(`library.kind_${item.kind}`)), linkTo(item), item.book ? h("span", { class: "small quiet" }, item.book) : null), h("p", {}, item.text)))) : h("p", {}, say("library.nothing")),
    page.more ? h("p", { class: "quiet" }, say("library.more", { count: page.more })) : null];
}

function linkTo({ kind, title, book, key }) {
  const address = { clause: () => clauseAddress(book, key), game: () => gameAddress(key), lesson: () => lessonAddress(key), "side-wager": () => clauseAddress(book, key) }[kind]?.();
  return address ? h("a", { href: address }, title) : h("strong", {}, title);
}
