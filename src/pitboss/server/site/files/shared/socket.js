// The WebSocket of the floor: documents of tables that change by patches, and commands with ids of their own.
//
// A connection that is lost comes back by itself: it goes on after the last number it has heard, and whatever has no
// answer yet is asked again with the same id, which does nothing twice.

import { makeId } from "./api.js";

/** What the floor has refused: why, by which clauses, and what would be granted. */
export class Refused extends Error {
  constructor(message) {
    super(message.reason);
    this.clauses = message.clauses ?? [];
    this.legal = message.legal ?? [];
  }
}

/** A document after a patch of the floor: the members that changed, whole. */
export function applyPatch(document, patch) {
  return { ...document, ...patch };
}

/** One table, or another stream of the floor, as it is followed. Fires `change`, `private` and `standing`. */
export class Watched extends EventTarget {
  constructor(socket, name, options) {
    super();
    this.socket = socket;
    this.name = name;
    this.options = options;
    this.seq = null;
    this.public = null;
    this.private = null;
  }

  /** Ask something; resolves with the acknowledgement, rejects with `Refused`. */
  ask(command, role = "player") {
    return this.socket.send({ type: "ask", id: makeId(), table: this.name, command, role });
  }

  /** At a practice table: what a decision is worth. */
  advise(box) {
    return this.socket.send({ type: "advise", id: makeId(), table: this.name, ...(box ? { box } : {}) });
  }

  close() {
    this.socket.unwatch(this.name);
  }
}

export class FloorSocket extends EventTarget {
  constructor() {
    super();
    this.watched = new Map();
    this.waiting = new Map();
    this.inboxes = new Map();
    this.wait = 250;
    this.link = null;
    this.isOpen = false;
    this.isClosed = false;
  }

  /** Follow a table: resolves once its document is there. */
  watch(name, options = {}) {
    let watched = this.watched.get(name);
    if (!watched) {
      watched = new Watched(this, name, options);
      watched.ready = new Promise((resolve, reject) => Object.assign(watched, { resolve, reject }));
      watched.ready.catch(() => undefined);
      this.watched.set(name, watched);
      this.#connect();
      if (this.isOpen) this.#post(this.#watchMessage(watched));
    }
    return watched.ready;
  }

  unwatch(name) {
    this.watched.delete(name);
    if (this.isOpen) this.#post({ type: "unwatch", table: name });
  }

  /** Follow the inbox of a role; `hear` gets lists of notices. */
  watchInbox(role, hear) {
    this.inboxes.set(role, hear);
    this.#connect();
    if (this.isOpen) this.#post({ type: "watch-inbox", role });
  }

  /** Send a message that is answered by its id, as often as it takes. */
  send(message) {
    this.#connect();
    return new Promise((resolve, reject) => {
      this.waiting.set(message.id, { message, resolve, reject });
      if (this.isOpen) this.#post(message);
    });
  }

  /** Say something that has no answer of its own; after `standing` says that the connection is open, say it again. */
  say(message) {
    this.#connect();
    this.#post(message);
  }

  /** Come in again, as somebody else: what is followed is followed again. */
  restart() {
    for (const watched of this.watched.values()) watched.private = null;
    this.link?.close();
  }

  close() {
    this.isClosed = true;
    this.link?.close();
  }

  #connect() {
    if (this.link || this.isClosed) return;
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    const link = (this.link = new WebSocket(address));
    link.onopen = () => {
      this.isOpen = true;
      this.wait = 250;
      for (const watched of this.watched.values()) this.#post(this.#watchMessage(watched));
      for (const role of this.inboxes.keys()) this.#post({ type: "watch-inbox", role });
      for (const { message } of this.waiting.values()) this.#post(message);
      this.#tell("standing", { open: true });
    };
    link.onmessage = (event) => {
      for (const message of JSON.parse(event.data)) this.#hear(message);
    };
    link.onclose = (event) => {
      this.link = null;
      const was = this.isOpen;
      this.isOpen = false;
      if (was) this.#tell("standing", { open: false, reason: event.reason });
      if (this.isClosed) return;
      setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(4000, this.wait * 2);
    };
  }

  #watchMessage(watched) {
    const after = watched.seq === null ? {} : { after: watched.seq };
    return { type: "watch", table: watched.name, ...after, ...watched.options };
  }

  #post(message) {
    if (this.link?.readyState === WebSocket.OPEN) this.link.send(JSON.stringify(message));
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  #answer(message, settle) {
    const asked = this.waiting.get(message.id);
    if (!asked) return;
    this.waiting.delete(message.id);
    settle(asked);
  }

  #hear(message) {
    const watched = this.watched.get(message.table);
    switch (message.type) {
      case "snapshot":
        if (!watched) return;
        watched.public = message.public;
        watched.seq = message.seq;
        watched.resolve(watched);
        watched.dispatchEvent(new CustomEvent("change", { detail: { events: [], fresh: true } }));
        return;
      case "patch":
        if (!watched || watched.public === null) return;
        if (message.after !== watched.seq) {
          watched.seq = null;
          this.#post(this.#watchMessage(watched));
          return;
        }
        watched.public = applyPatch(watched.public, message.patch);
        watched.seq = message.seq;
        watched.dispatchEvent(new CustomEvent("change", { detail: { events: message.events ?? [], patch: message.patch } }));
        return;
      case "private":
        if (!watched) return;
        watched.private = message.private;
        watched.dispatchEvent(new CustomEvent("private"));
        return;
      case "acknowledged":
      case "advice":
        this.#answer(message, ({ resolve }) => resolve(message));
        return;
      case "refused":
        this.#answer(message, ({ reject }) => reject(new Refused(message)));
        return;
      case "not-done":
        setTimeout(() => {
          const asked = this.waiting.get(message.id);
          if (asked) this.#post(asked.message);
        }, 500);
        return;
      case "complaint":
        if (message.wait_ms) setTimeout(() => this.#again(), message.wait_ms);
        else this.#complain(message.reason);
        return;
      case "inbox":
        this.inboxes.get(message.role)?.(message.notices);
        return;
      case "notice":
        this.#tell("frozen", message);
        return;
      default:
        this.#tell(message.type, message);
    }
  }

  #again() {
    for (const watched of this.watched.values()) if (watched.public === null) this.#post(this.#watchMessage(watched));
    for (const { message } of this.waiting.values()) this.#post(message);
  }

  // A message was none: whoever waits for a first document, or for an answer, will not get one.
  #complain(reason) {
    for (const watched of this.watched.values()) if (watched.public === null) watched.reject(new Refused({ reason }));
    for (const [id, { reject }] of this.waiting) {
      this.waiting.delete(id);
      reject(new Refused({ reason }));
    }
    this.#tell("complaint", { reason });
  }
}

/** The one connection of a page. */
export const floor = new FloorSocket();
