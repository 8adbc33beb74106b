// Orders of the house: a form made from the schema of its command, what the order would do, and the second click.

import { getJson, postJson } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import "../shared/card.js";
import { h, put } from "../shared/dom.js";
import { showMoney } from "../shared/money.js";
import { floor } from "../shared/socket.js";
import { say } from "../shared/text.js";
import { toast } from "../shared/toast.js";
import { clauses, figures, gain, readSchemas, wordOf } from "./common.js";
import "./layout.js";

const SET_BY_SERVER = ["type", "role", "person", "minute", "by"];
const ABOUT_THE_ORDER = ["reason", "told", "clause"];
// What a field may say, where its schema only says that it is a text.
const WORDS = {
  option: ["resplit", "insurance_on_ten", "double_with_ace", "auto_draw"],
};
const OUTCOMES = { "device-failed": ["spare", "none", "harm"] };
const BODIES = ["inspector", "surveillance"];

function kindOf(schema) {
  const options = schema.anyOf ?? [schema];
  const plain = options.find((option) => option.type !== "null") ?? schema;
  return { ...plain, optional: options.length > 1 || "default" in schema, default: schema.default };
}

function fieldFor(name, kind, value, known) {
  const id = `field-${name}`;
  const given = value ?? kind.default ?? "";
  if (kind.type === "boolean") return h("input", { id, name, type: "checkbox", checked: Boolean(given) });
  if (kind.enum) return h("select", { id, name }, kind.enum.map((option) => h("option", { value: option, selected: option === given }, option === "" ? say("desks.nothing") : wordOf("choice", String(option)))));
  const list = known[name] ? `${id}-known` : undefined;
  const text = Array.isArray(given) ? given.join(" ") : given ?? "";
  return [
    h("input", { id, name, list, value: text === null ? "" : String(text), inputmode: kind.type === "integer" || kind.format === "decimal" ? "decimal" : undefined, autocomplete: "off", autocapitalize: "none" }),
    list ? h("datalist", { id: list }, known[name].map((option) => h("option", { value: option }))) : null,
  ];
}

function readField(input, kind) {
  if (kind.type === "boolean") return input.checked;
  const text = input.value.trim();
  if (text === "") return kind.optional ? undefined : text;
  if (kind.type === "integer") return Number.isInteger(Number(text)) ? Number(text) : text;
  if (kind.type === "array") return text.split(/[\s,]+/);
  return text;
}

/** The fields of a command by its schema, and what reads them. `known` holds words that a field may offer. */
export async function makeFields(schemaName, given = {}, known = {}) {
  const { properties } = (await readSchemas()).$defs[schemaName];
  const names = Object.keys(properties).filter((name) => !SET_BY_SERVER.includes(name));
  const kinds = Object.fromEntries(names.map((name) => [name, kindOf(properties[name])]));
  const own = names.filter((name) => !ABOUT_THE_ORDER.includes(name));
  const form = h("div", { class: "fields" }, own.map((name) => h("p", { class: "field" },
    h("label", { for: `field-${name}` }, wordOf("field", name), kinds[name].optional && kinds[name].type !== "boolean" ? h("span", { class: "quiet small" }, say("desks.if_any")) : null), fieldFor(name, kinds[name], given[name], known))));
  const read = () => {
    const fields = {};
    for (const name of own) {
      const value = readField(form.querySelector(`[name="${name}"]`), kinds[name]);
      if (value !== undefined) fields[name] = value;
    }
    return fields;
  };
  return { form, read, has: (name) => names.includes(name) };
}

// Orders about a round that is on the table point at what has happened in it.
const GUIDED = { reconstruct: guideRebuilding, misdeal: guideMisdeal, "correct-card": guideCorrection };

function guideRebuilding(round, given) {
  const chosen = round.decisions.find(({ box, number }) => box === given.box && String(number) === String(given.number ?? ""));
  const choice = (value, text, on) => h("label", { class: "guide" }, h("input", { type: "radio", name: "wrong", value, checked: on }), text);
  const should = h("select", { id: "field-should", name: "should" }, round.should.map((word) => h("option", { value: word, selected: word === given.should }, wordOf("should", word))));
  const after = h("p", { class: "field" }, h("label", { for: "field-should" }, wordOf("field", "should")), should);
  const form = h("div", { class: "stack" }, h("fieldset", { class: "stack" }, h("legend", {}, say("desks.what_was_wrong")),
    choice("", say("desks.deal_was_wrong"), !chosen), round.decisions.map((decision, at) => choice(String(at), decision.say, decision === chosen))), after);
  const picked = () => round.decisions[form.querySelector("[name=wrong]:checked").value];
  const follow = () => (after.hidden = !picked());
  form.addEventListener("change", follow);
  follow();
  return { form, read: () => (picked() ? { box: picked().box, number: picked().number, should: should.value } : {}) };
}

