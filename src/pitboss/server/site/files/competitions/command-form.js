// A command as a form, made of the schema that the floor publishes: no page has to know the fields of a command.

import { h } from "../shared/dom.js";
import { openDialog } from "../shared/dialog.js";
import { say } from "../shared/text.js";
import { nameCommand, nameField, nameWord } from "./words.js";

function resolve(schema, defs) {
  if (schema.$ref) return resolve(defs[schema.$ref.slice("#/$defs/".length)], defs);
  if (schema.anyOf) {
    const options = schema.anyOf.filter(({ type }) => type !== "null");
    return { ...resolve(options.find(({ type }) => type !== "null") ?? options[0], defs), default: schema.default };
  }
  return schema;
}

/** How a field is asked for: its element, and what reads its value; nothing stands for a field that is left out. */
function makeField(name, schema, defs, preset) {
  const wanted = resolve(schema, defs);
  const start = preset ?? schema.default ?? wanted.default;
  if (wanted.enum) {
    const select = h("select", { name }, wanted.enum.map((value) => h("option", { value, selected: value === start }, nameWord(value))));
    return { element: select, read: () => select.value };
  }
  if (wanted.type === "boolean") {
    const box = h("input", { type: "checkbox", name, set: { checked: Boolean(start) } });
    return { element: box, read: () => box.checked };
  }
  if (wanted.type === "integer" || wanted.type === "number") {
    const input = h("input", { name, inputmode: "numeric", pattern: "-?[0-9]+", set: { value: start ?? "" } });
    return { element: input, read: () => (input.value.trim() === "" ? undefined : Number(input.value)) };
  }
  if (wanted.type === "string") {
    const money = wanted.format === "decimal";
    const input = h("input", { name, ...(money ? { inputmode: "decimal", pattern: "[0-9]+([.][0-9]+)?" } : {}), maxlength: 2000, set: { value: start ?? "" } });
    return { element: input, read: () => input.value.trim() || undefined };
  }
  if (wanted.type === "array" && resolve(wanted.items ?? { type: "string" }, defs).type === "string") return makeLines(name, start);
  if (wanted.type === "object" && wanted.properties) return makeDocument(name, start);
  if (wanted.type === "object" && wanted.additionalProperties) return makeNames(name, resolve(wanted.additionalProperties, defs), start);
  return makeJson(name, start);
}

function makeArea(name, start, rows = 3) {
  return h("textarea", { name, rows, spellcheck: "false" }, start);
}

function makeLines(name, start) {
  const area = makeArea(name, (start ?? []).join("\n"));
  const lines = () => area.value.split("\n").map((line) => line.trim()).filter(Boolean);
  return { element: area, help: say("competitions.one_each_line"), read: () => lines() };
}

/** A document such as terms: its file as people write it, chosen or pasted; the floor reads it. */
function makeDocument(name, start) {
  const area = makeArea(name, typeof start === "string" ? start : "", 18);
  const file = h("input", { type: "file", accept: ".toml,text/plain", "aria-label": say("competitions.choose_file") });
  file.addEventListener("change", async () => {
    if (file.files[0]) area.value = await file.files[0].text();
  });
  return { element: area, more: file, help: say("competitions.document_help"), read: () => area.value.trim() || undefined };
}

/** Names with values: a line each, `ann = 50`; where the values are more than one figure, `seed 100, rate 0.5`. */
function makeNames(name, item, start) {
  const area = makeArea(name, Object.entries(start ?? {}).map(([key, value]) => `${key} = ${value}`).join("\n"));
  const fields = item.properties ? Object.keys(item.properties) : null;
  const readValue = (text) => {
    if (fields) return Object.fromEntries(text.split(",").map((part) => part.trim().split(/\s+/)).map(([key, ...rest]) => [key, rest.join(" ")]));
    return item.type === "integer" || item.type === "number" ? Number(text) : text;
  };
  const read = () => Object.fromEntries(area.value.split("\n").map((line) => line.split("=")).filter(([key]) => key.trim())
    .map(([key, ...rest]) => [key.trim(), readValue(rest.join("=").trim())]));
  const help = fields ? say("competitions.names_of_fields", { fields: fields.map((field) => `${field} …`).join(", ") }) : say("competitions.names_help");
  return { element: area, help, read };
}

function makeJson(name, start) {
  const area = makeArea(name, start === undefined || start === null ? "" : JSON.stringify(start));
  return { element: area, help: say("competitions.json_help"), read: () => (area.value.trim() ? JSON.parse(area.value) : undefined) };
}

/** Enter in a field gives no order: its button does. */
export function keepEnter(event) {
  if (event.key === "Enter" && event.target.matches("input, select")) event.preventDefault();
}

/** The form of a command: { element, read }, where `read` gives the command, or nothing after showing what is missing. */
export function makeCommandForm(tag, schema, defs, presets = {}, hidden = []) {
  const wanted = resolve(schema, defs);
  const required = new Set(wanted.required ?? []);
  const fields = [];
  const rows = Object.entries(wanted.properties ?? {}).filter(([name]) => name !== "type" && !hidden.includes(name)).map(([name, part]) => {
    const field = { name, required: required.has(name), ...makeField(name, part, defs, presets[name]) };
    fields.push(field);
    if (field.required && field.element.type !== "checkbox") field.element.required = true;
    const id = `field-${tag}-${name}`;
    field.element.id = id;
    const help = field.help ? h("span", { class: "small quiet", id: `${id}-help` }, field.help) : null;
    if (help) field.element.setAttribute("aria-describedby", help.id);
    return h("div", { class: "field" }, h("label", { for: id }, nameField(name), field.required ? "" : h("span", { class: "small quiet" }, ` ${say("competitions.optional")}`)),
      field.element, field.more ?? null, help);
  });
  const form = h("form", { class: "command-form", on: { submit: (event) => event.preventDefault(), keydown: keepEnter } },
    wanted.description ? h("p", { class: "quiet" }, wanted.description) : null, rows);
  const read = () => {
    if (!form.reportValidity()) return null;
    const command = { type: tag, ...presets };
    for (const { name, read: value, required: must } of fields) {
      const found = value();
      if (found !== undefined && (must || JSON.stringify(found) !== "{}")) command[name] = found;
    }
    return command;
  };
  return { element: form, read, isEmpty: rows.length === 0 };
}

/** Ask for a command in a dialog; who asks in which role stands on it. Resolves with the command, or null. */
export async function askForCommand({ kind, tag, schema, defs, presets = {}, hidden = [], role }) {
  const form = makeCommandForm(tag, schema, defs, presets, hidden);
  const asRole = h("p", { class: "small quiet" }, say("competitions.asked_as", { role: nameWord(role) }));
  let command = null;
  const buttons = [{ value: "no", text: say("shared.cancel") }];
  await openDialog({
    title: nameCommand(kind, tag),
    className: "command-dialog",
    body: (dialog) => {
      const finish = () => {
        command = form.read();
        if (command) dialog.finish("yes");
      };
      form.element.append(h("p", { class: "row end" }, h("button", { type: "submit", class: "main" }, nameCommand(kind, tag))));
      form.element.addEventListener("submit", finish);
      return [asRole, form.element];
    },
    buttons,
  });
  return command;
}
