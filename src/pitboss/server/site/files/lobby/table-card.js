// <pb-table-card>: one table of the pit, with its sign, its places and what it costs.

import { define, h, put, s } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { say } from "../shared/text.js";

/** The places of a table as a small arc: those that are taken are filled. */
function drawPlaces({ places, number_of_players: players, robots }) {
  const dots = Array.from({ length: places }, (_, at) => {
    const angle = (Math.PI * (places === 1 ? 0.5 : at / (places - 1)) * 140) / 180 + (20 * Math.PI) / 180;
    const kind = at < players - robots.length ? "person" : at < players ? "robot" : "free";
    return s("circle", { cx: (60 + 50 * Math.cos(angle)).toFixed(1), cy: (8 + 34 * Math.sin(angle)).toFixed(1), r: 5, class: kind });
  });
  return s("svg", { viewBox: "0 0 120 52", class: "places", role: "img", "aria-label": say("lobby.places", { count: players, places }) },
    s("path", { class: "cloth", d: "M4 2H116A56 44 0 0 1 4 2Z" }), dots);
}

class TableCard extends HTMLElement {
  show(table) {
    const { name, title, kind, minimum, maximum } = table;
    const sign = minimum && maximum ? say("lobby.sign", { minimum: showMoney(minimum), maximum: showMoney(maximum) }) : say("lobby.no_sign");
    const meters = Object.entries(table.meters).map(([meter, value]) => h("div", {}, h("dt", {}, meter.replaceAll("-", " ")), h("dd", {}, showMoney(value.replace(/(\.\d\d)\d+$/, "$1")))));
    const path = `/table/${encodeURIComponent(name)}`;
    const action = table.chips !== null ? say("lobby.resume", { chips: showMoney(table.chips) }) : kind === "practice" ? say("lobby.practise") : say("lobby.sit");
    put(this,
      h("div", { class: "top" }, h("div", {}, h("h3", {}, h("a", { href: path }, title)), h("p", { class: "quiet small" }, say(`lobby.kind_${kind}`), " · ", name)), drawPlaces(table)),
      h("p", { class: "limits figure" }, sign),
      table.stopped ? h("p", { class: "wrong" }, table.stopped) : null,
      h("ul", { class: "lines" }, table.lines.map((line) => h("li", {}, line))),
      table.side_wagers.length ? h("p", { class: "small" }, h("span", { class: "quiet" }, say("lobby.sides")), " ", table.side_wagers.join(", ")) : null,
      meters.length ? h("dl", { class: "pairs small" }, meters) : null,
      h("dl", { class: "pairs small" }, this.drawCost(table)),
      h("p", { class: "row" }, h("a", { class: `button${table.chips !== null ? " main" : ""}`, href: path }, action),
        table.chips === null && kind !== "practice" && table.number_of_players ? h("a", { href: path }, say("lobby.watch")) : null));
  }

  drawCost({ edge, cost_per_hour: cost, rounds_per_hour: rounds, working_out: working, minimum }) {
    if (edge === null) return [h("dt", {}, say("lobby.edge")), h("dd", {}, working ? say("lobby.working") : say("lobby.unknown"))];
    return [h("div", {}, h("dt", {}, say("lobby.edge")), h("dd", {}, `${edge} %`)),
      cost === null ? null : h("div", {}, h("dt", {}, say("lobby.cost", { minimum: showMoney(minimum), rounds })), h("dd", { title: say("lobby.rounds") }, showMoney(cost)))];
  }
}
define("pb-table-card", TableCard);
