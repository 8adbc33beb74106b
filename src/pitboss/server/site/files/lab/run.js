// <pb-lab-run>: rounds played from the page, with what a round wins and how the edge came about as pictures.

import { define, h, put, s } from "../shared/dom.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { LongWork } from "./asking.js";
import { drawProgress } from "./values.js";

const WIDTH = 640, HEIGHT = 240, FOOT = 22, SIDE = 56;

class LabRun extends HTMLElement {
  show(state) {
    this.state = state;
    const key = JSON.stringify(state.choice);
    if (key === this.key) return;
    this.key = key;
    this.work?.stop();
    this.work = new LongWork((work) => this.drawWork(work));
    const choose = (name, values) => h("select", { name }, values.map((value) => h("option", { value }, say(`lab.${name}_${value}`))));
    const strategy = choose("strategy", ["chart", "optimum", "mimic-the-dealer", "never-bust"]);
    const rounds = choose("rounds", ["1000000", "5000000", "20000000", "50000000"]);
    const seed = h("input", { name: "seed", inputmode: "numeric", size: 6, value: "1" });
    const fresh = h("input", { name: "fresh", type: "checkbox" });
    this.result = h("div");
    const begin = (event) => {
      event.preventDefault();
      const wish = { rounds: Number(rounds.value), seed: Number(seed.value) || 1, strategy: strategy.value, fresh_shoe: fresh.checked };
      this.work.begin("/api/lab/works/simulation", { choice: this.state.choice, wish }).catch(toast);
    };
    put(this, h("h2", {}, say("lab.run_title")), h("p", {}, say("lab.run_words")),
      h("form", { class: "row lab-form", on: { submit: begin } },
        h("label", {}, say("lab.strategy"), strategy), h("label", {}, say("lab.rounds"), rounds), h("label", {}, say("lab.seed"), seed), h("label", {}, fresh, say("lab.fresh")),
        h("button", { class: "main" }, say("lab.begin"))), this.result);
  }

  drawWork(work) {
    const found = work.simulation;
    put(this.result, drawProgress(work, () => this.work.stop()), found ? [
      h("dl", { class: "lab-figures" },
        [["edge", found.edge, say("lab.interval", { low: found.low.text, high: found.high.text })], ["deviation", found.deviation, say("lab.of_a_round")], ...(found.exact ? [["exact", found.exact, say("lab.exact_words")]] : [])]
          .map(([id, number, note]) => h("div", { "data-figure": id }, h("dt", {}, say(`lab.figure_${id}`)), h("dd", { class: "big" }, number.text), h("dd", { class: "small quiet" }, note)))),
      h("figure", {}, h("figcaption", {}, say("lab.bars")), drawBars(found.bars)),
      found.path.length > 1 ? h("figure", {}, h("figcaption", {}, say("lab.path")), drawPath(found.path, found.exact ?? null)) : null,
      h("details", {}, h("summary", {}, say("lab.as_table")), h("table", {}, h("tbody", {}, found.bars.map(({ words }) => h("tr", {}, h("td", { class: "figure" }, words)))))),
    ] : null);
  }
}
define("pb-lab-run", LabRun);

function frame(name, ...children) {
  return s("svg", { class: "picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": name }, children);
}

function drawBars(bars) {
  const low = Math.min(...bars.map(({ at }) => at)) - 0.5, high = Math.max(...bars.map(({ at }) => at)) + 0.5;
  const most = Math.max(...bars.map(({ share }) => share));
  const x = (at) => ((at - low) / (high - low)) * WIDTH;
  const wide = Math.max(3, Math.min(26, (WIDTH / (high - low)) * 0.42));
  const top = [...bars].sort((one, other) => other.share - one.share).slice(0, 3).map(({ words }) => words).join("; ");
  return frame(say("lab.bars_named", { top }),
    s("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT }),
    bars.map(({ at, share, words }) => s("rect", { class: at > 0 ? "bar-won" : at < 0 ? "bar-lost" : "bar-even", x: x(at) - wide / 2, width: wide, y: HEIGHT - FOOT - (share / most) * (HEIGHT - FOOT - 8), height: (share / most) * (HEIGHT - FOOT - 8) }, s("title", {}, words))),
    bars.filter(({ at }) => Number.isInteger(at)).map(({ at }) => s("text", { x: x(at), y: HEIGHT - 6, "text-anchor": "middle" }, at > 0 ? `+${at}` : String(at))));
}

function drawPath(path, exact) {
  const shares = [...path.map(({ share }) => share), ...(exact ? [exact.value] : [])];
  const low = Math.min(...shares), high = Math.max(...shares), room = high - low || 1e-6;
  const last = path[path.length - 1].at;
  const x = (at) => SIDE + (at / last) * (WIDTH - SIDE - 8);
  const y = (share) => HEIGHT - FOOT - 6 - ((share - low) / room) * (HEIGHT - FOOT - 20);
  const label = (share) => `${(100 * share).toFixed(3)} %`;
  return frame(say("lab.path_named", { last: path[path.length - 1].words }),
    exact ? s("line", { class: "exact", x1: SIDE, x2: WIDTH, y1: y(exact.value), y2: y(exact.value) }) : null,
    s("polyline", { class: "path", points: path.map(({ at, share }) => `${x(at)},${y(share)}`).join(" ") }),
    s("text", { x: 0, y: y(high) + 4 }, label(high)), s("text", { x: 0, y: y(low) + 4 }, label(low)),
    s("text", { x: WIDTH, y: HEIGHT - 6, "text-anchor": "end" }, path[path.length - 1].at.toLocaleString("en")));
}
