// The dealer's seat: a real shoe keyed in card by card, the next thing to do at the top, and for trainees the question first.

import "../shared/shell.js";
import "../shared/card.js";
import "../shared/chips.js";
import { account } from "../shared/account.js";
import { getJson, postJson } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { define, h, pathParts, put, putAgain } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { showMoney } from "../shared/money.js";
import { keepPref, readPref } from "../shared/prefs.js";
import { floor } from "../shared/socket.js";
import { addTexts, say } from "../shared/text.js";
import { announce, toast } from "../shared/toast.js";
import { clauses, figures, gain, wordOf } from "../desks/common.js";
import "../desks/layout.js";
import { giveOrder } from "../desks/orders.js";
import { SCHOOL, drawSchoolForm, findSchool } from "./school.js";
import texts from "../texts/deal.js";

addTexts("deal", texts);

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["s", "h", "d", "c"];
const DRAW = { type: "draw" };
const CHIPS = "25000,5000,1000,500,100,25,10,5,2.5,1,0.5";
const DECISION_KEYS = { hit: "h", stand: "s", double: "d", split: "p", surrender: "r", switch: "w", insure: "i", "even-money": "e", forfeit: "f" };

class DealPage extends HTMLElement {
  connectedCallback() {
    const [place, table] = pathParts();
    this.school = place === "school";
    this.table = this.school ? SCHOOL : table;
    if (this.school) this.comeToSchool().catch(toast);
    else if (!this.table) this.listTables();
    else floor.watch(this.table).then((watched) => this.open(watched)).catch(toast);
  }

  disconnectedCallback() {
    this.unbind?.();
  }

  async listTables() {
    put(this, h("h1", {}, say("deal.title")), h("p", { class: "quiet" }, say("deal.choose")));
    const lines = (await getJson("/api/tables").catch((error) => (toast(error), []))).filter((line) => line.kind === "person");
    this.append(lines.length ? h("ul", {}, lines.map(({ name, game }) => h("li", {}, h("a", { href: `/deal/${encodeURIComponent(name)}` }, name), ` ${game}`)))
      : h("p", {}, say("deal.none")), h("p", {}, h("a", { class: "button", href: "/school" }, say("deal.to_school"))));
  }

  async comeToSchool() {
    const table = await findSchool();
    if (table) await this.open(table);
    else await this.openSchool();
  }

  async openSchool() {
    this.unbind?.();
    put(this, h("h1", {}, say("deal.school")), h("p", {}, say("deal.school_about")), await drawSchoolForm((table) => this.open(table).catch(toast)));
  }

  async open(watched) {
    this.watched = watched;
    this.rank = null;
    this.answered = new Set();
    this.cards = [];
    this.trainee = readPref("trainee") === "on";
    this.always = readPref("suits") === "on";
    this.step = h("section", { class: "next", "aria-labelledby": "next-step" });
    this.pad = h("section", { class: "stack", "aria-label": say("deal.cards") });
    this.layout = h("pb-layout", { class: "large" });
    this.side = h("div", { class: "stack" });
    const learn = h("button", { type: "button", "aria-pressed": String(this.trainee), on: { click: () => this.setTrainee(learn) } }, say("deal.trainee"));
    const suits = h("button", { type: "button", "aria-pressed": String(this.always), on: { click: () => this.setSuits(suits) } }, say("deal.always"));
    put(this, h("div", { class: "seat" },
      h("div", { class: "row" }, h("h1", {}, this.school ? watched.public.felt.title : say("deal.table", { name: this.table })), learn, suits,
        h("button", { type: "button", on: { click: () => this.correct() } }, say("deal.correct"), h("kbd", {}, "X")),
        h("button", { type: "button", on: { click: () => this.chooseOrder() } }, say("deal.mishap"), h("kbd", {}, "M")),
        this.school ? h("button", { type: "button", class: "plain", on: { click: () => this.openSchool().catch(toast) } }, say("deal.other_school")) : null),
      this.step, h("div", { class: "columns two" }, h("div", { class: "stack" }, this.pad, this.layout), this.side)));
    this.person = await account();
    watched.addEventListener("change", ({ detail }) => this.hear(detail));
    this.hear({ events: [], fresh: true });
    this.bind();
  }

