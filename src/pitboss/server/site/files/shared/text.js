// The texts of the pages. Each file in `texts` gives its part; a text may hold {names} and forms for one and for many.

import shared from "../texts/shared.js";

const texts = new Map();
const language = document.documentElement.lang || "en";
const plural = new Intl.PluralRules(language);

/** Take the texts of one file, under the name of their page. */
export function addTexts(page, entries) {
  for (const [key, text] of Object.entries(entries)) texts.set(`${page}.${key}`, text);
}

/** Whether there is such a text. */
export function hasText(key) {
  return texts.has(key);
}

/** A text by its key, with its names filled in; `count` chooses between {one, other}. */
export function say(key, values = {}) {
  let text = texts.get(key);
  if (text === undefined) throw new Error(`no text ${key}`);
  if (typeof text === "object") text = text[plural.select(Number(values.count))] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Words joined as a sentence joins them. */
export function joinWords(words) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(words);
}

addTexts("shared", shared);
