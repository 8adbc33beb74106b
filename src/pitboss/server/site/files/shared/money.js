// Amounts are texts, as the server sends them, and are counted in whole millionths: never as floats.

const MILLION = 1_000_000n;

/** A text such as "12.5" in millionths. */
export function toGrains(text) {
  const [, sign, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? [];
  if (whole === undefined) throw new Error(`no amount: ${text}`);
  const grains = BigInt(whole) * MILLION + BigInt(part.slice(0, 6).padEnd(6, "0"));
  return sign ? -grains : grains;
}

/** Millionths as a text. */
export function fromGrains(grains) {
  const size = grains < 0n ? -grains : grains;
  const part = String(size % MILLION).padStart(6, "0").replace(/0+$/, "");
  return `${grains < 0n ? "-" : ""}${size / MILLION}${part ? `.${part}` : ""}`;
}

export function addMoney(...amounts) {
  return fromGrains(amounts.reduce((sum, amount) => sum + toGrains(amount), 0n));
}

export function subtractMoney(one, other) {
  return fromGrains(toGrains(one) - toGrains(other));
}

export function timesMoney(amount, whole) {
  return fromGrains(toGrains(amount) * BigInt(whole));
}

export function compareMoney(one, other) {
  const difference = toGrains(one) - toGrains(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isAmount(text) {
  return /^\d{1,12}(\.\d{1,6})?$/.test(String(text).trim());
}

/** An amount for people: thousands apart, two places where there are any. `signed` puts + before gains. */
export function showMoney(text, { signed = false } = {}) {
  const grains = toGrains(text);
  const [whole, part = ""] = fromGrains(grains < 0n ? -grains : grains).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = grains < 0n ? "−" : signed && grains > 0n ? "+" : "";
  return sign + grouped + (part ? `.${part.padEnd(2, "0")}` : "");
}

/** The class for what was won or lost; nothing for neither. */
export function moneyClass(text) {
  const grains = toGrains(text);
  return grains > 0n ? "won" : grains < 0n ? "lost" : "";
}
