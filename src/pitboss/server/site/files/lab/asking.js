// Asking the lab: the last question counts, the one before is given up; long work is looked at until it is over.

import { deleteJson, getJson, postJson } from "../shared/api.js";

const LOOK_MS = 400;

/** A place for one kind of question. `ask` resolves with the answer, or with undefined where a newer question was asked. */
export class LastQuestion {
  async ask(path, body) {
    this.control?.abort();
    const control = (this.control = new AbortController());
    try {
      return await postJson(path, body, { signal: control.signal });
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      throw error;
    } finally {
      if (this.control === control) this.control = null;
    }
  }
}

/** Ask what a game is worth: what is soon known is drawn first, and then all of it. */
export async function askWorth(question, state, draw) {
  const asked = { choice: state.choice, seen: state.now.seen };
  const first = await question.ask("/api/lab/worth", { ...asked, first: true });
  if (first) draw(first);
  if (!first || first.whole) return;
  const whole = await question.ask("/api/lab/worth", asked);
  if (whole) draw(whole);
}

/** A long work: begun, looked at, stopped. `draw` gets it whenever there is news. */
export class LongWork {
  constructor(draw) {
    this.draw = draw;
    this.work = null;
  }

  async begin(path, body) {
    await this.stop();
    this.take(await postJson(path, body));
  }

  async stop() {
    clearTimeout(this.timer);
    if (this.work?.state === "running") this.take(await deleteJson(`/api/lab/works/${this.work.id}`));
  }

  take(work) {
    this.work = work;
    this.draw(work);
    if (work.state === "running") this.timer = setTimeout(() => this.look(), LOOK_MS);
  }

  async look() {
    try {
      this.take(await getJson(`/api/lab/works/${this.work.id}`));
    } catch (error) {
      this.take({ ...this.work, state: "failed", reason: error.message });
    }
  }
}
