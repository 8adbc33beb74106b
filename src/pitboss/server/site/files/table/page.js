// A table: the felt, and what somebody can do there.

import "../shared/shell.js";
import "../shared/card.js";
import "../shared/chips.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { floor } from "../shared/socket.js";
import { addTexts, say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import texts from "../texts/table.js";

addTexts("table", texts);

class TablePage extends HTMLElement {
  connectedCallback() {
    const [, name] = pathParts();
    put(this, h("h1", {}, say("table.title", { name })));
    floor.watch(name).then((watched) => { this.watched = watched; }, toast);
  }
}
define("pb-table-page", TablePage);
