// The supervisor's desk: what needs a person first, then every table; at one table every order the book knows.

import "../shared/shell.js";
import { account } from "../shared/account.js";
import { askFloor, getJson } from "../shared/api.js";
import { confirmTwice, openDialog } from "../shared/dialog.js";
import { define, h, pathParts, put, putAgain } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { floor } from "../shared/socket.js";
import { addTexts, say } from "../shared/text.js";
import { announce, toast } from "../shared/toast.js";
import { clauses, timeText, untilText, wordOf } from "../desks/common.js";
import { phaseWords } from "../desks/layout.js";
import { giveOrder, makeFields, orderAt } from "../desks/orders.js";
import texts from "../texts/desk.js";

addTexts("desk", texts);

const INBOXES = ["inspector", "surveillance"];
const GROUPS = ["void", "irregularity", "player", "dispute", "limits", "layout", "equipment", "duty"];
const FLOOR_ORDERS = { exclude: "Exclude", readmit: "Readmit", "send-notice": "SendNotice", "fill-float": "FillFloat", "issue-chips": "IssueChips", "redeem-chips": "RedeemChips", "require-second-person": "RequireSecondPerson", "open-table": "OpenTable", "rule-on-dispute": "RuleOnTakenDispute" };
const OFFICE = ["fill-float", "issue-chips", "redeem-chips", "require-second-person", "open-table"];
const AGAIN_MS = 250;
const URGENCIES = ["now", "soon", "runs"];
const LATER = ["sign", "dealer"];

/** What somebody waits for comes before a table that only has nobody to deal or no sign. */
const rankMatter = ({ urgency, kind }) => 2 * URGENCIES.indexOf(urgency) + (LATER.includes(kind) ? 1 : 0);

class DeskPage extends HTMLElement {
  connectedCallback() {
    this.name = pathParts()[1] ?? "";
    this.notices = new Map();
    this.drawn = new Map();
    this.open().catch(toast);
    this.clock = setInterval(() => this.tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.clock);
    clearTimeout(this.later);
  }

  async open() {
    this.person = await account();
    if (!this.person?.roles.length) {
      put(this, h("h1", {}, say("desk.title")), h("p", {}, say("desk.for_staff")));
      return;
    }
    this.queue = h("section", { "aria-live": "polite", "aria-label": say("desk.queue") });
    this.main = h("div", { class: "stack" });
    put(this, h("div", { class: "row" }, h("h1", {}, this.name ? say("desk.table", { name: this.name }) : say("desk.title")),
      this.name ? h("a", { href: "/desk" }, say("desk.all")) : null), this.queue, this.main);
    for (const role of INBOXES) {
      if (this.person.roles.some(([own]) => own === role)) floor.watchInbox(role, (notices) => this.hearInbox(role, notices));
    }
    await this.read();
    for (const table of this.wall.tables) {
      const watched = await floor.watch(table.name, { events: false });
      watched.addEventListener("change", () => this.readLater());
    }
    if (this.name) await this.openTable();
  }

  // Soon, however often tables change meanwhile: on a busy floor there is never a quiet moment.
  readLater() {
    this.later ??= setTimeout(() => {
      this.later = null;
      this.read().catch(toast);
    }, AGAIN_MS);
  }

  async read() {
    this.wall = await getJson("/api/desk");
    this.drawQueue();
    if (this.name) this.drawTable();
    else this.drawWall();
  }

  find() {
    return this.wall.tables.find(({ name }) => name === this.name);
  }

  // ------------------------------------------------------------------ what waits

  drawQueue() {
    const matters = this.wall.tables.filter(({ name }) => !this.name || name === this.name)
      .flatMap((table) => table.waits.map((matter) => ({ table, matter })))
      .sort((one, other) => rankMatter(one.matter) - rankMatter(other.matter));
    const open = [...this.notices.values()].filter(({ received_by: by }) => !by);
    // Whoever listens to the page hears the queue when it changes, not whenever a card falls somewhere.
    const shown = JSON.stringify([matters.map(({ table, matter }) => [table.name, table.roles, matter]), open]);
    if (shown === this.queued) return;
    this.queued = shown;
    putAgain(this.queue, h("h2", {}, say("desk.queue")),
      matters.length + open.length === 0 ? h("p", { class: "quiet" }, say("desk.nothing")) : null,
      h("ul", { class: "queue" }, matters.map(({ table, matter }) => this.drawMatter(table, matter)), open.map((notice) => this.drawNotice(notice))));
  }

  drawMatter(table, matter) {
    const act = matter.kind === "second-person"
      ? [h("button", { type: "button", class: "main", on: { click: () => this.confirmOrder(table, matter) } }, say("desk.agree")),
        h("button", { type: "button", on: { click: () => this.withdrawOrder(table, matter) } }, say("desk.withdraw"))]
      : matter.order && table.roles.length ? h("button", { type: "button", on: { click: () => this.orderFor(table, matter.order, matter.fields) } }, wordOf("order", matter.order)) : null;
    return h("li", { class: matter.urgency }, h("a", { href: `/desk/${encodeURIComponent(table.name)}` }, table.name),
      h("span", { class: "text" }, matter.text, " ", clauses(matter.clauses, table.book)),
      matter.until_ms ? h("time", { class: "figure", "data-until": matter.until_ms }, untilText(matter.until_ms)) : null, act);
  }