  bind() {
    const keys = { g: () => this.go(), ".": () => this.go(), x: () => this.correct(), m: () => this.chooseOrder(), Escape: () => this.forgetRank() };
    const rankKeys = { a: "A", 1: "A", 0: "T", t: "T", j: "J", q: "Q", k: "K" };
    for (const rank of "23456789") rankKeys[rank] = rank;
    for (const [key, rank] of Object.entries(rankKeys)) keys[key] = () => this.keyRank(rank);
    for (const key of ["h", "s", "d", "c", "p", "r", "w", "i", "e", "f"]) keys[key] = () => this.press(key);
    this.unbind = bindKeys(keys);
  }

  // Until the card before is on the layout, letters do nothing. A letter is a suit while a rank waits for one, the cut card before a card, else what a box shows by hand.
  press(key) {
    if (this.rank) {
      if (SUITS.includes(key)) this.keyCard(this.rank + key);
      return;
    }
    if (this.keying) return;
    if (key === "c") {
      this.do({ type: "key-cut-card" });
      return;
    }
    const choices = this.seat?.step.choices ?? [];
    const wanted = choices.filter((choice) => DECISION_KEYS[choice.type] === key);
    if (wanted.length) this.do(wanted[0]);
  }

  hear(detail) {
    const document = this.watched.public;
    if (detail.fresh) this.readDealt();
    for (const { events } of detail.events ?? []) {
      for (const event of events) {
        if (event.type === "card-keyed") this.cards.push(event.card);
        if (event.type === "round-began" || event.type === "bets-closed") this.cards = [];
        if (event.type === "card-corrected") this.readDealt();
      }
    }
    const place = JSON.stringify([document.round, document.phase, document.dealer, document.boxes.map(({ hands }) => hands.map(({ cards }) => cards))]);
    if (place !== this.place) {
      this.place = place;
      this.marked = false;
      this.answered.clear();
    }
    this.layout.show(document);
    this.look();
  }

  // The cards of the round so far, read from the log: they have the numbers that a correction names.
  async readDealt() {
    if (this.school) {
      this.cards = this.watched.cards;
      return;
    }
    try {
      const rows = await getJson(`/api/tables/${encodeURIComponent(this.table)}/log?after=${Math.max(0, this.watched.seq - 300)}&limit=300`);
      let cards = [];
      for (const event of rows.flatMap((row) => row.events)) {
        if (event.type === "bets-closed" || event.type === "round-began") cards = [];
        else if (event.type === "card-keyed") cards.push(event.card);
        else if (event.type === "card-corrected") cards[event.number - 1] = event.card;
      }
      this.cards = cards;
      this.drawSide();
    } catch (error) {
      toast(error);
    }
  }

  async look() {
    const query = this.trainee ? `?trainee=true&answered=${[...this.answered].join("%20")}` : "";
    this.asking = (this.asking ?? 0) + 1;
    const own = this.asking;
    try {
      const answer = await getJson(`/api/tables/${encodeURIComponent(this.table)}/seat${query}`);
      if (own !== this.asking) return;
      this.keying = false;
      this.answer = answer;
      this.notePaid(answer.seat);
      this.seat = answer.seat;
      this.acts = answer.roles.includes(answer.ladder[0]) ? answer.ladder[0] : answer.roles[0];
      this.draw();
    } catch (error) {
      this.keying = false;
      put(this.step, h("h2", { id: "next-step" }, say("deal.not_yours")), h("p", {}, error.message));
    }
  }

  // What was settled since the step before is paid now, before anything else is done; not what is left when all is over.
  notePaid(seat) {
    const settled = seat?.settled ?? [];
    const known = this.seat?.settled.length ?? settled.length;
    if (!seat || settled.length < known || seat.step.kind === "clear" || (settled.length === known && seat.step.say !== this.seat?.step.say)) this.paidNow = [];
    else if (settled.length > known) this.paidNow = settled.slice(known);
  }

  // A question that is open, and marks that are being read, stay as they are while somebody else does something.
  draw() {
    const [question] = this.answer.questions;
    const asked = question ? JSON.stringify(question) : null;
    if (this.marked || (asked && asked === this.asked)) return;
    this.asked = asked;
    if (question) this.drawQuestion(question);
    else this.drawStep();
    this.drawPad();
    this.drawSide();
  }

