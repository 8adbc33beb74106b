// Two quiet sounds, made here, and only where somebody wants them.

import { readPref } from "./prefs.js";

let context = null;

export function soundIsOn() {
  return readPref("sound") === "on";
}

/** A card on felt, or a chip on chips. */
export function play(kind) {
  if (!soundIsOn()) return;
  context ??= new AudioContext();
  const length = kind === "card" ? 0.06 : 0.03;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = (Math.random() * 2 - 1) * (1 - at / data.length) ** 3;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: kind === "card" ? 1800 : 4200 });
  source.connect(filter).connect(new GainNode(context, { gain: 0.25 })).connect(context.destination);
  source.start();
}