  drawNotice(notice) {
    return h("li", { class: "now" }, h("a", { href: `/desk/${encodeURIComponent(notice.table)}` }, notice.table),
      h("span", { class: "text" }, say("desk.notice", { body: wordOf("body", notice.body) }), " ", notice.text, " ", clauses(notice.clauses, notice.book)),
      h("time", { class: "quiet small" }, timeText(notice.at_ms)),
      h("button", { type: "button", on: { click: () => this.receive(notice, false) } }, say("desk.received")),
      h("button", { type: "button", on: { click: () => this.receive(notice, true) } }, say("desk.approve")));
  }

  hearInbox(role, notices) {
    for (const notice of notices) this.notices.set(notice.number, notice);
    if (this.wall) this.drawQueue();
  }

  async receive(notice, approved) {
    await askFloor({ type: "confirm-receipt", number: notice.number, approved }, notice.body).catch(toast);
  }

  tick() {
    for (const time of this.querySelectorAll("[data-until]")) time.textContent = untilText(Number(time.dataset.until));
  }

  async confirmOrder(table, matter) {
    const yes = await confirmTwice({ title: say("desk.agree_title"), body: h("p", {}, matter.text), yes: say("desk.agree") });
    if (yes) await this.askAs(table, { type: "confirm-order", number: matter.fields.number });
  }

  async withdrawOrder(table, matter) {
    const reason = h("input", { name: "reason", "aria-label": say("desks.reason") });
    const value = await openDialog({ title: say("desk.withdraw"), body: h("p", {}, matter.text, h("br"), reason), buttons: [{ value: "", text: say("shared.cancel") }, { value: "yes", text: say("desk.withdraw"), main: true, costs: true }] });
    if (value === "yes") await this.askAs(table, { type: "withdraw-order", number: matter.fields.number, reason: reason.value });
  }

  // In the highest role that one holds there: who is above may do what who is below may.
  async askAs(table, command) {
    try {
      await orderAt(table.name, command, table.roles.at(-1));
      this.readLater();
    } catch (error) {
      toast(error);
    }
  }

  // ------------------------------------------------------------------ all tables

  drawWall() {
    putAgain(this.main, h("h2", {}, say("desk.tables")), h("ul", { class: "wall" }, this.wall.tables.map((table) => this.keepSmall(table))), this.drawFloorOrders());
  }

  // A table that has not changed is not drawn again.
  keepSmall(table) {
    const { seq, ...shown } = table;
    const key = JSON.stringify(shown);
    const kept = this.drawn.get(table.name);
    if (kept?.key === key) return kept.tile;
    const tile = this.drawSmall(table);
    this.drawn.set(table.name, { key, tile });
    return tile;
  }

  drawSmall(table) {
    const layout = h("pb-layout", { class: "small" });
    layout.show(table.public);
    const now = table.waits.filter(({ urgency }) => urgency !== "runs").length;
    const { limits } = table.public.notice;
    return h("li", { class: now ? "waits" : "" },
      h("h3", {}, h("a", { href: `/desk/${encodeURIComponent(table.name)}` }, table.name), h("span", { class: "quiet small" }, phaseWords(table.public))),
      layout,
      h("p", { class: "small quiet" }, `${table.public.game}, ${wordOf("kind", table.public.kind)}`, table.dealer ? `, ${table.dealer}` : ""),
      h("dl", { class: "pairs small" }, h("dt", {}, say("desk.limits")), h("dd", {}, limits.minimum ? `${showMoney(limits.minimum)}–${limits.maximum ? showMoney(limits.maximum) : "…"}` : "—"),
        h("dt", {}, say("desk.staked")), h("dd", {}, showMoney(table.staked)), h("dt", {}, say("desk.float")), h("dd", {}, showMoney(table.table_float))),
      table.stopped ? h("p", { class: "wrong" }, table.stopped) : null,
      table.restricted.map((line) => h("p", { class: "small" }, line)),
      table.waits.map((matter) => h("p", { class: "small wrong" }, matter.text)));
  }

  drawFloorOrders() {
    const types = this.wall.house_roles.includes("administrator") ? Object.keys(FLOOR_ORDERS) : Object.keys(FLOOR_ORDERS).filter((type) => !OFFICE.includes(type));
    return h("section", { class: "sheet" }, h("h2", {}, say("desk.floor")), h("p", { class: "quiet" }, say("desk.floor_about")),
      h("div", { class: "row" }, types.map((type) => h("button", { type: "button", on: { click: () => this.giveFloorOrder(type) } }, wordOf("order", type)))));
  }

