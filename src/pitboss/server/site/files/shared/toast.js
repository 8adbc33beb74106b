// What is said for a moment: refusals with their clauses, and news for those who listen instead of looking.

import { define, h } from "./dom.js";
import { say } from "./text.js";

const SHOWN_MS = 9000;

class Toasts extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", say("shared.messages"));
    this.polite = h("div", { class: "unseen", "aria-live": "polite", "aria-atomic": "false" });
    this.append(this.polite);
  }

  show(text, clauses) {
    const cited = clauses.length ? h("span", { class: "clause" }, ` ${clauses.join(", ")}`) : null;
    const close = h("button", { type: "button", class: "plain", "aria-label": say("shared.close") }, "×");
    const toast = h("div", { class: "toast", role: "alert" }, h("span", {}, text, cited), close);
    close.addEventListener("click", () => toast.remove());
    this.append(toast);
    while (this.querySelectorAll(".toast").length > 3) this.querySelector(".toast").remove();
    setTimeout(() => toast.remove(), SHOWN_MS);
  }

  announce(text) {
    this.polite.append(h("p", {}, text));
    while (this.polite.childElementCount > 12) this.polite.firstElementChild.remove();
  }
}
define("pb-toasts", Toasts);

function region() {
  let found = document.querySelector("pb-toasts");
  if (!found) document.body.append((found = document.createElement("pb-toasts")));
  return found;
}

/** Show a line for a while; errors of the server bring their clauses. */
export function toast(what, clauses = what?.clauses ?? []) {
  region().show(what instanceof Error ? what.message : String(what), clauses);
}

/** Say something to those who listen to the page. */
export function announce(text) {
  region().announce(text);
}
