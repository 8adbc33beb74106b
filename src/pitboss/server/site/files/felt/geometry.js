// Where things lie on a layout of 1600 by 860: the arc of the boxes, the arcs of the printing.

export const WIDTH = 1600;
export const HEIGHT = 860;
const MIDDLE = WIDTH / 2;
const ARC = { top: 186, rx: 664, ry: 474 };
const STEPS = 360;

function pointAt(angle) {
  return { x: MIDDLE + ARC.rx * Math.cos(angle), y: ARC.top + ARC.ry * Math.sin(angle) };
}

/** Angles from one end of the arc to the other, so that neighbours lie equally far apart. */
function spreadAngles(count, degrees) {
  const [from, wide] = [((90 - degrees) * Math.PI) / 180, (2 * degrees * Math.PI) / 180];
  const angles = Array.from({ length: STEPS + 1 }, (_, at) => from + (wide * at) / STEPS);
  const lengths = [0];
  for (let at = 1; at <= STEPS; at += 1) {
    const [one, other] = [pointAt(angles[at - 1]), pointAt(angles[at])];
    lengths.push(lengths[at - 1] + Math.hypot(one.x - other.x, one.y - other.y));
  }
  return Array.from({ length: count }, (_, at) => {
    const wanted = count === 1 ? lengths[STEPS] / 2 : (lengths[STEPS] * at) / (count - 1);
    return angles[lengths.findIndex((length) => length >= wanted - 1e-6)];
  });
}

/**
 * Where boxes lie: the first at the dealer's left, which is at the right for those who sit before the table.
 * `outX`, `outY` point away from the dealer: cards lie on the one side of the stakes, side wagers and names on the other.
 */
export function placeBoxes(boxes) {
  const areas = [...new Set(boxes.map(({ area }) => area))];
  const angles = spreadAngles(areas.length, Math.min(67, 6 + areas.length * 8));
  const places = new Map();
  areas.forEach((area, at) => {
    const { x, y } = pointAt(angles[at]);
    const own = boxes.filter((box) => box.area === area);
    // Beside a box of a pair lies the other one: there is room above and below alone.
    const [outX, outY] = own.length === 1 ? [Math.cos(angles[at]), Math.sin(angles[at])] : [0, 1];
    const apart = areas.length > 5 ? 84 : 104;
    own.forEach((box, part) => {
      const shift = own.length === 1 ? 0 : (part - (own.length - 1) / 2) * -apart;
      places.set(box.number, { x: x + shift, y, outX, outY, shift, paired: own.length > 1 });
    });
  });
  return places;
}

/** The path of an arc below the dealer, for printing along it: the deeper, the further from the dealer. */
export function printArc(rx, ry, degrees = 62) {
  const point = (angle) => {
    const turn = (angle * Math.PI) / 180;
    return `${(MIDDLE + rx * Math.cos(turn)).toFixed(1)} ${(96 + ry * Math.sin(turn)).toFixed(1)}`;
  };
  return `M${point(90 + degrees)}A${rx} ${ry} 0 0 0 ${point(90 - degrees)}`;
}
