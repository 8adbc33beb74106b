// One competition: what it is, how it stands, what somebody may do, and what has happened.

import "./meters-view.js";
import "./order-desk.js";
import "./promotion-view.js";
import "./told-history.js";
import "./tournament-view.js";
import { account } from "../shared/account.js";
import { define, h, put } from "../shared/dom.js";
import { followStream } from "../shared/streams.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { nameWord, tellFields } from "./words.js";

const VIEWS = { meters: "pb-meters-view", promotion: "pb-promotion-view", tournament: "pb-tournament-view" };

class Competition extends HTMLElement {
  connectedCallback() {
    this.kind = this.getAttribute("kind");
    this.name = this.getAttribute("name");
    this.follow("player");
    document.addEventListener("pb-account", () => this.follow(this.asRole ?? "player"));
  }

  disconnectedCallback() {
    this.followed?.close();
  }

  async follow(role) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.followed?.close();
    this.followed = undefined;
    this.asRole = role;
    try {
      const followed = await followStream(this.kind, this.name, role);
      if (turn !== this.turn) return followed.close();
      this.followed = followed;
      await this.build(followed);
      followed.addEventListener("change", () => this.update());
      this.update();
    } catch (error) {
      if (turn !== this.turn) return undefined;
      put(this, h("h1", {}, this.name), h("p", { class: "wrong" }, error.message), h("p", {}, h("a", { href: "/competitions" }, say("competitions.back"))));
    }
    return undefined;
  }

  async build(followed) {
    this.heading = h("h1");
    this.stopped = h("p", { class: "wrong", hidden: true, role: "status" });
    this.duties = h("div");
    this.view = VIEWS[this.kind] ? h(VIEWS[this.kind]) : h("div", { class: "sheet" });
    this.desk = h("pb-order-desk");
    this.history = h("pb-told-history");
    put(this, h("p", { class: "small" }, h("a", { href: "/competitions" }, say("competitions.back"))), this.heading,
      h("p", { class: "quiet" }, say(`competitions.one_${this.kind}`), " · ", nameWord(followed.book)),
      h("div", {}, await this.chooseRole(followed)), this.stopped, this.duties, this.view, this.desk, this.history);
    await this.desk.open(followed);
  }

  async chooseRole(followed) {
    const person = await account().catch(() => null);
    const roles = [...new Set((person?.roles ?? []).filter(([, book]) => !book || book === followed.book).map(([role]) => role))];
    if (roles.length === 0) return null;
    const select = h("select", { id: "as-role" }, ["player", ...roles].map((role) => h("option", { value: role, selected: role === this.asRole }, nameWord(role))));
    select.addEventListener("change", () => this.follow(select.value));
    return h("p", { class: "row" }, h("label", { for: "as-role" }, say("competitions.see_as")), select);
  }

  update() {
    const { followed } = this;
    const { shown, stopped } = followed;
    this.heading.textContent = shown.title || shown.terms?.name || this.name;
    this.stopped.hidden = !stopped;
    this.stopped.textContent = stopped;
    put(this.duties, followed.duties.length ? h("section", { class: "sheet duties" }, h("h2", {}, say("competitions.duties")), h("ul", {}, followed.duties.map((duty) => h("li", {}, duty)))) : null);
    if (this.view.show) this.view.show(followed);
    else put(this.view, tellFields(shown));
    this.desk.follow(followed).catch(toast);
    this.history.read(followed);
  }
}
define("pb-competition", Competition);
