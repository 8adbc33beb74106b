// Streams of the floor that are no tables: meter systems, tournaments, promotions, as somebody follows and asks them.

import { getJson, makeId } from "./api.js";
import { floor } from "./socket.js";

/** One stream as it is followed in a role. Fires `change`; `shown` is what the role may see. */
export class FollowedStream extends EventTarget {
  constructor(kind, name, role) {
    super();
    Object.assign(this, { kind, name, role, stream: `${kind} ${name}`, seq: 0, book: "", stopped: "", shown: {}, duties: [] });
    this.hear = ({ detail }) => {
      if (detail.stream === this.stream && detail.role === this.role) this.take(detail);
    };
    this.again = ({ detail }) => {
      if (detail.open) this.watch();
    };
    floor.addEventListener("stream", this.hear);
    floor.addEventListener("standing", this.again);
  }

  take({ seq, book, stopped, shown, duties }) {
    Object.assign(this, { seq, book, stopped, shown, duties: duties ?? [] });
    this.dispatchEvent(new CustomEvent("change"));
  }

  watch() {
    floor.say({ type: "watch-stream", stream: this.stream, role: this.role });
  }

  /** Ask something of the stream; resolves when it is stored, rejects with why it is refused. */
  ask(command, role = this.role) {
    return askStream(this.stream, command, role);
  }

  close() {
    floor.removeEventListener("stream", this.hear);
    floor.removeEventListener("standing", this.again);
    floor.say({ type: "unwatch-stream", stream: this.stream });
  }
}

/** Follow a stream; resolves once it has shown itself. */
export async function followStream(kind, name, role = "player") {
  const first = await getJson(`/api/streams/${encodeURIComponent(kind)}/${encodeURIComponent(name)}?role=${encodeURIComponent(role)}`);
  const followed = new FollowedStream(kind, name, role);
  followed.take(first);
  followed.watch();
  return followed;
}

/** Ask something of a stream; the first command opens it, by a book. */
export function askStream(stream, command, role = "player", book = "") {
  return floor.send({ type: "ask-stream", id: makeId(), stream, command, role, ...(book ? { book } : {}) });
}
