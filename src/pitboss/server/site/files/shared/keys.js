// Keys that do something on a page, outside of fields and dialogs.

// Whoever walks with Tab means the control where they are when they press Space; a click leaves Space to the page.
let walks = false;
document.addEventListener("keydown", ({ key }) => (walks ||= key === "Tab"), true);
document.addEventListener("pointerdown", () => (walks = false), true);
const CONTROLS = "button, a, summary, [role=button]";

/** Bind keys to what they do: { h: hit, "?": showKeys }. Returns what ends it. */
export function bindKeys(actions) {
  const hear = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat || event.defaultPrevented) return;
    if (event.key === " " && walks && event.target.closest?.(CONTROLS)) return;
    if (event.target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/** Arrow keys walk through a group of buttons; one of them is in the order of tabs. */
export function rove(group, selector = "button") {
  const list = () => [...group.querySelectorAll(selector)].filter((item) => !item.disabled && !item.hidden);
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const items = list();
    const at = items.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    walks = true;
    items[(at + step + items.length) % items.length].focus();
  });
}
