// A strategy chart as tables: letters and colours, the meaning below, and what has changed marked by its own sign.

import { h } from "../shared/dom.js";
import { say } from "../shared/text.js";

/** Blocks are { title, columns, rows: [{ hand, cells: [{ code, was }] }] }; the legend is [{ code, words }]. */
export function drawChart(blocks, legend, notes = []) {
  const tables = blocks.map(({ title, columns, rows }) => h("div", { class: "scroll chart-block", tabindex: 0, role: "group", "aria-label": title },
    h("table", { class: "chart" },
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, say("lab.hand"))), columns.map((up) => h("th", { scope: "col" }, up)))),
      h("tbody", {}, rows.map(({ hand, cells }) => h("tr", {}, h("th", { scope: "row" }, hand), cells.map(drawCell)))))));
  const meanings = h("dl", { class: "chart-legend" }, legend.map(({ code, words }) =>
    h("div", {}, h("dt", { class: `cell code-${code[0]}` }, code), h("dd", {}, words))));
  const changed = blocks.some(({ rows }) => rows.some(({ cells }) => cells.some(({ was }) => was)));
  return [h("div", { class: "chart-blocks" }, tables), meanings,
    changed ? h("p", { class: "small" }, say("lab.changed_cells")) : null,
    notes.map((note) => h("p", { class: "small quiet" }, note))];
}

function drawCell({ code, was }) {
  const name = was ? say("lab.was", { code, was }) : undefined;
  return h("td", { class: `cell code-${code === "-" ? "none" : code[0]}${was ? " changed" : ""}`, title: name },
    code === "-" ? h("span", { "aria-label": say("lab.cannot_be") }, "·") : code,
    was ? [h("span", { "aria-hidden": "true" }, "′"), h("span", { class: "unseen" }, ` ${say("lab.instead_of", { was })}`)] : null);
}
