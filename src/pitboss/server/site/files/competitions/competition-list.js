// Every competition of the floor, and the way to open another one.

import { account } from "../shared/account.js";
import { getJson } from "../shared/api.js";
import { define, h, put } from "../shared/dom.js";
import { askStream } from "../shared/streams.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { askForCommand } from "./command-form.js";
import { describeKind } from "./order-desk.js";
import { nameWord } from "./words.js";

const FIRST_COMMAND = { tournament: "lodge", promotion: "lodge", meters: "open-system", vouchers: "issue" };

class CompetitionList extends HTMLElement {
  connectedCallback() {
    this.list = h("div", { class: "competition-kinds" });
    this.opening = h("div");
    put(this, h("h1", {}, say("competitions.title")), h("p", { class: "quiet" }, say("competitions.intro")), this.list, this.opening);
    this.draw().catch(toast);
    document.addEventListener("pb-account", () => this.offerOpening());
    this.offerOpening();
  }

  async draw() {
    const lines = await getJson("/api/streams");
    const kinds = new Set([...Object.keys(FIRST_COMMAND), ...lines.map(({ kind }) => kind)]);
    put(this.list, [...kinds].map((kind) => this.drawKind(kind, lines.filter((line) => line.kind === kind))));
  }

  drawKind(kind, lines) {
    const one = ({ name, title, book, stopped }) => h("li", {}, h("a", { href: `/competitions/${kind}/${encodeURIComponent(name)}` }, title),
      h("span", { class: "small quiet" }, ` ${nameWord(book)}`), stopped ? h("p", { class: "small" }, stopped) : null);
    return h("section", { class: "sheet" }, h("h2", {}, say(`competitions.kind_${kind}`)),
      lines.length ? h("ul", { class: "plain-list" }, lines.map(one)) : h("p", { class: "quiet" }, say(`competitions.none_${kind}`)));
  }

  async offerOpening() {
    const person = await account().catch(() => null);
    const roles = person?.roles ?? [];
    if (roles.length === 0) return put(this.opening);
    const kind = h("select", { id: "new-kind" }, Object.keys(FIRST_COMMAND).map((each) => h("option", { value: each }, say(`competitions.one_${each}`))));
    const role = h("select", { id: "new-role" }, roles.map(([held, book], index) => h("option", { value: index }, book ? `${nameWord(held)}, ${nameWord(book)}` : nameWord(held))));
    const book = h("input", { id: "new-book", required: true, maxlength: 40, autocapitalize: "none", list: "new-books" });
    const books = h("datalist", { id: "new-books" }, [...new Set(roles.map(([, of]) => of).filter(Boolean))].map((of) => h("option", { value: of })));
    const setBook = () => {
      book.value = roles[Number(role.value)][1] || book.value;
    };
    role.addEventListener("change", setBook);
    setBook();
    const name = h("input", { id: "new-name", required: true, maxlength: 64, pattern: "[^ :\\/]+", autocapitalize: "none" });
    const open = async (event) => {
      event.preventDefault();
      const [held] = roles[Number(role.value)];
      try {
        const { commands, $defs: defs } = await describeKind(kind.value);
        const tag = FIRST_COMMAND[kind.value];
        const presets = tag === "lodge" ? { terms: (await getJson(`/api/kinds/${kind.value}/draft?${new URLSearchParams({ book: book.value, name: name.value })}`)).text } : {};
        const command = await askForCommand({ kind: kind.value, tag, schema: commands[tag], defs, presets, hidden: ["by", "role", "person"], role: held });
        if (!command) return;
        await askStream(`${kind.value} ${name.value}`, command, held, book.value);
        location.assign(`/competitions/${kind.value}/${encodeURIComponent(name.value)}`);
      } catch (error) {
        toast(error);
      }
    };
    const row = (id, text, element) => h("div", { class: "field" }, h("label", { for: id }, text), element);
    return put(this.opening, h("form", { class: "sheet", on: { submit: open } }, h("h2", {}, say("competitions.open_new")),
      h("div", { class: "row ends" }, row("new-kind", say("competitions.kind"), kind), row("new-name", say("competitions.name"), name),
        row("new-role", say("competitions.role"), role), row("new-book", say("competitions.book"), book), books,
        h("button", { class: "main" }, say("competitions.open_button")))));
  }
}
define("pb-competition-list", CompetitionList);
