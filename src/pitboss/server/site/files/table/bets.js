// <pb-bets>: the chips to bet with, the wagers of the chosen box, and what is done with bets before the deal.

import "../shared/chips.js";
import { drawChip } from "../shared/chips.js";
import { openDialog } from "../shared/dialog.js";
import { define, h, put } from "../shared/dom.js";
import { rove } from "../shared/keys.js";
import { addMoney, compareMoney, showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";

class Bets extends HTMLElement {
  build(table) {
    this.table = table;
    this.tray = h("div", { class: "tray", role: "radiogroup", "aria-label": say("table.chips") });
    this.spots = h("div", { class: "spots" });
    this.prices = h("button", { type: "button", class: "plain prices-of", "data-act": "prices", on: { click: () => this.showPrices() } }, say("table.what_pays"));
    this.buttons = h("div", { class: "row" });
    put(this, this.tray, this.buttons);
    this.wagers = h("details", { class: "wagers", open: true, hidden: true }, h("summary", {}, say("table.side_wagers")), this.spots);
    rove(this.tray);
    this.tray.addEventListener("pointerdown", (event) => this.drag(event));
  }

  /** `seat`: { doc, mine, chosen, chip, chips, canRepeat } */
  update(seat) {
    this.seat = seat;
    const shown = JSON.stringify([seat.chip, seat.chips, seat.doc.felt.chips]);
    if (this.tray.dataset.shown !== shown) {
      this.tray.dataset.shown = shown;
      const had = this.tray.contains(document.activeElement);
      const chips = seat.doc.felt.chips.filter((value) => compareMoney(value, seat.chips) <= 0 || value === seat.chip).slice(0, 8);
      put(this.tray, chips.map((value) => h("button", {
        type: "button", class: "chip", role: "radio", "aria-checked": String(value === seat.chip), tabindex: value === seat.chip ? 0 : -1,
        "data-chip": value, "aria-label": say("table.chip", { amount: showMoney(value) }), on: { click: () => this.table.pickChip(value) },
      }, drawChip(value))));
      if (had) this.tray.querySelector("[aria-checked=true]")?.focus();
    }
    const empty = seat.mine.length === 0;
    const open = `${empty} ${seat.canRepeat}`;
    if (this.buttons.dataset.shown !== open) this.drawButtons(seat, open, empty);
    this.drawSpots(seat);
  }

  drawButtons(seat, open, empty) {
    this.buttons.dataset.shown = open;
    const had = this.buttons.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    put(this.buttons,
      this.button("x", say("table.clear"), () => this.table.clearBets(), empty),
      this.button("a", say("table.repeat"), () => this.table.repeatBets(), !seat.canRepeat, { "data-costs": true }),
      this.button("d", say("table.double_bets"), () => this.table.doubleBets(), empty, { "data-costs": true }),
      this.button("Space", say("table.deal"), () => this.table.callReady(), empty, { class: "main" }));
    if (had) this.buttons.querySelector(`[data-act="${had}"]:not(:disabled)`)?.focus();
  }

  button(key, text, act, disabled, more = {}) {
    const name = key === "Space" ? say("table.space") : key.toUpperCase();
    return h("button", { type: "button", disabled, "data-act": key, ...more, on: { click: act } }, text, h("kbd", {}, name));
  }

  drawSpots({ doc, mine, chosen }) {
    this.wagers.querySelector("summary").textContent = say("table.side_wagers_of", { number: chosen });
    const area = doc.felt.boxes.find(({ number }) => number === chosen)?.area ?? chosen;
    const shown = JSON.stringify([mine, chosen, doc.notice.not_offered]);
    if (this.spots.dataset.shown === shown) return;
    this.spots.dataset.shown = shown;
    put(this.spots, doc.felt.spots.map((spot) => {
      const box = spot.per_area ? area : chosen;
      const own = mine.filter((bet) => bet.wager === spot.wager && bet.box === box);
      const pays = spot.pays.map(({ name, pays: odds }) => `${name} ${odds}`).join("\n");
      const [odds, more] = [[...new Set(spot.pays.map(({ pays: one }) => one))], 3];
      return h("button", {
        type: "button", class: "wager", disabled: doc.notice.not_offered.includes(spot.wager), title: pays, "data-side": spot.wager, "data-box": box, "data-wager": spot.wager,
        on: { click: () => this.table.placeChip(box, spot.wager) },
      }, h("span", { class: "line" }, h("span", { class: "short" }, spot.short), h("b", {}, spot.name),
        own.length ? h("span", { class: "figure staked" }, showMoney(addMoney(...own.map(({ amount }) => amount)))) : null),
      h("small", {}, spot.meters.length || !odds.length ? say("table.by_meter") : `${odds.slice(0, more).join(", ")}${odds.length > more ? ", …" : ""}`));
    }));
  }

  /** All that side wagers and bonuses pay, each with its clause. */
  showPrices() {
    const { felt } = this.table.watched.public;
    const table = (name, pays) => h("section", {}, h("h3", {}, name), h("table", {}, pays.map((line) => h("tr", {}, h("td", {}, line.name), h("td", { class: "figure" }, line.pays),
      h("td", { class: "clause" }, line.clauses[0] ?? "")))));
    openDialog({ title: say("table.what_pays"), className: "prices", body: h("div", { tabindex: -1, autofocus: true },
      felt.bonuses.length ? table(say("table.bonuses"), felt.bonuses) : null, ...felt.spots.map(({ name, short, pays }) => table(`${name} (${short})`, pays))) });
    document.querySelector("dialog.prices").scrollTop = 0;
  }

  /** A chip that is drawn from the tray onto a spot. */
  drag(event) {
    const chip = event.target.closest("[data-chip]");
    if (!chip || event.button !== 0) return;
    const value = chip.dataset.chip;
    const from = { x: event.clientX, y: event.clientY };
    let ghost = null;
    const move = (moved) => {
      if (!ghost && Math.hypot(moved.clientX - from.x, moved.clientY - from.y) < 8) return;
      if (!ghost) document.body.append((ghost = h("div", { class: "ghost", "aria-hidden": "true" }, drawChip(value))));
      ghost.style.setProperty("left", `${moved.clientX}px`);
      ghost.style.setProperty("top", `${moved.clientY}px`);
    };
    const end = (last) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      const spot = document.elementFromPoint(last.clientX, last.clientY)?.closest("[data-wager]");
      this.table.pickChip(value);
      if (spot && last.type === "pointerup") this.table.placeChip(spot.dataset.box, spot.dataset.wager);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }
}
define("pb-bets", Bets);
