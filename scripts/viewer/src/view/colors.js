// Colours of materials: the same name has the same colour on every page.

import { Color } from "three";

// FNV-1a, 32 bits, of the UTF-16 units.
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h;
}

/** The colour of a visible material. */
export function surfaceColor(name) {
  if (!name) return new Color().setHSL(0, 0, 0.72);
  const h = hash(name.toLowerCase());
  return new Color().setHSL((h % 360) / 360, 0.22 + ((h >>> 9) % 12) / 100, 0.62);
}

/** The colour of a material of collision: stronger, because only lines have it. */
export function collisionColor(name) {
  const h = hash((name || "").toLowerCase());
  return new Color().setHSL((h % 360) / 360, 0.85, 0.55);
}
