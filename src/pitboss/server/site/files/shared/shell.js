// The head of every page: where one is, where one can go, who one is, and how it looks.

import { account, comeInAsGuest, holdsRole, signOut } from "./account.js";
import { openDialog } from "./dialog.js";
import { define, h, put, s } from "./dom.js";
import { showMoney } from "./money.js";
import { keepPref, readPref, setDeck, setTheme } from "./prefs.js";
import { floor } from "./socket.js";
import { say } from "./text.js";
import { toast } from "./toast.js";

/** The project's mark: the arc of a table and three boxes. */
export function drawMark() {
  return s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
    s("path", { d: "M4 9a12.5 12.5 0 0 0 24 0", fill: "none", stroke: "var(--brass)", "stroke-width": 2.5 }),
    [[8.5, 19.5], [16, 22.5], [23.5, 19.5]].map(([cx, cy]) => s("circle", { cx, cy, r: 2.6, fill: "currentColor" })));
}

class Shell extends HTMLElement {
  connectedCallback() {
    this.pages = JSON.parse(this.getAttribute("pages"));
    this.list = h("ul");
    this.who = h("div", { class: "who" });
    this.frozen = h("p", { class: "frozen", role: "status", hidden: true });
    const skip = h("a", { class: "skip", href: "#main" }, say("shared.skip"));
    const brand = h("a", { class: "brand", href: "/" }, drawMark(), "pitboss");
    put(this, skip, h("header", { class: "bar" }, brand, h("nav", { "aria-label": say("shared.pages") }, this.list), this.who), this.frozen);
    document.addEventListener("pb-account", (event) => this.draw(event.detail));
    floor.addEventListener("frozen", ({ detail }) => this.tellStanding(detail.frozen ? detail.reason : ""));
    floor.addEventListener("standing", ({ detail }) => this.tellStanding(detail.open ? "" : say("shared.lost")));
    this.draw(null);
    account().then((person) => this.draw(person), toast);
  }

  tellStanding(text) {
    this.frozen.hidden = !text;
    this.frozen.textContent = text;
  }

  draw(person) {
    const shown = this.pages.filter(({ roles }) => holdsRole(person, roles));
    put(this.list, shown.map(({ name, path, title }) =>
      h("li", {}, h("a", { href: path, "aria-current": name === this.getAttribute("page") ? "page" : undefined }, title))));
    const menu = h("button", { type: "button", class: "plain", on: { click: () => this.openMenu(person) } },
      person ? person.name : say("shared.menu"));
    if (person) menu.setAttribute("aria-label", say("shared.account", { name: person.name }));
    put(this.who, person ? h("span", { class: "figure quiet small", "data-chips": true }, showMoney(person.chips)) : null, menu);
  }

  openMenu(person) {
    const choose = (name, value, kept, act) => h("button", {
      type: "button", "aria-pressed": String(kept === value),
      on: { click: (event) => {
        act(value);
        for (const other of event.currentTarget.parentElement.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === event.currentTarget));
      } },
    }, say(`shared.${name}_${value}`));
    const group = (name, values, kept, act) => h("div", { class: "row", role: "group", "aria-label": say(`shared.${name}`) },
      h("span", { class: "quiet" }, say(`shared.${name}`)), values.map((value) => choose(name, value, kept, act)));
    const root = document.documentElement.dataset;
    const body = (dialog) => h("div", { class: "menu" },
      person ? h("p", {}, say("shared.signed_in", { name: person.name, chips: showMoney(person.chips) })) : this.offerWays(dialog),
      group("theme", ["night", "pale"], root.theme, setTheme),
      group("deck", ["two", "four"], root.deck, setDeck),
      group("sound", ["off", "on"], readPref("sound", "off"), (value) => keepPref("sound", value)),
      person ? h("p", { class: "row" }, h("a", { href: "/password" }, say("shared.password")), h("a", { href: "/second-factor" }, say("shared.factor"))) : null);
    const buttons = [{ value: "close", text: say("shared.close") }];
    if (person) buttons.unshift({ value: "leave", text: say("shared.sign_out"), costs: true });
    openDialog({ title: say("shared.menu"), body, buttons }).then((value) => {
      if (value === "leave") signOut().catch(toast);
    });
  }

  offerWays(dialog) {
    const name = h("input", { name: "name", maxlength: 32, autocomplete: "nickname", autocapitalize: "none" });
    const enter = async (event) => {
      event.preventDefault();
      try {
        await comeInAsGuest(name.value.trim());
        dialog.finish("in");
      } catch (error) {
        toast(error);
      }
    };
    return h("form", { class: "row", on: { submit: enter } }, h("label", {}, say("shared.guest_name"), name),
      h("button", { class: "main" }, say("shared.guest")), h("a", { href: "/sign-in" }, say("shared.sign_in")));
  }
}
define("pb-shell", Shell);
