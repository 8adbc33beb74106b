// A table: the felt, the question and its answers, bets, the log, and help where somebody practises.

import "../shared/shell.js";
import "../felt/felt.js";
import "./bets.js";
import "./choices.js";
import { drawLine } from "./log.js";
import { askFloor, getJson } from "../shared/api.js";
import { account, comeInAsGuest, refreshAccount } from "../shared/account.js";
import { openDialog } from "../shared/dialog.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { addMoney, compareMoney, isAmount, moneyClass, showMoney, subtractMoney } from "../shared/money.js";
import { floor } from "../shared/socket.js";
import { play } from "../shared/sound.js";
import { addTexts, say } from "../shared/text.js";
import { announce, toast } from "../shared/toast.js";
import { drawSession, endSession, fetchReview, nameAction, showReview, sumSession } from "./review.js";
import texts from "../texts/table.js";

addTexts("table", texts);
const DECISIONS = ["h", "s", "d", "p", "r", "i", "e", "w", "t", "b", "c", "n", "f", "k", "g"];
const APART = ["insure", "switch", "leave"];

class TablePage extends HTMLElement {
  connectedCallback() {
    [, this.name] = pathParts();
    this.chip = "5";
    this.chosen = "1";
    this.advice = null;
    this.lastRound = null;
    this.build();
    floor.watch(this.name).then((watched) => this.start(watched), (error) => this.fail(error));
    account().then((person) => this.know(person), toast);
    document.addEventListener("pb-account", (event) => this.know(event.detail));
  }

