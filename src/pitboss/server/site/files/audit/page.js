// The audit: rounds found and looked back at, money by account, what staff did, chain and seals, shoes proved here.

import "../shared/shell.js";
import "../shared/card.js";
import { account, holdsRole } from "../shared/account.js";
import { getJson } from "../shared/api.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { rove } from "../shared/keys.js";
import { compareMoney, showMoney } from "../shared/money.js";
import { addTexts, say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { clauses, figures, timeText, wordOf } from "../desks/common.js";
import { checkChain, checkSeals, proveShoe } from "./proof.js";
import { openRound } from "./round.js";
import texts from "../texts/audit.js";

addTexts("audit", texts);

const INSPECTORS = ["administrator", "inspector", "surveillance"];
const DEALT = ["key-card", "key-cut-card", "bring-shoe", "deal", "proceed", "next-round", "hit", "stand", "double", "split", "surrender", "switch", "insure", "even-money", "no-more-bets"];
const TABS = ["rounds", "money", "actions", "chain", "shoes"];
const field = (name, text, more = {}) => h("p", { class: "field" }, h("label", { for: `find-${name}` }, text), h("input", { id: `find-${name}`, name, autocomplete: "off", ...more }));

class AuditPage extends HTMLElement {
  connectedCallback() {
    this.open().catch(toast);
  }

  async open() {
    const [, kind, table, number] = pathParts();
    this.person = await account();
    this.inspects = holdsRole(this.person, INSPECTORS);
    this.tables = await getJson("/api/tables");
    this.books = Object.fromEntries(this.tables.map(({ name, game }) => [name, game.split("/")[0]]));
    this.panel = h("div", { class: "audit", role: "tabpanel", id: "audit-panel", "aria-labelledby": "tab-rounds" });
    const shown = this.inspects ? TABS : ["shoes"];
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": say("audit.title") }, shown.map((name) => h("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "audit-panel", on: { click: () => this.choose(name) },
    }, say(`audit.tab_${name}`))));
    rove(this.tabs);
    put(this, h("h1", {}, say("audit.title")), this.tabs, this.panel);
    if (kind === "round" && table && number) {
      this.mark(shown[0]);
      await this.showRound(table, number);
    } else if (kind === "shoe" && table) {
      this.choose("shoes", { table, number });
    } else this.choose(shown.includes(kind) ? kind : shown[0]);
  }

  mark(name) {
    for (const tab of this.tabs.children) {
      tab.setAttribute("aria-selected", String(tab.id === `tab-${name}`));
      tab.tabIndex = tab.id === `tab-${name}` ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
  }

  choose(name, given = {}) {
    this.mark(name);
    history.replaceState(null, "", name === "rounds" ? `/audit${location.search}` : `/audit/${name}`);
    ({ rounds: () => this.showRounds(), money: () => this.showMoney(), actions: () => this.showActions(), chain: () => this.showChain(), shoes: () => this.showShoes(given) })[name]();
  }

  chooseTable(id, chosen = "", any = false) {
    return h("p", { class: "field" }, h("label", { for: id }, say("audit.table")), h("select", { id, name: "table" },
      any ? h("option", { value: "" }, say("audit.every")) : null, this.tables.map(({ name }) => h("option", { value: name, selected: name === chosen }, name))));
  }

  // ------------------------------------------------------------------ rounds

  showRounds() {
    const query = new URLSearchParams(location.search);
    const found = h("div", { "aria-live": "polite" });
    const search = async (event) => {
      event?.preventDefault();
      const wishes = new URLSearchParams();
      for (const [name, value] of new FormData(form)) {
        const text = String(value).trim();
        if (!text) continue;
        if (name === "from" || name === "until") wishes.set(`${name}_ms`, String(new Date(text).getTime() + (name === "until" ? 59_999 : 0)));
        else wishes.set(name, text);
      }
      try {
        const rows = await getJson(`/api/rounds?${wishes}`);
        put(found, rows.length ? figures([say("audit.table"), say("audit.number"), say("audit.ended"), say("audit.rows"), say("audit.look")],
          rows.map((row) => [row.stream, row.number, timeText(row.ended_ms), `${row.first_seq}–${row.last_seq}`,
            h("button", { type: "button", on: { click: () => this.showRound(row.stream, row.number) } }, say("audit.look"))]), { caption: say("audit.tab_rounds"), numeric: [1, 3] })
          : h("p", { class: "quiet" }, say("audit.none")));
      } catch (error) {
        toast(error);
      }
    };
    const form = h("form", { class: "fields sheet", on: { submit: search } }, this.chooseTable("find-table", query.get("table") ?? "", true),
      field("number", say("audit.number"), { inputmode: "numeric" }), field("player", say("audit.player")), field("clause", say("audit.clause")),
      field("least", say("audit.least"), { inputmode: "decimal" }), field("most", say("audit.most"), { inputmode: "decimal" }),
      field("from", say("audit.from"), { type: "datetime-local" }), field("until", say("audit.until"), { type: "datetime-local" }),
      h("button", { class: "main" }, say("audit.search")));
    put(this.panel, h("div", { class: "stack" }, form, found));
    search();
  }

  async showRound(table, number) {
    history.replaceState(null, "", `/audit/round/${encodeURIComponent(table)}/${number}`);
    const view = h("pb-round-view");
    put(this.panel, h("div", { class: "stack" }, this.inspects ? h("p", {}, h("button", { type: "button", on: { click: () => this.choose("rounds") } }, say("audit.to_search"))) : null, view));
    await openRound(view, table, number, this.books[table], this.inspects);
  }

  // ------------------------------------------------------------------ money

  showMoney() {
    const found = h("div", { class: "stack", "aria-live": "polite" });
    const open = async (name, unit) => {
      try {
        const moved = await getJson(`/api/transfers?account=${encodeURIComponent(name)}&unit=${unit}`);
        put(found, h("h2", {}, name), moved.length ? figures([say("audit.when"), say("audit.table"), say("audit.other"), say("desks.amount"), say("audit.clauses")],
          moved.map((line) => {
            const into = line.credit === name;
            const amount = `${into ? "" : "-"}${line.amount}`;
            return [timeText(line.at_ms), line.stream, into ? line.debit : line.credit, h("span", { class: compareMoney(amount, "0") < 0 ? "lost" : "won" }, showMoney(amount, { signed: true })), clauses(line.clauses, this.books[line.stream])];
          }), { caption: name, numeric: [3] }) : h("p", { class: "quiet" }, say("audit.nothing_moved")));
      } catch (error) {
        toast(error);
      }
    };
    const search = async (event) => {
      event?.preventDefault();
      try {
        const rows = await getJson(`/api/accounts?part=${encodeURIComponent(form.querySelector("[name=part]").value.trim())}`);
        put(found, figures([say("audit.account"), say("audit.unit"), say("audit.balance")],
          rows.map((row) => [h("button", { type: "button", class: "plain", on: { click: () => open(row.name, row.unit) } }, row.name), row.unit, showMoney(row.balance)]), { caption: say("audit.tab_money"), numeric: [2] }));
      } catch (error) {
        toast(error);
      }
    };
    const form = h("form", { class: "fields sheet", on: { submit: search } }, field("part", say("audit.account"), { placeholder: "wallet:ann" }), h("button", { class: "main" }, say("audit.search")));
    put(this.panel, h("div", { class: "stack" }, form, found));
    search();
  }

  // ------------------------------------------------------------------ staff

  showActions() {
    const found = h("div", { "aria-live": "polite" });
    const search = async (event) => {
      event?.preventDefault();
      const read = (name) => encodeURIComponent(form.querySelector(`[name=${name}]`).value.trim());
      try {
        const all = await getJson(`/api/actions?person=${read("person")}&stream=${read("table")}&last=500`);
        const rows = all.filter(({ act }) => steps.checked || !DEALT.includes(act));
        put(found, rows.length ? figures([say("audit.when"), say("audit.person"), say("audit.where"), say("audit.what"), say("desks.reason"), say("audit.clauses")],
          rows.map((row) => [timeText(row.at_ms), h("span", {}, row.actor, h("br"), h("span", { class: "quiet small" }, wordOf("role", row.role))), row.stream,
            h("span", {}, wordOf("order", row.act), h("br"), h("span", { class: "small" }, row.words.replace(/^type [\w-]+(, )?/, "").replace(/(^|, )role [\w-]+$/, ""))), row.reason, clauses(row.clauses, this.books[row.stream])]), { caption: say("audit.tab_actions") })
          : h("p", { class: "quiet" }, say("audit.none")));
      } catch (error) {
        toast(error);
      }
    };
    const steps = h("input", { type: "checkbox", name: "steps", on: { change: search } });
    const form = h("form", { class: "fields sheet", on: { submit: search } }, field("person", say("audit.person")), this.chooseTable("find-stream", "", true), h("label", {}, steps, say("audit.with_steps")), h("button", { class: "main" }, say("audit.search")));
    put(this.panel, h("div", { class: "stack" }, form, found));
    search();
  }

  // ------------------------------------------------------------------ chain and seals

  showChain() {
    const found = h("ul", { class: "proof", "aria-live": "polite" });
    const tell = (good, text) => found.append(h("li", { class: good ? "is-right" : "mistaken" }, text));
    const check = async (event) => {
      event.preventDefault();
      put(found);
      const stream = form.querySelector("[name=table]").value || "floor";
      try {
        let after = 0;
        let previous = "0".repeat(64);
        let count = 0;
        const wrong = [];
        for (;;) {
          const rows = await getJson(`/api/chain?stream=${encodeURIComponent(stream)}&after=${after}&limit=200`);
          wrong.push(...await checkChain(stream, rows, previous));
          count += rows.length;
          if (rows.length < 200) break;
          after = rows.at(-1).seq;
          previous = rows.at(-1).digest;
        }
        tell(!wrong.length, wrong.length ? say("audit.chain_wrong", { stream, rows: wrong.join(", ") }) : say("audit.chain_right", { stream, count }));
        const seals = await getJson("/api/seals?limit=200");
        const broken = await checkSeals(seals);
        tell(!broken.length, broken.length ? say("audit.seals_wrong", { numbers: broken.join(", ") }) : say("audit.seals_right", { count: seals.length }));
      } catch (error) {
        toast(error);
      }
    };
    const form = h("form", { class: "fields sheet", on: { submit: check } }, h("p", { class: "field" }, h("label", { for: "chain-of" }, say("audit.log_of")),
      h("select", { id: "chain-of", name: "table" }, h("option", { value: "" }, say("audit.the_floor")), this.tables.map(({ name }) => h("option", { value: name }, name)))),
    h("button", { class: "main" }, say("audit.check_here")));
    put(this.panel, h("div", { class: "stack" }, h("p", {}, say("audit.chain_about")), form, found));
  }

  // ------------------------------------------------------------------ shoes

  showShoes({ table = "", number = "" } = {}) {
    const list = h("div", { class: "stack" });
    const proof = h("ul", { class: "proof", "aria-live": "polite" });
    const cards = h("div");
    const read = async () => {
      put(proof);
      put(cards);
      const name = choose.querySelector("select").value;
      if (!name) return;
      try {
        const shoes = await getJson(`/api/tables/${encodeURIComponent(name)}/shoes`);
        put(list, shoes.length ? figures([say("audit.shoe"), say("audit.when"), say("audit.commitment"), say("audit.proof")],
          shoes.map((shoe) => [shoe.number, timeText(shoe.at_ms), h("span", { class: "hex" }, `${shoe.commitment.slice(0, 16)}…`),
            h("button", { type: "button", "data-shoe": shoe.number, on: { click: () => this.prove(name, shoe, proof, cards) } }, say("audit.prove"))]), { caption: say("audit.tab_shoes"), numeric: [0] })
          : h("p", { class: "quiet" }, say("audit.no_shoes")));
        if (number) shoes.filter((shoe) => String(shoe.number) === String(number)).forEach((shoe) => this.prove(name, shoe, proof, cards));
      } catch (error) {
        toast(error);
      }
    };
    const choose = this.chooseTable("shoe-table", table);
    choose.querySelector("select").addEventListener("change", read);
    put(this.panel, h("div", { class: "stack" }, h("p", {}, say("audit.shoe_about")), h("div", { class: "fields sheet" }, choose), list, proof, cards));
    read();
  }

  async prove(table, shoe, proof, cards) {
    put(proof);
    put(cards);
    try {
      const file = await getJson(`/api/tables/${encodeURIComponent(table)}/shoes/${shoe.number}`);
      const steps = proveShoe(file, shoe.commitment);
      for (;;) {
        const { value, done } = await steps.next();
        if (done) {
          put(cards, h("h3", {}, say("audit.order")), h("div", { class: "shoe-cards", tabindex: 0, role: "region", "aria-label": say("audit.order") },
            value.order.map((face, at) => h("pb-card", { face, class: at < value.dealt ? "gone" : "" }))));
          break;
        }
        const text = value.step === "cut" && !value.detail ? say("audit.proof_uncut") : say(`audit.proof_${value.step}${value.good ? "" : "_wrong"}`, { detail: value.detail, by: wordOf("role", value.by ?? "") });
        proof.append(h("li", { class: value.good ? "is-right" : "mistaken" }, text));
      }
    } catch (error) {
      proof.append(h("li", { class: "mistaken" }, error.message));
    }
  }
}
define("pb-audit-page", AuditPage);
