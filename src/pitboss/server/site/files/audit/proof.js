// Proofs that the browser works out by itself, with WebCrypto: a shoe from its seed, the chain of a log, its seals.

import { Words, bytesOf, hexOf, joinBytes, sha256 } from "../shared/chance.js";

const encoder = new TextEncoder();

// ---------------------------------------------------------------------- the shuffle

const RANKS = "A23456789TJQK";
const SUITS = "shdc";
const place = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);

/** The cards as they lie before a shuffle: aces to kings, spades to clubs, equal cards together. */
export function canonical(cards) {
  return [...cards].sort((one, other) => place(one) - place(other));
}

function pack(file) {
  if (file.cards) return file.cards.split(" ");
  const ranks = file.deck_cards === 48 ? [...RANKS].filter((rank) => rank !== "T") : [...RANKS];
  const deck = [...SUITS].flatMap((suit) => ranks.map((rank) => rank + suit));
  return Array.from({ length: file.decks }, () => deck).flat();
}

/** The order that a seed gives these cards in one of its streams. */
export async function shuffle(cards, seed, stream) {
  const order = canonical(cards);
  const words = new Words(seed, stream);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = await words.below(last + 1);
    [order[last], order[chosen]] = [order[chosen], order[last]];
  }
  return order;
}

// ---------------------------------------------------------------------- a shoe

/** Prove a shoe step by step: yields { step, good, detail } and at the end { order, dealt }. */
export async function* proveShoe(file, published) {
  yield { step: "published", good: published === file.commitment, detail: published };
  const seed = bytesOf(file.seed);
  const hash = hexOf(await sha256(joinBytes(seed, bytesOf(file.salt))));
  yield { step: "hash", good: hash === file.commitment, detail: hash };
  let order = await shuffle(pack(file), seed, file.riffles ?? 0);
  yield { step: "shuffle", good: true, detail: String(order.length) };
  if (file.cut_at !== undefined && file.cut_at !== null) order = [...order.slice(file.cut_at), ...order.slice(0, file.cut_at)];
  yield { step: "cut", good: true, detail: file.cut_at === undefined || file.cut_at === null ? "" : `${file.cut_at}`, by: file.cut_by };
  const first = [...order];
  let position = 0;
  let mixes = file.riffles ?? 0;
  let count = 0;
  let fault = "";
  const gone = [];
  for (const step of file.steps ?? []) {
    const cards = step.cards.split(" ").filter(Boolean);
    if (step.step === "feed") {
      mixes += 1;
      order = await shuffle([...order.slice(position), ...cards], seed, mixes);
      position = 0;
    } else if (step.step === "back") {
      const at = gone.slice(-60);
      if (!cards.every((card) => at.includes(card))) fault ||= `back: ${step.cards}`;
      order = [...cards, ...order.slice(position)];
      position = 0;
    } else {
      for (const card of cards) {
        if (order[position] !== card) fault ||= `${count + 1}: ${order[position] ?? "—"}, ${card}`;
        position += 1;
        count += 1;
        gone.push(card);
      }
    }
  }
  yield { step: "cards", good: !fault, detail: fault || String(count) };
  return { order: first, dealt: count };
}

// ---------------------------------------------------------------------- chain and seals

// The head of a row as the server writes it: JSON without spaces, text as UTF-8.
const json = (value) => encoder.encode(JSON.stringify(value));
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const newline = encoder.encode("\n");

/** The digest that a row of a log should have. */
export async function rowDigest(stream, row) {
  const body = fromBase64(row.body);
  const head = json([stream, row.seq, row.at_ms, row.role, row.actor, row.command_id, row.sealed, body.length]);
  return hexOf(await sha256(joinBytes(bytesOf(row.previous), newline, head, newline, body)));
}

/** The rows whose digest is not what it should be, or that do not follow from the row before. */
export async function checkChain(stream, rows, previous = null) {
  const wrong = [];
  let before = previous;
  for (const row of rows) {
    if ((await rowDigest(stream, row)) !== row.digest || (before !== null && row.previous !== before)) wrong.push(row.seq);
    before = row.digest;
  }
  return wrong;
}

/** The numbers of seals that are not what they should be; they come newest first. */
export async function checkSeals(seals) {
  const wrong = [];
  for (const [at, seal] of seals.entries()) {
    const digest = hexOf(await sha256(joinBytes(bytesOf(seal.previous), newline, json([seal.number, seal.at_ms]), newline, encoder.encode(seal.heads))));
    const older = seals[at + 1];
    if (digest !== seal.digest || (older && older.digest !== seal.previous)) wrong.push(seal.number);
  }
  return wrong;
}
