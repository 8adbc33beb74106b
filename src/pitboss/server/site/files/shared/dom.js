// Elements from a few words: h("button", { class: "main", on: { click } }, "Sit down").

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [kind, hear] of Object.entries(value)) element.addEventListener(kind, hear);
    else if (name === "set") Object.assign(element, value);
    else if (name === "look") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** An HTML element. `on` holds listeners, `set` properties, `look` custom properties and styles. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Put children in place of those that are there. Returns the element. */
export function put(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/** The same, and what had the focus in it has it again, or what stands for it now. */
export function putAgain(element, ...children) {
  const held = element.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  put(element, ...children);
  if (held) [...element.querySelectorAll("a, button, input, select, summary")].find((other) => nameOf(other) === held)?.focus({ preventScroll: true });
  return element;
}

const nameOf = (element) => [element.localName, element.id, element.name, element.href, JSON.stringify(element.dataset), element.matches("a, button, summary") ? element.textContent : ""].join("\n");

/** The parts of the address after the host: /table/star-blackjack gives ["table", "star-blackjack"]. */
export function pathParts() {
  return location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
}

/** Register an element once. */
export function define(name, kind) {
  if (!customElements.get(name)) customElements.define(name, kind);
}
