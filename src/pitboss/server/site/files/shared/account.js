// Who somebody is: asked once for a page, and again when they come in or go.

import { deleteJson, getJson, postJson } from "./api.js";
import { floor } from "./socket.js";

let known = null;

/** { name, chips, roles: [[role, book]...], ... }, or null for a stranger. */
export function account() {
  known ??= getJson("/api/visitor").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** Ask again who somebody is and what they have; `pb-account` is fired on the document. */
export async function refreshAccount() {
  known = null;
  const found = await account();
  document.dispatchEvent(new CustomEvent("pb-account", { detail: found }));
  return found;
}

/** Come in as a guest with play chips. */
export async function comeInAsGuest(name = "") {
  await postJson("/api/guests", { name });
  floor.restart();
  return refreshAccount();
}

export async function signOut() {
  await deleteJson("/api/sessions");
  floor.restart();
  return refreshAccount();
}

/** Whether somebody holds one of these roles, by any book; `inspector` also covers nothing else. */
export function holdsRole(person, roles) {
  return roles.length === 0 || (person?.roles ?? []).some(([role]) => roles.includes(role));
}
