// The display of the pit: what meters show, as large as the wall allows, live.

import { define, h, put } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { followStream } from "../shared/streams.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { nameField } from "./words.js";

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
    put(this.wall, open.flatMap(([system, { values, works }]) => Object.entries(values).map(([meter, value]) =>
      h("section", { class: "jackpot" }, h("h2", {}, Object.keys(values).length > 1 ? `${nameField(system)} · ${nameField(meter)}` : nameField(system)),
        h("p", { class: "jackpot-value figure" }, works ? `$${showMoney(value)}` : say("competitions.meter_broken"))))));
  }
}
define("pb-jackpot-display", JackpotDisplay);
