// The lessons, topic by topic, filtered by game and by words.

import { getJson } from "../shared/api.js";
import { h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { drawTrail, lessonAddress } from "./cite.js";

export async function showLessons() {
  const { topics, lessons } = await getJson("/api/library/lessons");
  const games = [...new Map(lessons.map(({ game, game_name: name }) => [game, `${name} (${game})`]))].sort();
  const game = h("select", { on: { change: () => draw() } }, h("option", { value: "" }, say("library.all_games")), games.map(([id, name]) => h("option", { value: id }, name)));
  const text = h("input", { type: "search", size: 20, on: { input: () => draw() } });
  const list = h("div");
  const draw = () => {
    const wanted = text.value.trim().toLowerCase();
    const fits = (line) => (!game.value || line.game === game.value) && (!wanted || `${line.title} ${line.topic} ${line.clauses.join(" ")}`.toLowerCase().includes(wanted));
    put(list, topics.map((topic) => [topic, lessons.filter((line) => line.topic === topic && fits(line))]).filter(([, found]) => found.length).map(([topic, found]) =>
      h("details", { open: Boolean(wanted || game.value) }, h("summary", {}, topic, h("span", { class: "small quiet" }, ` ${found.length}`)),
        h("ul", { class: "plain-list" }, found.map((line) => h("li", {}, h("a", { href: lessonAddress(line.id) }, line.title), h("span", { class: "small quiet" }, ` ${line.game}`)))))));
  };
  draw();
  return [drawTrail({ nav: say("library.trail"), text: say("library.title"), href: "/library" }, { text: say("library.lessons") }),
    h("h1", {}, say("library.lessons")), h("p", {}, say("library.lessons_words", { count: lessons.length })),
    h("form", { class: "row", role: "search", on: { submit: (event) => event.preventDefault() } }, h("label", {}, say("library.find"), text), h("label", {}, say("library.game"), game)), list];
}
