// A lesson: a round told step by step, with the table as it lies after each step.

import "../shared/card.js";
import { getJson } from "../shared/api.js";
import { h, put } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { say } from "../shared/text.js";
import { packText } from "../round/packing.js";
import { citeAll, drawTrail, gameAddress } from "./cite.js";

export async function showLesson([id]) {
  const page = await getJson(`/api/library/lessons/${encodeURIComponent(id)}`);
  const { line, steps, book } = page;
  let at = 0;
  const felt = h("section", { class: "lesson-felt", "aria-label": say("library.table") });
  const told = h("div", { class: "told", "aria-live": "polite" });
  const slider = h("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": say("library.step_of"), on: { input: () => go(Number(slider.value)) } });
  const place = h("span", { class: "figure small quiet" });
  const log = h("ol", { class: "log" }, steps.map((step, number) => h("li", {}, h("button", { type: "button", class: "plain", on: { click: () => go(number) } }, step.told[0]?.text ?? step.asked))));
  const button = (text, label, step) => h("button", { type: "button", "aria-label": label, on: { click: () => go(step()) } }, text);
  const go = (to) => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[at];
    slider.value = at;
    place.textContent = say("library.step", { at: at + 1, of: steps.length });
    put(felt, drawPlace(say("library.dealer"), step.dealer, step.dealer_words, ""), step.boxes.map((box) => box.hands.length
      ? box.hands.map((hand, number) => drawPlace(say("library.box", { number: box.number }) + (box.hands.length > 1 ? `, ${number + 1}` : ""), hand.cards, hand.words, [box.stakes, hand.state].filter(Boolean).join(" · ")))
      : drawPlace(say("library.box", { number: box.number }), [], "", box.stakes)));
    put(told, step.asked ? h("p", { class: "small quiet" }, h("code", {}, step.asked), step.refused ? h("strong", {}, ` ${say("library.refused")}`) : null) : null,
      step.told.map(({ text, clauses }) => h("p", {}, text, " ", citeAll(book, clauses))));
    for (const [number, item] of [...log.children].entries()) {
      if (number === at) item.firstElementChild.setAttribute("aria-current", "step");
      else item.firstElementChild.removeAttribute("aria-current");
    }
  };
  const end = bindKeys({ ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(steps.length - 1) });
  addEventListener("pagehide", end, { once: true });
  go(0);
  return [drawTrail({ nav: say("library.trail"), text: say("library.title"), href: "/library" }, { text: say("library.lessons"), href: "/library/lessons" }, { text: line.title }),
    h("h1", {}, line.title),
    h("p", { class: "quiet" }, h("a", { href: gameAddress(line.game) }, page.table), " · ", line.topic, " ", citeAll(book, line.clauses)),
    h("p", {}, h("a", { class: "button", href: `/round#${await packText(page.record)}` }, say("library.on_felt"))),
    h("div", { class: "lesson" }, h("div", {}, felt,
      h("div", { class: "row stepper" }, button("«", say("library.first"), () => 0), button("‹", say("library.back"), () => at - 1), slider, button("›", say("library.next"), () => at + 1), button("»", say("library.last"), () => steps.length - 1), place), told),
    h("div", {}, h("h2", {}, say("library.steps")), log, page.summary.map((text) => h("p", {}, text)))),
    h("details", {}, h("summary", {}, say("library.record")), h("pre", { class: "scroll", tabindex: 0 }, page.record))];
}

function drawPlace(name, cards, words, note) {
  return h("div", { class: "lesson-place" }, h("div", { class: "name" }, name, note ? h("div", { class: "small" }, note) : null), h("div", { class: "cards" }, cards.map((card) => h("pb-card", { face: card }))), h("div", { class: "figure" }, words));
}
