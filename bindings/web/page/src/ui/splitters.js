// The lines between the parts of the page, which can be moved: by mouse, touch and arrow keys.

import { $, make } from "./elements.js";

const STEP = 2; // per cent of an arrow key

/** A line in `main`. `name`: the custom property of the size, in per cent. `area`: the part before or behind it;
 * `across`: whether the line moves left and right. `from`: measured from the start (1) or the end (-1) of `main`. */
function splitter({ name, label, area, across, from, usual }) {
  const main = $("work"), line = make("div", "splitter " + (across ? "across" : "down"));
  line.id = "split-" + name;
  line.setAttribute("role", "separator");
  line.setAttribute("aria-orientation", across ? "vertical" : "horizontal");
  line.setAttribute("aria-label", label);
  line.setAttribute("aria-controls", area);
  line.setAttribute("aria-valuemin", 15);
  line.setAttribute("aria-valuemax", 75);
  line.tabIndex = 0;
  let share = usual;
  const set = (value) => {
    share = Math.round(Math.min(75, Math.max(15, value)) * 10) / 10;
    main.style.setProperty("--" + name, share + "%");
    line.setAttribute("aria-valuenow", Math.round(share));
  };
  const at = (event) => {
    const box = main.getBoundingClientRect();
    const part = across ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    set(100 * (from > 0 ? part : 1 - part));
  };
  line.addEventListener("pointerdown", (event) => {
    line.setPointerCapture(event.pointerId);
    event.preventDefault();
    line.focus();
  });
  line.addEventListener("pointermove", (event) => line.hasPointerCapture(event.pointerId) && at(event));
  line.addEventListener("dblclick", () => set(usual));
  line.addEventListener("keydown", (event) => {
    const step = { ArrowRight: STEP, ArrowDown: STEP, ArrowLeft: -STEP, ArrowUp: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(share + step * from);
  });
  set(usual);
  $(area).prepend(line);
}

export function connectSplitters() {
  splitter({ name: "left", label: "Width of the fields", area: "fields", across: true, from: 1, usual: 36 });
  splitter({ name: "right", label: "Width of the panels", area: "tools", across: true, from: -1, usual: 30 });
  splitter({ name: "below", label: "Height of the panels", area: "tools", across: false, from: -1, usual: 38 });
}
