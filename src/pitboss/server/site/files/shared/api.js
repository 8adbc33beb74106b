// Asking the server over HTTP. What goes wrong is one line that says why, with clauses where there are any.

/** What the server has refused, or that it does not answer. */
export class ApiError extends Error {
  constructor(status, reason, clauses = [], legal = []) {
    super(reason);
    this.status = status;
    this.clauses = clauses;
    this.legal = legal;
  }
}

async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "the floor does not answer");
  }
  const text = await answer.text();
  let content = null;
  try {
    content = text ? JSON.parse(text) : null;
  } catch {
    content = null;
  }
  if (!answer.ok) throw new ApiError(answer.status, content?.reason ?? `answer ${answer.status}`, content?.clauses ?? []);
  if (content?.type === "refused") throw new ApiError(409, content.reason, content.clauses, content.legal);
  if (content?.type === "not-done") throw new ApiError(503, content.reason);
  return content;
}

export const getJson = (path, { signal } = {}) => ask("GET", path, undefined, signal);
export const postJson = (path, body, { signal } = {}) => ask("POST", path, body ?? {}, signal);
export const deleteJson = (path) => ask("DELETE", path);

/** An id that no other command has: the same again is the same command. */
export function makeId() {
  return crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Ask something of the floor itself, in a role. Asked again with the same id while it could not be stored. */
export async function askFloor(command, role = "administrator") {
  const id = makeId();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await postJson("/api/floor/commands", { id, command, role });
    } catch (error) {
      if (![0, 429, 503].includes(error.status) || attempt >= 5) throw error;
      await new Promise((go) => setTimeout(go, 300 * 2 ** attempt));
    }
  }
}
