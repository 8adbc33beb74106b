// How long there is for what is waited for, in seconds, counted down where everybody sees it.

import { define } from "../shared/dom.js";
import { say } from "../shared/text.js";

class CountDown extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "timer");
    this.classList.add("figure");
    this.draw();
    this.clock = setInterval(() => this.draw(), 500);
  }

  disconnectedCallback() {
    clearInterval(this.clock);
  }

  draw() {
    const left = Math.max(0, Math.ceil((Number(this.getAttribute("until")) - Date.now()) / 1000));
    this.textContent = say("competitions.seconds_left", { count: left });
  }
}
define("pb-count-down", CountDown);
