// The bar of clips: choose, play, a scrubber with marks for annotations.

import { rove } from "../roving.js";
import { make } from "../visible.js";

const FRAME = 1 / 30; // seconds that an arrow key moves

function button(className, text) {
  const made = make("button", className, text);
  made.type = "button";
  return made;
}

export class Clips {
  /** Makes the bar. `bar`: its element. */
  constructor(player) {
    this.player = player;
    this.bar = make("div", "picture-clips");
    this.choice = make("select", "clip");
    this.choice.setAttribute("aria-label", "Clip");
    this.button = button("play", "Play");
    this.slider = make("input", "time");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.setAttribute("aria-label", "Time");
    this.marks = make("div", "marks");
    this.marks.setAttribute("role", "group");
    this.marks.setAttribute("aria-label", "Annotations");
    this.roving = rove(this.marks);
    this.label = make("span", "seconds");
    this.said = make("span", "annotation");
    const scrubber = make("div", "scrubber");
    scrubber.append(this.slider, this.marks);
    this.bar.append(this.choice, this.button, scrubber, this.label, this.said);
    this.listen();
    this.set(null);
  }

  listen() {
    const { player } = this;
    player.onTime = (time) => this.show(time);
    player.onPlaying = (on) => this.setButton(on);
    this.button.addEventListener("click", () => (player.playing ? player.stop() : player.play()));
    this.choice.addEventListener("change", () => this.choose(Number(this.choice.value)));
    this.slider.addEventListener("input", () => {
      player.stop();
      player.seek(Number(this.slider.value));
    });
    this.slider.addEventListener("keydown", (event) => this.key(event));
  }

  // A frame with arrow keys, a tenth of the clip with Page Up and Down; the browser's steps are those of the mouse.
  key(event) {
    const { player } = this, tenth = player.duration / 10;
    const steps = { ArrowLeft: -FRAME, ArrowDown: -FRAME, ArrowRight: FRAME, ArrowUp: FRAME, PageDown: -tenth, PageUp: tenth };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " ") this.button.click();
    else if (steps[event.key] === undefined) return;
    else {
      player.stop();
      player.seek(player.time + steps[event.key]);
    }
    event.preventDefault();
  }

  setButton(on) {
    this.button.textContent = on ? "Pause" : "Play";
    this.button.setAttribute("aria-pressed", on);
  }

  /** Shows the clips of a model; null: none. `at`: the number of the clip, from 0, and its time. */
  set(model, at) {
    this.model = model;
    const clips = model ? model.clips : [];
    this.bar.hidden = clips.length === 0;
    this.choice.replaceChildren();
    clips.forEach((clip, i) => {
      const option = make("option", "", clip.name || `clip ${i + 1}`);
      option.value = i;
      this.choice.append(option);
    });
    this.choice.hidden = clips.length < 2;
    this.setButton(false);
    this.choose(at && at.number < clips.length ? at.number : 0);
    if (at) this.player.seek(at.time);
  }

  choose(i) {
    const clip = (this.model && this.model.clips[i]) || null;
    this.number = i;
    if (clip) this.choice.value = i;
    this.notes = (clip && clip.userData.lathe && clip.userData.lathe.annotations) || [];
    this.slider.max = clip ? clip.duration : 0;
    this.slider.step = clip ? Math.max(clip.duration / 1000, 1e-4) : 1;
    this.marks.replaceChildren(...this.notes.map((note) => this.mark(note, clip)));
    this.roving.set();
    this.player.choose(this.model, clip);
  }

  mark(note, clip) {
    const mark = button("mark");
    mark.style.insetInlineStart = (clip.duration > 0 ? Math.min(100, (100 * note.time) / clip.duration) : 0) + "%";
    const text = make("span", "", `${note.text} at ${note.time.toFixed(2)} s`).textContent;
    mark.title = text;
    mark.setAttribute("aria-label", text);
    mark.addEventListener("click", () => {
      this.player.stop();
      this.player.seek(note.time);
    });
    return mark;
  }

  show(time) {
    const { duration } = this.player;
    this.slider.value = time;
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(2)} of ${duration.toFixed(2)} seconds`);
    this.label.textContent = `${time.toFixed(2)} / ${duration.toFixed(2)} s`;
    const last = this.notes.filter((note) => note.time <= time + 1e-4).pop();
    this.said.replaceChildren(make("span", "", last ? last.text : ""));
  }
}