  drawStep() {
    const { step, total } = this.seat;
    const act = this.findAct();
    const heading = h("h2", { id: "next-step" }, step.say);
    putAgain(this.step, this.paidNow?.length ? this.drawPayments(say("deal.pay_now"), this.paidNow) : null, heading, clauses(step.clauses, this.answer.book),
      total ? h("p", { class: "total" }, say("deal.total", { total })) : null,
      h("div", { class: "row choices" },
        act ? h("button", { type: "button", class: "main", "data-act": step.kind, on: { click: () => this.go() } }, this.nameAct(act), h("kbd", {}, "G")) : null,
        step.choices.map((choice) => h("button", { type: "button", on: { click: () => this.do(choice) } },
          this.nameChoice(choice), DECISION_KEYS[choice.type] ? h("kbd", {}, DECISION_KEYS[choice.type].toUpperCase()) : null))));
    announce([...(this.paidNow ?? []).map(({ words }) => words), step.say].join(" "));
  }

  nameChoice(choice) {
    if (choice.type === "prize") return showMoney(choice.amount);
    const name = wordOf("decision", choice.type);
    const who = choice.player ? ` ${choice.player}` : "";
    const amount = choice.amount ? ` ${showMoney(choice.amount)}` : "";
    return choice.type === "insure" || choice.type === "even-money" ? `${name}${who}${amount}, ${say("desks.box", { number: choice.box })}` : name;
  }

  nameAct(act) {
    const { kind } = this.seat.step;
    if (act === DRAW) return say("deal.draw_card");
    return kind === "decide" && this.watched.shows ? say("deal.they_show", { act: this.nameChoice(act) }) : say(`deal.do_${kind.replace("-", "_")}`);
  }

  findAct() {
    const { step, dealer } = this.seat;
    if (this.school && step.kind === "card") return DRAW;
    if (this.school && step.kind === "decide" && this.watched.shows) return this.watched.shows;
    if (step.kind === "come-on") return { type: "dealer", name: this.person.name };
    return dealer === this.person.name || step.kind === "come-on" ? step.command : null;
  }

  go() {
    const act = this.seat && this.findAct();
    if (act) this.do(act);
  }

  async do(command) {
    try {
      if (command === DRAW) await this.watched.draw();
      else await this.watched.ask(command, this.acts);
      return true;
    } catch (error) {
      toast(error);
      return false;
    }
  }

  keyRank(rank) {
    if (!this.seat) return;
    if (this.seat.suited || this.always) {
      this.rank = rank;
      this.drawPad();
    } else if (this.seat.keys[rank]) this.keyCard(this.seat.keys[rank]);
  }

  forgetRank() {
    this.rank = null;
    this.drawPad();
  }

  keyCard(card) {
    this.rank = null;
    this.keying = true;
    this.do({ type: "key-card", card }).then((done) => {
      if (!done) this.keying = false;
    });
  }

  drawPad() {
    if (!this.seat || this.seat.dealer !== this.person?.name) {
      put(this.pad);
      return;
    }
    const due = this.seat.step.kind === "card";
    const ranks = RANKS.filter((rank) => this.seat.keys[rank]);
    const suits = SUITS.map((suit) => h("button", { type: "button", class: `suit-${suit}`, on: { click: () => this.keyCard(this.rank + suit) } }, say(`deal.suit_${suit}`), h("kbd", {}, suit.toUpperCase())));
    putAgain(this.pad,
      this.rank ? [h("p", {}, say("deal.which_suit", { rank: this.rank === "T" ? "10" : this.rank })), h("div", { class: "row" }, suits, h("button", { type: "button", on: { click: () => this.forgetRank() } }, say("shared.cancel"), h("kbd", {}, "Esc")))]
        : [h("p", { class: "quiet small" }, say(this.seat.suited || this.always ? "deal.suited" : "deal.ranks_only")),
          h("div", { class: "rank-keys" }, ranks.map((rank) => h("button", { type: "button", disabled: !due, "data-rank": rank, on: { click: () => this.keyRank(rank) } }, rank === "T" ? "10" : rank)),
            h("button", { type: "button", on: { click: () => this.do({ type: "key-cut-card" }) }, "aria-label": say("deal.cut_card") }, "✂", h("kbd", {}, "C")))]);
  }

