// Dialogs: a title, whatever is in it, and its buttons. The button that costs something never has the focus.

import { h } from "./dom.js";
import { say } from "./text.js";

/**
 * Open a dialog. `buttons` are { value, text, main, costs }; resolves with the value, or null when it is closed.
 * `body` may be nodes or a function that gets the dialog.
 */
export function openDialog({ title, body, buttons = [{ value: "", text: say("shared.close") }], className = "" }) {
  return new Promise((resolve) => {
    const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
    const dialog = h("dialog", { "aria-labelledby": heading.id, class: className }, heading);
    dialog.append(h("div", { class: "dialog-body" }, typeof body === "function" ? body(dialog) : body));
    const row = h("div", { class: "row end" });
    for (const { value, text, main } of buttons) {
      row.append(h("button", { type: "button", class: main ? "main" : "", on: { click: () => finish(value) } }, text));
    }
    dialog.append(row);
    let result = null;
    const finish = (value) => {
      result = value;
      dialog.close();
    };
    dialog.finish = finish;
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && !dialog.dataset.keep) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    const safe = buttons.findIndex(({ costs }) => !costs);
    (dialog.querySelector("[autofocus]") ?? row.children[Math.max(0, safe)])?.focus();
  });
}

/** Ask once more before something is done. Resolves with true or false. */
export async function confirmTwice({ title, body, yes, no = say("shared.cancel") }) {
  const buttons = [{ value: "no", text: no }, { value: "yes", text: yes, main: true, costs: true }];
  return (await openDialog({ title, body, buttons })) === "yes";
}
