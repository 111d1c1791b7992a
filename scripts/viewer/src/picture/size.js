// Lengths as text.

import { Vector3 } from "three";

function digits(v) {
  if (v === 0) return "0";
  return String(Number(v.toPrecision(3)));
}

/** The size of a box in game units and, if the length of a unit is known, in metres. In glTF y is up: height is last. */
export function sizeOf(box, metres, cell) {
  if (!box || box.isEmpty()) return "";
  const { x, y, z } = box.getSize(new Vector3());
  const least = Math.max(x, y, z) * 1e-6; // below this, it is rounding
  const text = (factor) => [x, z, y].map((v) => (v < least ? "0" : digits(v * factor))).join(" × ");
  const units = metres === 1 ? "" : `${text(1)} units`;
  const real = metres ? `${text(metres)} m` : "";
  return [units, real, cell ? `grid ${digits(cell)}` : ""].filter(Boolean).join(" · ");
}
