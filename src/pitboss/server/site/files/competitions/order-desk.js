// What somebody may ask of a competition: a player their own things, staff everything of their role, with two clicks.

import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { announce, toast } from "../shared/toast.js";
import { askForCommand } from "./command-form.js";
import { nameCommand, nameWord } from "./words.js";

/** What players ask; everything else is for the house. */
export const OF_PLAYERS = {
  tournament: ["enter", "withdraw", "name-substitute", "buy-back", "inspect-form", "agree-to-end", "dispute"],
  promotion: ["give-terms", "enter", "arrive", "claim", "dispute", "contest"],
  meters: [],
  vouchers: ["exchange"],
};
/** What of it has a place in the phase that a competition is in; whatever is not named here always has one. */
const IN_PHASE = {
  tournament: { enter: ["entries"], withdraw: ["entries", "closed"], "name-substitute": ["entries", "closed", "drawn"], "buy-back": ["playing", "closed", "drawn"], "inspect-form": ["playing"], "agree-to-end": ["playing"] },
  promotion: { enter: ["lodged"], arrive: ["lodged"], claim: ["drawn"] },
};
/** What the floor asks by itself, what records alone use, and what players have on the felt. */
const BY_ITSELF = {
  tournament: ["load-cards", "wager", "take-back", "pass-card", "sit-out", "write-form", "act"],
  promotion: ["note-wager", "keep-time"],
  meters: ["hear-outcome"],
};

const known = new Map();

/** The schemas of a kind's commands, asked for once. */
export function describeKind(kind) {
  if (!known.has(kind)) known.set(kind, getJson(`/api/kinds/${encodeURIComponent(kind)}`));
  return known.get(kind);
}

/** Ask for what a command needs, and give it; true if it was given. */
export async function giveCommand(followed, tag, presets = {}, role = followed.role) {
  try {
    const { commands, $defs: defs } = await describeKind(followed.kind);
    const hidden = role === "player" ? ["player", "by", "role", "person"] : ["by", "role", "person"];
    const command = await askForCommand({ kind: followed.kind, tag, schema: commands[tag], defs, presets, hidden, role });
    if (!command) return false;
    await followed.ask(command, role);
    announce(say("competitions.done", { what: nameCommand(followed.kind, tag) }));
    return true;
  } catch (error) {
    toast(error);
    return false;
  }
}

class OrderDesk extends HTMLElement {
  /** The stream has moved on: what has its place changes with the phase. */
  async follow(followed) {
    if (followed.role === "player" && followed.shown.phase !== this.phase) await this.open(followed);
  }

  /** Offer what may be asked in the role in which a stream is followed. */
  async open(followed) {
    const { kind, role } = followed;
    const { commands } = await describeKind(kind);
    const own = (OF_PLAYERS[kind] ?? []).filter((tag) => (IN_PHASE[kind]?.[tag] ?? [followed.shown.phase]).includes(followed.shown.phase));
    this.phase = followed.shown.phase;
    const skip = BY_ITSELF[kind] ?? [];
    const tags = Object.keys(commands).filter((tag) => (role === "player" ? own.includes(tag) : !skip.includes(tag)));
    if (tags.length === 0) return put(this);
    if (role === "player") {
      return put(this, h("section", { class: "sheet" }, h("h2", {}, say("competitions.your_part")),
        h("div", { class: "row" }, tags.map((tag) => h("button", { type: "button", "data-do": tag, on: { click: () => giveCommand(followed, tag) } }, nameCommand(kind, tag))))));
    }
    const select = h("select", { id: "order-choice" }, tags.map((tag) => h("option", { value: tag }, nameCommand(kind, tag))));
    const go = h("button", { type: "button", class: "main", on: { click: () => giveCommand(followed, select.value) } }, say("competitions.prepare"));
    return put(this, h("section", { class: "sheet" }, h("h2", {}, say("competitions.orders")),
      h("p", { class: "quiet" }, say("competitions.orders_as", { role: nameWord(role) })),
      h("div", { class: "row" }, h("label", { for: "order-choice" }, say("competitions.order")), select, go)));
  }
}
define("pb-order-desk", OrderDesk);
