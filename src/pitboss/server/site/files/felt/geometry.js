// Where things lie on a layout of 1600 by 860: the arc of the boxes, the arcs of the printing.

export const WIDTH = 1600;
export const HEIGHT = 860;
const MIDDLE = WIDTH / 2;
const ARC = { top: 205, rx: 655, ry: 430 };

/** Where boxes lie: the first at the dealer's left, which is at the right for those who sit before the table. */
export function placeBoxes(boxes) {
  const areas = [...new Set(boxes.map(({ area }) => area))];
  const spread = Math.min(70, 9 + areas.length * 8);
  const places = new Map();
  areas.forEach((area, at) => {
    const share = areas.length === 1 ? 0.5 : at / (areas.length - 1);
    const angle = ((90 - spread + 2 * spread * share) * Math.PI) / 180;
    const x = MIDDLE + ARC.rx * Math.cos(angle);
    const y = ARC.top + ARC.ry * Math.sin(angle);
    const own = boxes.filter((box) => box.area === area);
    const apart = areas.length > 5 ? 84 : 104;
    own.forEach((box, part) => {
      const shift = own.length === 1 ? 0 : (part - (own.length - 1) / 2) * -apart;
      places.set(box.number, { x: x + shift, y, paired: own.length > 1 });
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
