// A game: what its felt says, its rules with their clauses, choices, readings, chart, side wagers, lessons.

import { getJson } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { drawChart } from "../lab/chart.js";
import { citeAll, drawTrail, lessonAddress } from "./cite.js";

export async function showGame(rest) {
  const name = rest.join("/");
  const page = await getJson(`/api/library/game?${new URLSearchParams({ game: name })}`);
  const part = (id, title, ...children) => h("section", { id }, h("h2", {}, title), children);
  const blocks = page.chart.map(({ title, columns, rows }) => ({ title, columns, rows: rows.map(([hand, ...codes]) => ({ hand, cells: codes.map((code) => ({ code, was: "" })) })) }));
  return [drawTrail({ nav: say("library.trail"), text: say("library.title"), href: "/library" }, { text: page.book_name, href: `/library/book/${page.book}` }, { text: page.name }),
    h("h1", {}, page.name), h("p", {}, page.summary, " ", citeAll(page.book, page.clauses)),
    h("div", { class: "felt-words" }, page.felt.map((line) => h("p", {}, line))),
    h("p", { class: "row" }, page.edge ? h("strong", { class: "figure" }, say("library.house_edge", { edge: page.edge })) : null,
      h("a", { class: "button main", href: `/lab?view=chart&game=${page.id}` }, say("library.to_lab")), h("a", { class: "button", href: `/lab?game=${page.id}` }, say("library.to_board")), h("a", { class: "button", href: `/lab?view=sides&game=${page.id}` }, say("library.to_sides"))),
    part("glance", say("library.glance"), h("dl", { class: "pairs" }, Object.entries(page.glance).map(([head, text]) => [h("dt", {}, head), h("dd", {}, text)]))),
    page.chart.length ? part("chart", say("library.chart"), drawChart(blocks, Object.entries(page.legend).map(([code, words]) => ({ code, words })))) : null,
    part("options", say("library.options"), h("details", {}, h("summary", {}, say("library.choices", { count: page.options.length })), drawChoices(page.book, page.options))),
    part("readings", say("library.readings"), h("details", {}, h("summary", {}, say("library.readings_count", { count: page.readings.length })), drawChoices(page.book, page.readings))),
    page.bonuses.length ? part("bonuses", say("library.bonuses"), h("table", {}, h("tbody", {}, page.bonuses.map((bonus) => h("tr", {}, h("th", { scope: "row" }, bonus.name.replaceAll("-", " ")), h("td", { class: "figure" }, bonus.value), h("td", {}, citeAll(page.book, bonus.clauses))))))) : null,
    part("side-wagers", say("library.side_wagers"), h("ul", { class: "clauses" }, page.side_wagers.map((wager) => h("li", {}, h("div", { class: "where" }, h("strong", {}, wager.name), citeAll(page.book, wager.clauses.slice(0, 3))), wager.pays.length ? h("p", { class: "small" }, wager.pays.join(" · ")) : null, wager.refused ? h("p", { class: "small quiet" }, wager.refused) : null)))),
    part("rules", say("library.rules"), page.groups.map(({ title, rules }) => h("details", {}, h("summary", {}, title, h("span", { class: "small quiet" }, ` ${rules.length}`)),
      h("div", { class: "scroll", tabindex: 0 }, h("table", {}, h("tbody", {}, rules.map((rule) => h("tr", {}, h("th", { scope: "row" }, rule.name.replaceAll("_", " "), h("div", { class: "small quiet" }, rule.text)), h("td", {}, rule.value), h("td", {}, citeAll(page.book, rule.clauses)))))))))),
    page.lessons.length ? part("lessons", say("library.lessons"), h("ul", { class: "plain-list" }, page.lessons.map((lesson) => h("li", {}, h("a", { href: lessonAddress(lesson.id) }, lesson.title))))) : null];
}

function drawChoices(book, rules) {
  return h("ul", { class: "clauses" }, rules.map((rule) => h("li", {}, h("div", { class: "where" }, h("strong", {}, rule.name.replaceAll("_", " ")), citeAll(book, rule.clauses.slice(0, 4))), h("p", {}, rule.text),
    h("p", { class: "small" }, rule.choices.length ? rule.choices.map((choice, place) => [place ? " · " : "", choice === rule.value ? h("strong", {}, say("library.default", { choice })) : choice]) : rule.value || say("library.unset")))));
}
