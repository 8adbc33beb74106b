// Drills: questions by topic about rounds on record. The answer is with the server until one has answered.

import "../shared/shell.js";
import { account } from "../shared/account.js";
import { getJson, postJson } from "../shared/api.js";
import { define, h, pathParts, put } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { showMoney } from "../shared/money.js";
import { addTexts, say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { clauses, figures, wordOf } from "../desks/common.js";
import "../desks/layout.js";
import texts from "../texts/drills.js";

addTexts("drills", texts);

class DrillsPage extends HTMLElement {
  connectedCallback() {
    this.topic = pathParts()[1];
    this.open();
    document.addEventListener("pb-account", () => this.open());
  }

  async open() {
    if (!(await account().catch(() => null))) {
      put(this, h("h1", {}, say("drills.title")), h("p", {}, say("drills.come_in")));
      return;
    }
    try {
      this.topics = await getJson("/api/drills");
      if (this.topic) await this.ask();
      else this.list();
    } catch (error) {
      toast(error);
    }
  }

  list() {
    put(this, h("h1", {}, say("drills.title")), h("p", {}, say("drills.intro")),
      h("p", {}, say("drills.deal_too"), " ", h("a", { href: "/school" }, say("drills.school"))),
      h("ul", { class: "topics" }, this.topics.map((topic) => h("li", {}, h("a", { href: `/drills/${topic.topic}` },
        h("h2", {}, wordOf("topic", topic.topic)), h("span", { class: "small" }, wordOf("about", topic.topic)),
        topic.asked ? h("progress", { max: topic.asked, value: topic.correct, "aria-label": say("drills.right_of", { correct: topic.correct, asked: topic.asked }) }) : null,
        h("span", { class: "quiet small figure" }, topic.asked ? say("drills.progress", topic) : say("drills.questions", { count: topic.questions })))))));
  }

  find() {
    return this.topics.find(({ topic }) => topic === this.topic) ?? { asked: 0, correct: 0, in_a_row: 0 };
  }

  async ask() {
    this.unbind?.();
    const { asked } = this.find();
    this.question = await getJson(`/api/drills/${encodeURIComponent(this.topic)}?turn=${asked}`);
    const question = this.question;
    const layout = h("pb-layout");
    layout.show(question.public);
    this.verdict = h("div", { "aria-live": "polite" });
    this.counter = h("span", { class: "quiet figure" });
    const answers = question.kind === "pay" ? this.makeFields(question) : this.makeChoices(question);
    put(this, h("div", { class: "drill" },
      h("div", { class: "row" }, h("h1", {}, wordOf("topic", this.topic)), this.counter, h("a", { href: "/drills" }, say("drills.all"))),
      h("p", { class: "quiet" }, question.game_name),
      h("div", { class: "columns two" },
        h("div", { class: "stack" }, layout, h("p", { class: "ask", id: "ask" }, question.ask), answers, this.verdict),
        h("section", {}, h("h2", {}, say("drills.so_far")), h("ol", { class: "told" }, question.told.map((line) => h("li", {}, line)))))));
    this.count(this.find());
    (answers.querySelector("input") ?? answers.querySelector("button"))?.focus({ preventScroll: true });
  }

  count(progress) {
    this.counter.textContent = progress.asked ? say("drills.progress", progress) : "";
  }

  makeFields(question) {
    this.inputs = question.wagers.map((wager) => h("input", { inputmode: "text", autocomplete: "off", "aria-label": say("drills.net_of", { box: wager.box, wager: wager.wager, player: wager.player }) }));
    const submit = (event) => {
      event.preventDefault();
      this.send(this.inputs.map((input) => input.value.trim() || "0"));
    };
    return h("form", { class: "stack", on: { submit } },
      figures([say("desks.box_head"), say("desks.player"), say("desks.wager"), say("desks.stake"), say("desks.net")],
        question.wagers.map((wager, at) => [wager.hand > 1 ? `${wager.box}/${wager.hand}` : wager.box, wager.player, wager.wager.replace(/-/g, " "), showMoney(wager.stake), this.inputs[at]]), { caption: question.ask, numeric: [3] }),
      h("p", { class: "quiet small" }, say("drills.how")),
      h("div", { class: "row choices" }, h("button", { class: "main" }, say("drills.mark"))));
  }

  makeChoices(question) {
    this.unbind = bindKeys({ g: () => this.send(["granted"]), r: () => this.send(["refused"]) });
    return h("div", { class: "row choices" }, question.choices.map((choice) =>
      h("button", { type: "button", on: { click: () => this.send([choice]) } }, say(`drills.${choice}`), h("kbd", {}, choice[0].toUpperCase()))));
  }

  async send(answers) {
    this.unbind?.();
    this.unbind = null;
    try {
      const { marked, progress } = await postJson("/api/drills/answers", { question: this.question.id, answers });
      Object.assign(this.find(), progress);
      this.count(progress);
      for (const button of this.querySelectorAll(".choices button")) button.disabled = true;
      const book = this.question.game.split("/")[0];
      const next = h("button", { type: "button", class: "main", on: { click: () => this.ask().catch(toast) } }, say("drills.next"), h("kbd", {}, "N"));
      put(this.verdict, h("div", { class: "verdict stack" },
        h("h2", {}, say(marked.correct ? "drills.right" : "drills.wrong")),
        h("ul", {}, marked.answers.map((answer) => h("li", { class: answer.correct ? "is-right" : "mistaken" }, answer.about, ": ",
          answer.correct ? this.nameAnswer(answer.right) : say("drills.but", { given: this.nameAnswer(answer.given || "—"), right: this.nameAnswer(answer.right) }), " ", clauses(answer.clauses, book)))),
        this.question.kind === "granted" ? h("ul", {}, marked.explained.map((line) => h("li", {}, line.text, " ", clauses(line.clauses, book)))) : null,
        h("p", { class: "quiet" }, marked.title), h("div", { class: "row" }, next)));
      next.focus();
      this.unbind = bindKeys({ n: () => this.ask().catch(toast) });
    } catch (error) {
      toast(error);
    }
  }

  nameAnswer(text) {
    return text === "granted" || text === "refused" ? say(`drills.${text}`) : text;
  }
}
define("pb-drills-page", DrillsPage);