  drawSide() {
    const payments = this.seat?.payments ?? [];
    const settled = this.seat?.settled ?? [];
    put(this.side,
      this.seat ? h("dl", { class: "pairs" }, h("dt", {}, say("deal.dealer")), h("dd", {}, this.seat.dealer || say("deal.nobody")),
        h("dt", {}, say("deal.staked")), h("dd", {}, showMoney(this.seat.staked)), h("dt", {}, say("deal.round")), h("dd", {}, this.watched.public.round)) : null,
      payments.length ? this.drawPayments(say("deal.payments"), payments) : null,
      settled.length ? this.drawPayments(say("deal.settled"), settled) : null,
      this.cards.length ? h("section", {}, h("h3", {}, say("deal.dealt")), h("ol", { class: "dealt" }, this.cards.map((face, at) => h("li", {}, h("pb-card", { face }), at + 1)))) : null);
  }

  drawPayments(title, payments) {
    return h("section", {}, h("h3", {}, title), h("ul", { class: "payments" }, payments.map((payment) => h("li", {},
      h("strong", {}, payment.box), h("span", {}, payment.words, " ", clauses(payment.clauses, this.answer.book)), gain(payment.net),
      payment.net.startsWith("-") || payment.net === "0" ? null : h("span", { class: "chips row" }, h("pb-chips", { amount: payment.net, denominations: CHIPS }),
        h("span", { class: "quiet small" }, payment.chips.map((chip) => showMoney(chip)).join(", ")))))));
  }

  // ------------------------------------------------------------------ learning

  setTrainee(button) {
    this.trainee = !this.trainee;
    keepPref("trainee", this.trainee ? "on" : "off");
    button.setAttribute("aria-pressed", String(this.trainee));
    this.marked = false;
    this.look();
  }

  setSuits(button) {
    this.always = !this.always;
    keepPref("suits", this.always ? "on" : "off");
    button.setAttribute("aria-pressed", String(this.always));
    this.drawPad();
  }

  drawQuestion(question) {
    const send = async (fields) => {
      try {
        const marked = await postJson(`/api/tables/${encodeURIComponent(this.table)}/seat/answers`, { kind: question.kind, seq: this.answer.seq, ...fields });
        this.answered.add(question.kind);
        this.showMarks(marked);
      } catch (error) {
        toast(error);
        this.look();
      }
    };
    if (question.kind === "draw") {
      put(this.step, h("h2", { id: "next-step" }, question.ask, " ", say("deal.draw_or_stand")), h("div", { class: "row choices" },
        question.choices.map((choice) => h("button", { type: "button", on: { click: () => send({ draw: choice }) } }, wordOf("decision", choice)))));
      return;
    }
    announce(question.ask);
    const inputs = question.wagers.map((wager) => h("input", { name: "net", "aria-label": say("deal.net_of", { box: wager.box, wager: wager.wager }), inputmode: "decimal", autocomplete: "off" }));
    const submit = (event) => {
      event.preventDefault();
      send({ pay: inputs.map((input) => input.value.trim() || "0") });
    };
    put(this.step, h("h2", { id: "next-step" }, question.ask), h("form", { class: "pay-form stack", on: { submit } },
      figures([say("desks.box_head"), say("desks.player"), say("desks.wager"), say("desks.stake"), say("desks.net")],
        question.wagers.map((wager, at) => [wager.hand > 1 ? `${wager.box}/${wager.hand}` : wager.box, wager.player, wager.wager, showMoney(wager.stake), inputs[at]]), { caption: question.ask, numeric: [3] }),
      h("p", { class: "quiet small" }, say("deal.how")),
      h("div", { class: "row" }, h("button", { class: "main" }, say("deal.answer")))));
    inputs[0]?.focus();
  }

