// The display of the pit: what meters show, as large as the wall allows, live.

import { define, h, put } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { followStream } from "../shared/streams.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { nameField } from "./words.js";

/** A meter on the wall has cents whether it needs them or not, so that figures do not jump. */
function showCents(value) {
  const text = showMoney(value);
  return text.includes(".") ? text.replace(/(\.\d\d)\d+$/, "$1") : `${text}.00`;
}

class JackpotDisplay extends HTMLElement {
  async connectedCallback() {
    const kind = this.getAttribute("kind");
    const name = this.getAttribute("name");
    document.body.classList.add("display");
    this.wall = h("div", { class: "jackpot-wall" });
    const full = h("button", { type: "button", on: { click: () => document.documentElement.requestFullscreen().catch(toast) } }, say("competitions.full_screen"));
    put(this, h("h1", { class: "unseen" }, say("competitions.display_of", { name })), this.wall,
      h("p", { class: "row end display-tools" }, h("a", { href: `/competitions/${kind}/${encodeURIComponent(name)}` }, say("competitions.to_page")), full));
    try {
      this.followed = await followStream(kind, name);
      this.followed.addEventListener("change", () => this.draw());
      this.draw();
    } catch (error) {
      put(this.wall, h("p", { class: "wrong" }, error.message));
    }
  }

  disconnectedCallback() {
    document.body.classList.remove("display");
    this.followed?.close();
  }

  draw() {
    const open = Object.entries(this.followed.shown.systems ?? {}).filter(([, { open: isOpen }]) => isOpen);
    put(this.wall, open.flatMap(([system, { values, works, wager }]) => Object.entries(values).map(([meter, value]) =>
      h("section", { class: "jackpot" }, h("h2", {}, nameField(meter === wager ? wager : `${wager} ${meter}`)),
        h("p", { class: "jackpot-value figure" }, works ? `$${showCents(value)}` : say("competitions.meter_broken")), h("p", { class: "small" }, system)))));
  }
}
define("pb-jackpot-display", JackpotDisplay);
