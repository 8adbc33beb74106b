// Words for what a stream says: names of fields and states, amounts, times, and anything else in plain lines.

import { Words, bytesOf, checkCommitment } from "../shared/chance.js";
import { h } from "../shared/dom.js";
import { isAmount, showMoney } from "../shared/money.js";
import { hasText, say } from "../shared/text.js";

/** A name of the protocol as people read it: `advance_by` becomes "Advance by". */
export function nameField(name) {
  const key = `competitions.field_${name.replaceAll("-", "_")}`;
  if (hasText(key)) return say(key);
  const words = String(name).replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a command is called on its button. */
export function nameCommand(kind, tag) {
  const key = `competitions.do_${kind}_${tag.replaceAll("-", "_")}`;
  return hasText(key) ? say(key) : nameField(tag);
}

/** A state or another single word. */
export function nameWord(word) {
  const key = `competitions.word_${String(word).replaceAll("-", "_")}`;
  return hasText(key) ? say(key) : String(word).replaceAll("-", " ");
}

const STAMP = 1_000_000_000_000;

/** A moment in milliseconds, for people. */
export function showMoment(ms) {
  return new Date(Number(ms)).toLocaleString(document.documentElement.lang || "en", { dateStyle: "medium", timeStyle: "short" });
}

/** Any value in words or as a small list: what has no form of its own on a page is not left out. */
export function tellValue(name, value) {
  if (value === null || value === undefined || value === "") return h("span", { class: "quiet" }, "–");
  if (typeof value === "boolean") return say(value ? "competitions.yes" : "competitions.no");
  if (Array.isArray(value)) {
    if (value.length === 0) return h("span", { class: "quiet" }, "–");
    if (value.every((item) => typeof item !== "object" || item === null)) return value.map(nameWord).join(", ");
    return h("ol", { class: "plain-list" }, value.map((item) => h("li", {}, tellValue(name, item))));
  }
  if (typeof value === "object") {
    const entries = Object.entries(value);
    if (entries.length === 0) return h("span", { class: "quiet" }, "–");
    return tellFields(value);
  }
  if (typeof value === "number") return /(_ms|opens|closes|draws|until|at)$/.test(name) && value > STAMP ? showMoment(value) : String(value);
  return isAmount(value) ? h("span", { class: "figure" }, showMoney(value)) : String(value);
}

/** An object as a list of names and values. */
export function tellFields(fields, skip = []) {
  return h("dl", { class: "fields" }, Object.entries(fields).filter(([name]) => !skip.includes(name)).map(([name, value]) =>
    h("div", {}, h("dt", {}, nameField(name)), h("dd", {}, tellValue(name, value)))));
}

/** Draw something anew without taking the focus from whoever is on it: `data-key` says what is the same. */
export function redraw(element, ...children) {
  const kept = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const open = [...element.querySelectorAll("details[open][data-key]")].map(({ dataset }) => dataset.key);
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  for (const details of element.querySelectorAll("details[data-key]")) if (open.includes(details.dataset.key)) details.open = true;
  if (kept) element.querySelector(`[data-key="${CSS.escape(kept)}"]`)?.focus();
}

/** The numbers of draws whose box is not the one that the seed picks, or that are missing. */
export async function checkDraws(seed, draws) {
  const wrong = [];
  for (const [at, { number, one_in: oneIn, boxes, box }] of draws.entries()) {
    const words = new Words(bytesOf(seed), number);
    const picked = (await words.below(oneIn)) === 0 ? boxes[await words.below(boxes.length)] : "";
    if (number !== at || picked !== box) wrong.push(at + 1);
  }
  return wrong;
}

/** A button that checks a draw in the browser itself, every box of `draws` included, and what it has found. */
export function offerProof({ commitment, seed, salt, draws = [] }, key) {
  const found = h("output", { class: "small" });
  const check = async () => {
    const { good } = await checkCommitment(commitment, seed, salt);
    const wrong = await checkDraws(seed, draws);
    const lines = [say(good ? "competitions.proof_good" : "competitions.proof_bad")];
    if (wrong.length) lines.push(say("competitions.draws_bad", { list: wrong.join(", ") }));
    else if (draws.length) lines.push(say("competitions.draws_good", { count: draws.length }));
    found.textContent = lines.join(" ");
  };
  return h("div", { class: "stack proof" },
    h("p", { class: "small" }, say("competitions.commitment"), " ", h("code", {}, commitment)),
    h("p", { class: "small" }, say("competitions.seed"), " ", h("code", {}, seed)),
    h("p", { class: "small" }, say("competitions.salt"), " ", h("code", {}, salt)),
    h("p", { class: "row" }, h("button", { type: "button", "data-key": key, on: { click: check } }, say("competitions.check_draw")), found));
}
