// Committed chance, worked out by the browser itself: bytes, digests, and the streams of words that a seed gives.

export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Bytes one after another. */
export function joinBytes(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function eightBytes(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** The endless words of one stream of a seed, sixteen bits each. */
export class Words {
  constructor(seed, stream) {
    this.head = joinBytes(seed, eightBytes(stream));
    this.counter = 0;
    this.block = [];
  }

  async next() {
    if (!this.block.length) {
      const bytes = await sha256(joinBytes(this.head, eightBytes(this.counter)));
      this.counter += 1;
      for (let at = 0; at < bytes.length; at += 2) this.block.push((bytes[at] << 8) | bytes[at + 1]);
    }
    return this.block.shift();
  }

  async below(bound) {
    const limit = 65536 - (65536 % bound);
    for (;;) {
      const word = await this.next();
      if (word < limit) return word % bound;
    }
  }
}

/** The digest of seed and salt, which was published before: { good, digest }. */
export async function checkCommitment(commitment, seed, salt) {
  const digest = hexOf(await sha256(bytesOf(seed + salt)));
  return { good: digest === commitment, digest };
}