  showMarks(marked) {
    const right = marked.every((mark) => mark.correct);
    this.marked = true;
    this.asked = null;
    put(this.step, h("h2", { id: "next-step" }, say(right ? "deal.all_right" : "deal.not_all_right")),
      h("ul", {}, marked.map((mark) => h("li", { class: mark.correct ? "is-right" : "mistaken" },
        mark.about, ": ", mark.correct ? say("deal.you_said", { given: mark.given }) : say("deal.but_right", { given: mark.given || "—", right: mark.right }), " ", clauses(mark.clauses, this.answer.book)))),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", on: { click: () => this.readOn() } }, say("deal.go_on"))));
    this.step.querySelector("button").focus();
    announce(this.step.firstElementChild.textContent);
  }

  readOn() {
    this.marked = false;
    this.look();
  }

  // ------------------------------------------------------------------ what goes wrong

  async readForms() {
    return getJson(`/api/tables/${encodeURIComponent(this.table)}/order-forms`);
  }

  async correct() {
    const forms = await this.readForms().catch((error) => (toast(error), []));
    const form = forms.find(({ type }) => type === "correct-card");
    if (!form) return;
    if (form.role) {
      await giveOrder(form, { table: this.table, book: this.answer.book, roles: this.answer.roles, known: {}, ask: this.asker() }, { number: this.cards.length });
      return;
    }
    const number = h("input", { name: "number", inputmode: "numeric", value: String(this.cards.length || 1) });
    const card = h("input", { name: "card", placeholder: "Td" });
    const link = h("a", { target: "_blank" }, say("deal.open_desk"));
    const point = () => {
      link.href = `/desk/${encodeURIComponent(this.table)}?order=correct-card&number=${encodeURIComponent(number.value)}&card=${encodeURIComponent(card.value)}`;
    };
    point();
    const body = h("div", { class: "stack", on: { input: point } },
      h("p", {}, say("deal.who_allows", { role: wordOf("role", form.powers[0]?.role ?? "") })),
      h("div", { class: "fields" }, h("label", {}, say("deal.card_number"), number), h("label", {}, say("deal.right_card"), card)), h("p", {}, link));
    await openDialog({ title: say("deal.correct"), body });
  }

  async chooseOrder() {
    const forms = (await this.readForms().catch((error) => (toast(error), []))).filter(({ group }) => ["irregularity", "void", "equipment", "dispute"].includes(group));
    let chosen = null;
    const list = (dialog) => h("ul", { class: "stack orders-list" }, forms.map((form, at) => h("li", {},
      h("button", { type: "button", autofocus: at === 0, on: { click: () => {
        chosen = form;
        dialog.close();
      } } }, wordOf("order", form.type)), h("span", { class: "small" }, form.says.split(". ")[0].replace(/`/g, ""), " ", this.trainee ? null : clauses(form.powers[0]?.clauses, this.answer?.book)))));
    await openDialog({ title: say("deal.mishap"), className: "order-dialog", body: list });
    if (!chosen) return;
    if (this.trainee) await this.askWhose(chosen);
    const roles = this.answer.roles;
    if (chosen.role) await giveOrder(chosen, { table: this.table, book: this.answer.book, roles, known: this.listKnown(), ask: this.asker() });
    else toast(say("deal.call_role", { role: wordOf("role", chosen.powers[0]?.role ?? "") }), chosen.powers[0]?.clauses ?? []);
  }

  /** What gives an order where it is no table of the floor. */
  asker() {
    return this.school ? (command, role) => this.watched.ask(command, role) : undefined;
  }

  listKnown() {
    const document = this.watched.public;
    return { box: document.boxes.map((box) => box.number), player: document.players, wager: ["main", ...document.side_wagers] };
  }

  async askWhose(form) {
    let answered = null;
    const choose = (dialog) => h("div", { class: "row" }, [...this.answer.ladder, "nobody"].map((role) => h("button", { type: "button", on: { click: () => {
      answered = role;
      dialog.close();
    } } }, wordOf("role", role))));
    await openDialog({ title: say("deal.whose_order", { order: wordOf("order", form.type) }), body: choose });
    if (!answered) return;
    const [mark] = await postJson(`/api/tables/${encodeURIComponent(this.table)}/seat/answers`, { kind: "order", seq: this.answer.seq, order: form.type, role: answered });
    await openDialog({ title: say(mark.correct ? "deal.all_right" : "deal.not_all_right"), body: h("p", {}, say("deal.order_of", { role: wordOf("role", mark.right) }), " ", clauses(mark.clauses, this.answer.book)) });
  }
}
define("pb-deal-page", DealPage);