  build() {
    this.heading = h("h1", {}, this.name);
    this.sign = h("p", { class: "sign-line quiet" });
    this.felt = h("pb-felt");
    this.call = h("p", { class: "call", role: "status", "aria-live": "polite" });
    this.clock = h("span", { class: "clock figure", "aria-hidden": "true" });
    this.purse = h("span", { class: "purse figure" });
    this.choices = h("pb-choices");
    this.explained = h("div", { class: "explained small", hidden: true });
    this.bets = h("pb-bets");
    this.bets.build(this);
    this.seat = h("div", { class: "seat row" });
    this.hint = h("div", { class: "hint row quiet" });
    this.result = h("div", { class: "last row" });
    this.reasons = h("ul", { class: "reasons", hidden: true, "aria-label": say("table.reasons") });
    this.log = h("pb-log");
    this.panel = h("section", { class: "panel", "aria-label": say("table.your_move") },
      h("div", { class: "ask" }, this.call, this.clock, this.purse), h("div", { class: "answers" }, this.choices, this.reasons), this.explained, this.bets, this.hint);
    this.foot = h("div", { class: "foot row" }, this.seat, this.bets.prices);
    put(this,
      h("div", { class: "head" }, this.heading, this.sign, h("button", { type: "button", class: "plain log-pull", "aria-expanded": "false", on: { click: (event) => this.pullLog(event) } }, say("table.log"))),
      this.felt, this.panel, this.foot, h("aside", {}, this.bets.wagers, this.log, this.result));
    this.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.closest("[data-costs], [data-wager]")) event.preventDefault();
    });
    this.felt.addEventListener("click", (event) => this.clickSpot(event));
    this.choices.addEventListener("choose", (event) => this.ask(event.detail));
    this.choices.addEventListener("go-on", () => this.callReady());
    bindKeys({ ...Object.fromEntries(DECISIONS.map((key) => [key, (event) => this.pressKey(key, event)])),
      " ": () => this.pressSpace(), x: () => this.press("x"), a: () => this.press("a"), "?": () => this.help(),
      ArrowLeft: () => this.move(1), ArrowRight: () => this.move(-1), v: () => this.placeChip(this.mainSpot(), "main") });
    this.ticking = setInterval(() => this.tick(), 250);
  }

  disconnectedCallback() {
    clearInterval(this.ticking);
  }

  pullLog(event) {
    const open = this.classList.toggle("log-open");
    event.currentTarget.setAttribute("aria-expanded", String(open));
  }

  fail(error) {
    put(this, h("h1", {}, say("table.title", { name: this.name })), h("p", { class: "wrong" }, error.message), h("p", {}, h("a", { href: "/" }, say("table.lobby"))));
  }

  know(person) {
    this.me = person?.name ?? "";
    this.wallet = person?.chips ?? "0";
    this.draw();
  }

  start(watched) {
    this.watched = watched;
    watched.addEventListener("change", (event) => this.hear(event.detail));
    watched.addEventListener("private", () => this.drawSoon());
    this.log.start(watched.public.felt.book);
    this.recall(watched.seq);
    const { felt, notice, round } = watched.public;
    this.chosen = felt.boxes[0].number;
    const least = notice.limits.minimum ?? "5";
    this.chip = felt.chips.find((value) => compareMoney(value, least) >= 0) ?? felt.chips[0];
    this.heading.textContent = felt.title;
    this.bets.prices.hidden = felt.spots.length + felt.bonuses.length === 0;
    document.title = `${felt.title} · pitboss`;
    this.lastRound = round > 1 ? round - 1 : null;
    this.draw();
  }

  /** What was said before somebody came. */
  async recall(seq) {
    try {
      const rows = await getJson(`/api/tables/${encodeURIComponent(this.name)}/log?after=${Math.max(0, seq - 40)}&limit=40`);
      this.log.recall(rows.filter((row) => row.seq <= seq).flatMap(({ said = [] }) => said), this.me);
    } catch (error) {
      toast(error);
    }
  }

  hear({ events }) {
    const doc = this.watched.public;
    const lines = events.flatMap(({ said = [] }) => said);
    this.log.add(lines, this.me);
    if (lines.some(({ kind }) => ["initial-deal", "card-drawn", "dealer-drew"].includes(kind))) play("card");
    else if (lines.some(({ kind }) => kind === "bet-placed")) play("chip");
    const own = lines.filter(({ net, player }) => net && player === this.me);
    // A hand that busts is decided before the others: what is told of a round adds up.
    const round = doc.phase === "betting" ? doc.round - 1 : doc.round;
    const before = this.told?.round === round ? this.told.lines : [];
    if (own.length) this.told = { round, lines: [...before, ...own], net: addMoney(...[...before, ...own].map(({ net }) => net)) };
    if (doc.phase === "betting" && this.before !== "betting" && doc.round > 1) this.endRound(doc.round - 1);
    this.before = doc.phase;
    this.advice = null;
    this.drawSoon();
  }

  // What arrives together is drawn once.
  drawSoon() {
    if (this.drawing) return;
    this.drawing = true;
    queueMicrotask(() => {
      this.drawing = false;
      this.draw();
    });
  }

  endRound(number) {
    this.lastRound = number;
    if (this.told?.round === number) announce(say("table.round_result", { number, net: showMoney(this.told.net, { signed: true }) }));
    if (this.watched.public.kind === "practice" && this.told?.round === number) fetchReview(this.name, number).then((review) => {
      this.review = review;
      this.draw();
    }, () => undefined);
    refreshAccount().catch(() => undefined);
  }

  get mine() {
    return this.watched.public.bets.filter(({ player }) => player === this.me);
  }

  draw() {
    if (!this.watched?.public) return;
    const doc = this.watched.public;
    const own = this.watched.private;
    const betting = doc.phase === "betting" && Boolean(own);
    this.felt.show(doc, { me: this.me, faceDown: own?.face_down, canBet: betting, chosen: this.chosen });
    this.classList.toggle("betting", betting);
    const { minimum, maximum } = doc.notice.limits;
    const sign = [say(`table.kind_${doc.kind}`), minimum && maximum ? say("table.limits", { minimum: showMoney(minimum), maximum: showMoney(maximum) }) : "", say("table.round", { number: doc.round })].filter(Boolean).join(" · ");
    if (this.sign.textContent !== sign) this.sign.textContent = sign;
    const question = own?.question ?? doc.call;
    if (this.call.textContent !== question) this.call.textContent = question;
    if (this.purse.dataset.shown !== (own?.chips ?? "")) this.drawPurse(own);
    this.drawChoices(doc, own);
    this.explain();
    this.bets.hidden = !betting || Boolean(own.choices.length);
    this.bets.wagers.hidden = this.bets.hidden || doc.felt.spots.length === 0;
    if (betting) this.bets.update({ doc, mine: this.mine, chosen: this.chosen, chip: this.chip, chips: own.chips, canRepeat: !this.mine.length && own.last_bets.length > 0 });
    this.drawReasons(doc);
    this.drawSeat(doc, own);
    this.drawHint(doc, own);
    this.drawLast(doc);
    this.tick();
  }

  drawPurse(own) {
    this.purse.dataset.shown = own?.chips ?? "";
    put(this.purse, own ? [h("span", { class: "quiet" }, say("table.your_chips")), " ", showMoney(own.chips)] : null);
  }

  drawChoices(doc, own) {
    const choices = own?.choices ?? [];
    const several = new Set(choices.map(({ key }) => key)).size < choices.length;
    const waiting = Boolean(own) && !doc.ready.includes(this.me);
    const open = doc.phase === "offers" || doc.pending || doc.phase === "settled";
    const passes = waiting && open && !choices.some(({ command }) => command.type === "press-button");
    const goOn = choices.length ? say("table.no_thanks") : say("table.go_on");
    this.choices.hidden = !choices.length && !passes;
    this.choices.update({ choices, advice: this.advice, several, canGoOn: passes, goOn });
  }

  /** What advice says in words: the best, how much worse the others are, and what is no choice of this hand by itself. */
  explain() {
    const { advice } = this;
    this.explained.hidden = !advice && !this.working;
    if (!advice) {
      put(this.explained, say("table.working_out"));
      return;
    }
    put(this.explained, h("span", {}, [...this.explainHand(advice.money), ...this.explainApart(advice)].join(" ")), this.explainOften(advice));
  }

  explainHand(money) {
    const own = Object.entries(money).filter(([kind]) => !APART.includes(kind)).map(([kind, value]) => [kind, value.replace("+", "")])
      .sort(([, one], [, other]) => compareMoney(other, one));
    if (!own.length) return [];
    const [[best, most], ...others] = own;
    return [say("table.explain", { best: nameAction(best), money: money[best].replace("-", "−") }),
      ...others.map(([kind, value]) => say("table.explain_less", { name: nameAction(kind), behind: showMoney(subtractMoney(most, value)) }))];
  }

  // Insurance is a wager of its own, and a switch is about both boxes: neither is set against what one hand is worth.
  explainApart({ money, best }) {
    const shown = (kind) => money[kind].replace("-", "−");
    const found = money.insure === undefined ? [] : [say("table.explain_insurance", { money: shown("insure") })];
    if (money.switch !== undefined) found.unshift(say(best === "switch" ? "table.explain_switch" : "table.explain_leave", { switched: shown("switch"), left: shown("leave") }));
    return found;
  }

  /** On demand: how often each choice wins, of a hundred. */
  explainOften({ shares = {} }) {
    if (!Object.keys(shares).length) return null;
    const lines = Object.entries(shares).map(([kind, { win, push, lose }]) => {
      const [won, lost] = [Math.round(win * 100), push ? Math.round(lose * 100) : 100 - Math.round(win * 100)];
      return h("li", {}, say("table.often", { name: nameAction(kind), win: won, push: 100 - won - lost, lose: lost }));
    });
    const details = h("details", { class: "often", open: this.often, on: { toggle: (event) => (this.often = event.target.open) } },
      h("summary", {}, say("table.how_often")), h("ul", {}, lines), h("p", { class: "quiet" }, say("table.often_note")));
    return details;
  }

  /** After a round: why each of one's wagers was won or lost, with its clause. */
  drawReasons(doc) {
    const lines = doc.phase === "settled" && this.told?.round === doc.round ? this.told.lines : [];
    this.reasons.hidden = !lines.length;
    const shown = JSON.stringify(lines);
    if (this.reasons.dataset.shown === shown) return;
    this.reasons.dataset.shown = shown;
    put(this.reasons, lines.map((line) => drawLine(line, this.me, doc.felt.book)));
  }

  drawSeat(doc, own) {
    const shown = JSON.stringify([Boolean(own), this.me, this.wallet, doc.kind, doc.phase, own?.going_along, own?.choices.length, doc.boxes.map(({ controller }) => controller)]);
    if (this.seat.dataset.shown === shown) return;
    this.seat.dataset.shown = shown;
    if (!own) {
      put(this.seat);
      return;
    }
    const shares = doc.boxes.some((box) => box.controller !== this.me && box.players.includes(this.me));
    put(this.seat,
      doc.kind === "practice" ? h("button", { type: "button", "data-act": "help", on: { click: () => this.help() } }, say("table.help"), h("kbd", {}, "?")) : null,
      shares ? h("label", {}, h("input", { type: "checkbox", checked: own.going_along, on: { change: (event) => this.ask({ type: "go-along", on: event.target.checked }) } }), say("table.go_along")) : null,
      h("button", { type: "button", class: "plain", "data-act": "buy", on: { click: () => this.sit() } }, say("table.buy_in")),
      doc.kind === "practice" ? null : h("button", { type: "button", class: "plain", "data-act": "dispute", on: { click: () => this.dispute() } }, say("table.dispute")),
      h("button", { type: "button", class: "plain", "data-act": "leave", on: { click: () => this.leave() } }, say("table.leave")));
  }

  /** What somebody does next who has not sat down, or has nothing on the table yet. */
  drawHint(doc, own) {
    const empty = Boolean(own) && !this.bets.hidden && !this.mine.length;
    this.hint.hidden = Boolean(own) && !empty;
    const shown = JSON.stringify([Boolean(own), this.me, doc.kind]);
    if (this.hint.hidden || this.hint.dataset.shown === shown) return;
    this.hint.dataset.shown = shown;
    if (own) {
      put(this.hint, say("table.how_to_bet"));
      return;
    }
    const text = this.me ? say("table.sit") : say("table.sit_as_guest");
    put(this.hint, h("button", { type: "button", class: "main", "data-act": "sit", on: { click: () => this.sit() } }, text),
      h("span", {}, say("table.you_watch"), " ", doc.kind === "practice" ? say("table.lent") : say("table.play_chips")));
  }

  drawLast(doc) {
    const number = this.lastRound;
    const shown = JSON.stringify([number, this.told, this.review?.number, doc.kind]);
    if (this.result.dataset.shown === shown) return;
    this.result.dataset.shown = shown;
    if (!number) return;
    const own = this.told?.round === number ? this.told : null;
    put(this.result, h("span", { class: "quiet" }, say("table.last_round", { number })),
      own ? h("b", { class: `figure ${moneyClass(own.net)}` }, moneyClass(own.net) ? showMoney(own.net, { signed: true }) : say("table.even")) : null,
      h("a", { href: `/round/${encodeURIComponent(this.name)}/${number}` }, say("table.open_round")),
      this.review?.number === number ? h("button", { type: "button", class: "plain", "data-act": "review", on: { click: () => showReview(this.review) } },
        Number(this.review.cost) > 0 ? say("table.review_cost", { cost: this.review.cost }) : say("table.review_best")) : null);
  }

  tick() {
    const until = this.watched?.public?.deadline_ms;
    const left = until ? Math.max(0, Math.ceil((until - Date.now()) / 1000)) : null;
    const text = left === null || left > 120 ? "" : say("table.seconds", { count: left });
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle("soon", left !== null && left <= 5);
  }

  async ask(command) {
    try {
      await this.watched.ask(command);
      return true;
    } catch (error) {
      toast(error);
      return false;
    }
  }

  async sit() {
    try {
      if (!this.me) await comeInAsGuest();
      const person = await account();
      const practice = this.watched.public.kind === "practice";
      const field = h("input", { inputmode: "decimal", value: practice ? "1000" : compareMoney(person.chips, "500") < 0 ? person.chips : "500", autofocus: true, "aria-label": say("table.amount") });
      const body = h("div", { class: "stack" }, h("p", {}, practice ? say("table.lent") : say("table.wallet", { amount: showMoney(person.chips) })), field);
      const buttons = [{ value: "no", text: say("shared.cancel") }, { value: "yes", text: say("table.buy_in"), main: true }];
      const answer = await openDialog({ title: say("table.buy_in"), body, buttons });
      if (answer !== "yes") return;
      if (!isAmount(field.value)) throw new Error(say("table.no_amount"));
      if (await this.ask({ type: "buy-in", amount: field.value.trim() })) await refreshAccount();
    } catch (error) {
      toast(error);
    }
  }

  /** Dispute something, or take what was ruled further: both go to whoever the book names. */
  async dispute() {
    const field = h("textarea", { rows: 3, maxlength: 200, autofocus: true, "aria-label": say("table.dispute_what") });
    const body = h("div", { class: "stack" }, h("p", {}, say("table.dispute_about")), field);
    const buttons = [{ value: "", text: say("shared.cancel") }, { value: "further", text: say("table.dispute_further"), costs: true }, { value: "call", text: say("table.dispute_call"), main: true, costs: true }];
    const answer = await openDialog({ title: say("table.dispute_title"), body, buttons });
    try {
      if (answer === "further") await askFloor({ type: "take-dispute-further", table: this.name }, "player");
      else if (answer !== "call") return;
      else if (!field.value.trim()) throw new Error(say("table.dispute_what"));
      else if (!(await this.ask({ type: "call-dispute", matter: field.value.trim().replace(/\s+/g, " ") }))) return;
      toast(say(answer === "call" ? "table.dispute_called" : "table.dispute_taken"));
    } catch (error) {
      toast(error);
    }
  }

  async leave() {
    const sum = this.watched.public.kind === "practice" ? sumSession(this.name) : null;
    const body = sum ? drawSession(sum) : h("p", {}, say("table.leave_text"));
    const buttons = [{ value: "no", text: say("table.stay") }, { value: "yes", text: say("table.leave"), main: true }];
    if ((await openDialog({ title: say("table.leave"), body, buttons })) !== "yes") return;
    if (!(await this.ask({ type: "leave-table" }))) return;
    endSession(this.name);
    location.href = "/";
  }

  // ---------------------------------------------------------------- bets

  pickChip(value) {
    this.chip = value;
    this.draw();
  }

  mainSpot() {
    const { boxes } = this.watched.public.felt;
    const box = boxes.find(({ number }) => number === this.chosen) ?? boxes[0];
    return box.area;
  }

  clickSpot(event) {
    const spot = event.target.closest("[data-wager]");
    if (!spot || spot.disabled) return;
    const number = spot.closest("pb-felt-box").dataset.number;
    this.chosen = number;
    if (spot.dataset.wager === "main") this.placeChip(this.mainSpot(), "main");
    else this.placeChip(spot.dataset.box, spot.dataset.wager);
  }

  async placeChip(box, wager, amount = this.chip) {
    const doc = this.watched.public;
    const place = doc.felt.boxes.find(({ number, area }) => number === box || area === box);
    if (place && wager === "main") this.chosen = place.number;
    const taken = doc.bets.some((bet) => bet.box === box && bet.wager === "main" && bet.player !== this.me);
    return this.ask({ type: "place-bet", box: wager === "main" && place ? place.area : box, amount, wager, seated: wager === "main" && !taken });
  }

  async clearBets() {
    for (const key of new Set(this.mine.map(({ box, wager }) => JSON.stringify([box, wager])).reverse())) {
      const [box, wager] = JSON.parse(key);
      await this.ask({ type: "remove-bet", box, wager });
    }
  }

  async placeAll(bets) {
    const order = [...bets].sort((one, other) => (other.wager === "main") - (one.wager === "main"));
    for (const { box, wager, amount } of order) if (!(await this.placeChip(box, wager, amount))) return;
  }

  repeatBets() {
    return this.placeAll(this.watched.private.last_bets);
  }

  doubleBets() {
    return this.placeAll(this.mine);
  }

  callReady() {
    return this.ask({ type: "ready" });
  }

  // ---------------------------------------------------------------- keys and help

  press(key) {
    if (this.bets.hidden) return;
    this.bets.querySelector(`[data-act="${key}"]:not(:disabled)`)?.click();
  }

  pressKey(key) {
    if (!this.choices.hidden && this.choices.press(key)) return;
    if (key === "d") this.press("d");
  }

  pressSpace() {
    if (!this.choices.hidden && this.choices.press("Space")) return;
    this.press("Space");
  }

  move(step) {
    const { boxes } = this.watched.public.felt;
    const at = boxes.findIndex(({ number }) => number === this.chosen);
    this.chosen = boxes[(at + step + boxes.length) % boxes.length].number;
    this.draw();
    if (!this.bets.hidden) announce(say("table.box", { number: this.chosen }));
  }

  async help() {
    if (this.watched?.public.kind !== "practice") return toast(say("table.no_help"));
    try {
      const seq = this.watched.seq;
      this.working = true;
      this.draw();
      const advice = await this.watched.advise();
      if (this.watched.seq !== seq) return;
      this.advice = advice;
      this.draw();
      announce(this.explained.firstElementChild.textContent);
    } catch (error) {
      toast(error);
    } finally {
      this.working = false;
      this.draw();
    }
  }
}
define("pb-table-page", TablePage);
