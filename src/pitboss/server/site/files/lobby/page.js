// The lobby: the pit as tables, to sit down at, to watch or to practise.

import "../shared/shell.js";
import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { addTexts, say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import texts from "../texts/lobby.js";

addTexts("lobby", texts);

class LobbyPage extends HTMLElement {
  connectedCallback() {
    put(this, h("h1", {}, say("lobby.title")));
    getJson("/api/tables").then((lines) => {
      this.append(h("ul", {}, lines.map(({ name }) => h("li", {}, h("a", { href: `/table/${name}` }, name)))));
    }, toast);
  }
}
define("pb-lobby-page", LobbyPage);