function guideMisdeal(round, given) {
  const fell = h("input", { id: "field-fell", name: "fell", autocomplete: "off", autocapitalize: "none", value: given.fell ?? round.places.join(" ") });
  const form = h("div", { class: "fields" }, h("p", { class: "field wide" }, h("label", { for: "field-fell" }, wordOf("field", "fell"), h("span", { class: "quiet small" }, say("desks.as_it_should"))), fell));
  return { form, read: () => ({ fell: fell.value.split(/[\s,]+/).filter(Boolean) }) };
}

function guideCorrection(round, given) {
  const last = String(given.number || round.cards.length);
  const form = h("div", { class: "stack" }, h("fieldset", {}, h("legend", {}, say("desks.which_card")), h("div", { class: "row" }, round.cards.map((face, at) =>
    h("label", { class: "guide" }, h("input", { type: "radio", name: "number", value: at + 1, checked: String(at + 1) === last }), String(at + 1), h("pb-card", { face }))))),
  h("p", { class: "field" }, h("label", { for: "field-card" }, say("desks.right_card")), h("input", { id: "field-card", name: "card", autocomplete: "off", autocapitalize: "none", value: given.card ?? "", placeholder: "Td" })));
  return { form, read: () => ({ number: Number(form.querySelector("[name=number]:checked")?.value ?? 0), card: form.querySelector("[name=card]").value.trim() }) };
}

async function findFields(form, where, given, words) {
  const guide = GUIDED[form.type];
  return guide ? guide(await getJson(`/api/tables/${encodeURIComponent(where.table)}/round-so-far`), given) : makeFields(form.schema, given, words);
}

/** What an order would do: before and after, sentences, money. */
export function showPreview(preview, book) {
  if (!preview.granted) {
    return h("div", { class: "wrong", role: "status" }, h("p", {}, say("desks.refused", { reason: preview.reason })), clauses(preview.clauses, book));
  }
  const layout = (document, other) => {
    const drawn = h("pb-layout", { class: "small" });
    drawn.show(document, other);
    return drawn;
  };
  return h("div", { class: "preview stack" },
    h("p", {}, say("desks.by_role", { role: wordOf("role", preview.role) }), " ", clauses(preview.clauses, book)),
    preview.told_later.length ? h("p", {}, say("desks.told_later", { bodies: preview.told_later.join(", ") })) : null,
    preview.second_person ? h("p", { class: "wrong" }, say("desks.second_person", { amount: showMoney(preview.weight ?? "0") })) : null,
    preview.hidden_cards ? h("p", { class: "wrong" }, say("desks.hidden_cards")) : null,
    preview.after ? h("div", { class: "compare" },
      h("section", {}, h("h3", {}, say("desks.before")), layout(preview.before, preview.after)),
      h("section", {}, h("h3", {}, say("desks.after")), layout(preview.after, preview.before))) : null,
    preview.lines.length ? h("ol", { class: "lines" }, preview.lines.map((line) => h("li", {}, line.text, " ", clauses(line.clauses, book)))) : null,
    preview.payments.length ? figures([say("desks.box_head"), say("desks.player"), say("desks.wager"), say("desks.stake"), say("desks.net")],
      preview.payments.map((item) => [item.box, item.player, item.wager, showMoney(item.stake), gain(item.net)]), { caption: say("desks.settled"), numeric: [3, 4] }) : null,
    preview.moves.length ? figures([say("desks.from"), say("desks.to"), say("desks.amount")],
      preview.moves.map((moved) => [moved.debit, moved.credit, showMoney(moved.amount)]), { caption: say("desks.money"), numeric: [2] })
      : preview.after ? h("p", { class: "quiet" }, say("desks.no_money")) : null);
}

