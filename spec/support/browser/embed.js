// A page with pictures of its own: what drive_view.mjs bundles to try the picture apart from the page of `lathe view`.

import { createPicture } from "../../../scripts/viewer/src/picture/index.js";

// Each step returns what it found; drive_view.mjs calls them in this order.
window.steps = {
  async two(glb) {
    window.hits = [];
    window.bytes = Uint8Array.from(atob(glb), (char) => char.charCodeAt(0));
    const [left, right] = document.body.children;
    window.left = createPicture(left, { onPick: (hit) => window.hits.push(hit) });
    window.right = createPicture(right, { theme: "dark" });
    await Promise.all([window.left.show({ glb: window.bytes }), window.right.show({ glb: window.bytes, up: "z" })]);
    return { left: window.left.kinds, right: window.right.kinds };
  },
  pick() {
    window.left.setShown("collision", false);
    const box = window.left.element.querySelector("canvas").getBoundingClientRect();
    const hit = window.left.pick(box.left + box.width / 2, box.top + box.height / 2);
    return { hit, objects: hit && window.left.highlight(hit.field), none: window.left.highlight(null),
      outside: window.left.pick(box.left + 1, box.bottom - 1) };
  },
  async last() { // asked for three at once, the last one is shown
    const waits = [window.left.show({ glb: window.bytes }), window.left.show(null), window.left.show({ glb: null })];
    await Promise.all(waits);
    return { kinds: window.left.kinds, message: window.left.element.querySelector(".picture-message").textContent };
  },
  async broken() {
    let why = null;
    await window.left.show({ glb: window.bytes.slice(0, 100) }).catch((error) => (why = error.message));
    const kinds = window.left.kinds;
    await window.left.show({ glb: window.bytes });
    return { failed: why !== null, kinds, again: window.left.kinds };
  },
  async keep() {
    window.left.setShown("shapes", false);
    const { camera } = window.left.viewport;
    camera.position.x += 1;
    const before = camera.position.toArray().join();
    await window.left.show({ glb: window.bytes }, { keep: true });
    const kept = camera.position.toArray().join() === before;
    const { shown } = window.left;
    await window.left.show({ glb: window.bytes });
    return { kept, shapes: shown.shapes, fitted: camera.position.toArray().join() !== before, usual: window.left.shown.shapes };
  },
  async dispose() { // more often than a browser allows pictures at once
    const place = document.body.children[1];
    for (let i = 0; i < 17; i++) {
      window.right.dispose();
      window.right = createPicture(place);
      await window.right.show({ glb: window.bytes });
    }
    window.right.dispose();
    return { left: place.childElementCount, theOther: window.left.element.querySelectorAll("canvas").length };
  },
};
