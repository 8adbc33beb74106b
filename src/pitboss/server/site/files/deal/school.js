// A school table: opened by whoever wants to deal for themselves. It answers like a table that is followed.

import { account, comeInAsGuest } from "../shared/account.js";
import { getJson, postJson } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { keepPref, readPref } from "../shared/prefs.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";

/** The name of everybody's own school table. */
export const SCHOOL = ":school";
const MOST_PLAYERS = 5;

export class SchoolTable extends EventTarget {
  /** `answer`: what the server says of the table. */
  constructor(answer) {
    super();
    this.take(answer);
  }

  take(answer) {
    Object.assign(this, { public: answer.public, seq: answer.seq, cards: answer.cards, shows: answer.shows, shown: answer.shown, game: answer.game });
  }

  async ask(command, role = "dealer") {
    return this.move({ kind: "command", command, role });
  }

  /** The next card out of the school's own shoe. */
  draw() {
    return this.move({ kind: "draw" });
  }

  async move(move) {
    this.take(await postJson("/api/school/moves", move));
    this.dispatchEvent(new CustomEvent("change", { detail: { fresh: true, events: [] } }));
  }
}

/** The table that somebody has, or null. */
export async function findSchool() {
  if (!(await account())) return null;
  const answer = await getJson("/api/school");
  return answer ? new SchoolTable(answer) : null;
}

/** What is asked before a school table opens; `open` is called with it. */
export async function drawSchoolForm(open) {
  const books = await getJson("/api/library/books");
  const last = readPref("school-game", "perth/blackjack");
  const game = h("select", { id: "school-game" }, books.map((book) => h("optgroup", { label: book.name },
    book.games.map((one) => h("option", { value: one.id, selected: one.id === last }, one.name)))));
  const players = h("select", { id: "school-players" }, Array.from({ length: MOST_PLAYERS }, (_, at) => h("option", { value: at + 1, selected: at === 2 }, at + 1)));
  const sides = h("input", { id: "school-sides", type: "checkbox" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      if (!(await account())) await comeInAsGuest();
      keepPref("school-game", game.value);
      open(new SchoolTable(await postJson("/api/school", { game: game.value, players: Number(players.value), side_wagers: sides.checked })));
    } catch (error) {
      toast(error);
    }
  };
  return h("form", { class: "school stack", on: { submit } },
    h("div", { class: "fields" }, h("p", { class: "field" }, h("label", { for: "school-game" }, say("deal.game")), game),
      h("p", { class: "field" }, h("label", { for: "school-players" }, say("deal.players")), players),
      h("label", {}, sides, say("deal.with_sides"))),
    h("div", { class: "row" }, h("button", { class: "main" }, say("deal.open_school"))));
}