/** Who may give an order by the book: role, clause, who is told. */
export function showPowers(form, book) {
  const seen = new Set();
  const powers = form.powers.filter(({ id }) => !id || (!seen.has(id) && seen.add(id)));
  const list = h("ul", { class: "powers" }, powers.map((power) => h("li", { class: power.mine ? "mine" : "quiet" },
    h("span", {}, say("desks.or_above", { role: wordOf("role", power.role) })), " ", clauses(power.clauses, book),
    power.summary ? h("span", { class: "small" }, ` ${power.summary}`) : h("span", { class: "small" }, ` ${say("desks.silent")}`),
    power.told_before.length ? h("span", { class: "small" }, ` ${say("desks.told_before", { bodies: power.told_before.join(", ") })}`) : null)));
  return powers.length > 2 ? h("details", { class: "powers-of" }, h("summary", {}, say("desks.powers", { count: powers.length })), list) : list;
}

/**
 * Give an order in two clicks: fill the form in, see what it does, give it. Resolves with true when it was given.
 * `where` is { table, book, roles, known, ask }, where `ask` gives it if not the floor does; `given` are fields that are filled in already.
 */
export async function giveOrder(form, where, given = {}) {
  const words = OUTCOMES[form.type] ? { ...WORDS, outcome: OUTCOMES[form.type] } : WORDS;
  const fields = await findFields(form, where, given, { ...words, ...where.known });
  const roles = where.roles;
  const role = h("select", { id: "order-role", name: "role" }, roles.map((own) => h("option", { value: own, selected: own === form.role }, wordOf("role", own))));
  const under = form.powers.filter((power) => power.clauses.length);
  const clause = h("select", { id: "order-clause", name: "clause" }, h("option", { value: "" }, say("desks.first_power")),
    under.map((power) => h("option", { value: power.clauses[0] }, `${power.clauses[0]} ${power.summary}`.slice(0, 80))));
  const reason = h("input", { id: "order-reason", name: "reason", autocomplete: "off", value: given.reason ?? "" });
  const told = BODIES.map((body) => h("label", {}, h("input", { type: "checkbox", name: "told", value: body }), wordOf("body", body)));
  (fields.form.querySelector("input, select") ?? reason).setAttribute("autofocus", "");
  const shown = h("div", { class: "shown", "aria-live": "polite" });
  const needed = form.powers.some((power) => power.reason);
  const command = () => ({
    type: form.type, ...fields.read(), reason: reason.value.trim(),
    told: [...content.querySelectorAll("[name=told]:checked")].map((box) => box.value),
    ...(clause.value ? { clause: clause.value } : {}),
  });
  const act = h("button", { type: "button", class: "main", hidden: true }, say("desks.give"));
  const look = h("button", { type: "submit" }, say("desks.try_out"));
  const content = h("form", { class: "order stack" },
    h("p", {}, form.says.replace(/`/g, "")), showPowers(form, where.book), fields.form,
    h("div", { class: "fields" },
      h("p", { class: "field" }, h("label", { for: "order-role" }, say("desks.as_role")), role),
      under.length > 1 ? h("p", { class: "field" }, h("label", { for: "order-clause" }, say("desks.under")), clause) : null,
      h("p", { class: "field wide" }, h("label", { for: "order-reason" }, say("desks.reason"), needed ? null : h("span", { class: "quiet small" }, say("desks.if_any"))), reason),
      h("fieldset", { class: "row" }, h("legend", {}, say("desks.told")), told)),
    h("div", { class: "row" }, look, act), shown);
  let finish = () => undefined;
  let done = false;
  const stale = () => {
    act.hidden = true;
    put(shown);
  };
  content.addEventListener("input", stale);
  content.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const preview = await postJson(`/api/tables/${encodeURIComponent(where.table)}/preview`, { command: command(), role: role.value });
      put(shown, showPreview(preview, where.book));
      act.hidden = !preview.granted;
      shown.scrollIntoView({ block: "nearest" });
      if (preview.granted) act.textContent = preview.second_person ? say("desks.ask_second") : say("desks.give");
    } catch (error) {
      put(shown, h("p", { class: "wrong" }, error.message));
      act.hidden = true;
    }
  });
  act.addEventListener("click", async () => {
    act.disabled = true;
    try {
      await (where.ask ?? ((order, by) => orderAt(where.table, order, by)))(command(), role.value);
      done = true;
      finish();
    } catch (error) {
      toast(error);
      act.disabled = false;
    }
  });
  await openDialog({ title: wordOf("order", form.type), className: "order-dialog", body: (dialog) => {
    dialog.dataset.keep = "true";
    finish = () => dialog.close();
    return content;
  } });
  return done;
}

/** Ask a table for something in a role. */
export async function orderAt(table, command, role) {
  const watched = await floor.watch(table);
  return watched.ask(command, role);
}
