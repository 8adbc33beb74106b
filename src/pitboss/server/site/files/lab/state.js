// What the lab is looking at: game, rules, cards, view. The address holds all of it, so that a link is the position.

const VIEWS = ["board", "chart", "rules", "sides", "run", "games"];
const PREFIX = { options: "o.", readings: "r.", changes: "c." };

function read(search) {
  const query = new URLSearchParams(search);
  const named = (prefix) => Object.fromEntries([...query].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]));
  return {
    view: VIEWS.includes(query.get("view")) ? query.get("view") : "board",
    game: query.get("game") || "melbourne/blackjack",
    options: named(PREFIX.options),
    readings: named(PREFIX.readings),
    changes: named(PREFIX.changes),
    boxes: query.getAll("box"),
    up: query.get("up") || "",
    actions: query.getAll("do"),
    seen: query.get("seen") || "",
    stake: query.get("stake") || "10",
    meters: named("m."),
  };
}

function write(state) {
  const query = new URLSearchParams();
  if (state.view !== "board") query.set("view", state.view);
  query.set("game", state.game);
  for (const [kind, prefix] of Object.entries(PREFIX)) for (const [key, value] of Object.entries(state[kind])) query.set(prefix + key, value);
  if (state.boxes.some(Boolean)) for (const box of state.boxes) query.append("box", box);
  if (state.up) query.set("up", state.up);
  for (const action of state.actions) query.append("do", action);
  if (state.seen) query.set("seen", state.seen);
  if (state.stake !== "10") query.set("stake", state.stake);
  for (const [key, value] of Object.entries(state.meters)) query.set(`m.${key}`, value);
  return query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
}

/** The state of the lab; `change` is fired with what has changed. */
export class LabState extends EventTarget {
  constructor() {
    super();
    this.now = read(location.search);
    addEventListener("popstate", () => {
      this.now = read(location.search);
      this.tell(Object.keys(this.now));
    });
  }

  /** Change some of it. Another view or game is a step in the history of the browser. */
  set(part) {
    const step = "view" in part || "game" in part;
    this.now = { ...this.now, ...part };
    history[step ? "pushState" : "replaceState"](null, "", `/lab?${write(this.now)}`);
    this.tell(Object.keys(part));
  }

  tell(changed) {
    this.dispatchEvent(new CustomEvent("change", { detail: changed }));
  }

  /** The table as the server takes it. */
  get choice() {
    const { game, options, readings, changes } = this.now;
    return { game, options, readings, changes };
  }

  /** The cards as the server takes them. */
  get position() {
    const { boxes, up, actions, seen, stake } = this.now;
    return { boxes, up, actions, seen, stake };
  }

  /** The address of this view with something else in it. */
  link(part) {
    return `/lab?${write({ ...this.now, ...part })}`;
  }
}

/** Whether a change is about the table and not about the cards alone. */
export const isAboutTable = (changed) => ["game", "options", "readings", "changes"].some((key) => changed.includes(key));
