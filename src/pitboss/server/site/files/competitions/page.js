// Competitions: tournaments, promotions and jackpots, from terms to prizes.

import "../shared/shell.js";
import "./competition.js";
import "./competition-list.js";
import "./jackpot-display.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { addTexts } from "../shared/text.js";
import texts from "../texts/competitions.js";

addTexts("competitions", texts);

class CompetitionsPage extends HTMLElement {
  connectedCallback() {
    const [, kind, name, part] = pathParts();
    if (!name) put(this, h("pb-competition-list"));
    else put(this, h(part === "display" ? "pb-jackpot-display" : "pb-competition", { kind, name }));
  }
}
define("pb-competitions-page", CompetitionsPage);