  async giveFloorOrder(type, given = {}) {
    const games = [...new Set(this.wall.tables.map(({ public: { game } }) => game))];
    const tables = this.wall.tables.map(({ name }) => name);
    const players = [...new Set(this.wall.tables.flatMap(({ public: { players: own } }) => own))];
    const fields = await makeFields(FLOOR_ORDERS[type], given, { game: games, table: tables, name: type === "open-table" ? [] : players, body: INBOXES });
    const roles = [...new Set(this.person.roles.map(([role]) => role))];
    const preferred = OFFICE.includes(type) ? "administrator" : type === "rule-on-dispute" ? "inspector" : roles.find((role) => !this.wall.house_roles.includes(role));
    const role = h("select", { id: "floor-role" }, roles.map((own) => h("option", { value: own, selected: own === preferred }, wordOf("role", own))));
    const reason = h("input", { id: "floor-reason", name: "reason", autocomplete: "off" });
    const body = h("div", { class: "stack" }, fields.form, h("div", { class: "fields" },
      h("p", { class: "field" }, h("label", { for: "floor-role" }, say("desks.as_role")), role),
      h("p", { class: "field wide" }, h("label", { for: "floor-reason" }, say("desks.reason")), reason)));
    const buttons = [{ value: "", text: say("shared.cancel") }, { value: "go", text: say("desk.next"), main: true, costs: true }];
    if ((await openDialog({ title: wordOf("order", type), body, buttons, className: "order-dialog" })) !== "go") return;
    const command = { type, ...fields.read(), reason: reason.value.trim() };
    const shown = h("dl", { class: "pairs" }, Object.entries(command).flatMap(([name, value]) => [h("dt", {}, wordOf("field", name)), h("dd", {}, String(value))]));
    if (!(await confirmTwice({ title: wordOf("order", type), body: shown, yes: say("desks.give") }))) return;
    try {
      await askFloor(command, role.value);
      announce(say("desk.done"));
      await this.read();
    } catch (error) {
      toast(error);
    }
  }

  // ------------------------------------------------------------------ one table

  async openTable() {
    const table = this.find();
    if (!table) {
      put(this.main, h("p", {}, say("desk.not_yours")));
      return;
    }
    this.forms = await getJson(`/api/tables/${encodeURIComponent(this.name)}/order-forms`);
    this.drawTable();
    const query = new URLSearchParams(location.search);
    const type = query.get("order");
    if (type) {
      const given = Object.fromEntries([...query].filter(([key]) => key !== "order"));
      await this.orderFor(table, type, given);
    }
  }

  drawTable() {
    const table = this.find();
    if (!table || !this.forms) return;
    const kept = new Set([...this.querySelectorAll("details[open]")].map(({ dataset }) => dataset.group));
    const layout = h("pb-layout", { class: "large" });
    layout.show(table.public);
    const groups = GROUPS.map((group) => [group, this.forms.filter((form) => form.group === group)]).filter(([, forms]) => forms.length);
    const facts = this.drawSmall(table);
    facts.querySelector("pb-layout").remove();
    putAgain(this.main, h("div", { class: "columns two" },
      h("div", { class: "stack" }, layout, h("ul", { class: "wall" }, facts),
        h("p", {}, h("a", { href: `/audit?table=${encodeURIComponent(table.name)}` }, say("desk.rounds")))),
      h("section", { class: "order-groups" }, h("h2", {}, say("desk.orders")),
        groups.map(([group, forms]) => h("details", { "data-group": group, open: kept.has(group) || (kept.size === 0 && group === "void") }, h("summary", {}, wordOf("group", group)),
          h("ul", {}, forms.map((form) => this.drawForm(table, form)))))))); 
  }

  drawForm(table, form) {
    const power = form.powers.find(({ mine }) => mine) ?? form.powers[0];
    return h("li", {}, h("button", { type: "button", "data-order": form.type, disabled: !form.role, on: { click: () => this.giveForm(table, form, {}) } }, wordOf("order", form.type)),
      h("span", { class: "small" }, form.role ? say("desks.by_role", { role: wordOf("role", form.role) }).replace(/:$/, "") : say("desks.or_above", { role: wordOf("role", power.role) }), " ", clauses(power.clauses, table.book)));
  }

  async orderFor(table, type, given) {
    const forms = this.forms && table.name === this.name ? this.forms : await getJson(`/api/tables/${encodeURIComponent(table.name)}/order-forms`).catch((error) => (toast(error), []));
    const form = forms.find((one) => one.type === type);
    if (!form) return;
    if (!form.role) {
      toast(say("desk.others", { role: wordOf("role", form.powers[0].role) }), form.powers[0].clauses);
      return;
    }
    await this.giveForm(table, form, given);
  }

  async giveForm(table, form, given) {
    const document = this.wall.tables.find(({ name }) => name === table.name).public;
    const staked = document.boxes.length ? document.boxes.map(({ number }) => number) : document.bets.map(({ box }) => box);
    const known = { box: [...new Set(staked)], player: document.players, wager: ["main", ...document.side_wagers] };
    if (await giveOrder(form, { table: table.name, book: table.book, roles: table.roles, known }, given)) {
      announce(say("desk.done"));
      await this.read();
    }
  }
}
define("pb-desk-page", DeskPage);
