// The bar of clips: choose, play, a scrubber with marks for annotations.

import { make } from "../visible.js";

export class Clips {
  constructor(bar, player) {
    this.bar = bar;
    this.player = player;
    this.choice = bar.querySelector("#clip");
    this.button = bar.querySelector("#play");
    this.slider = bar.querySelector("#time");
    this.label = bar.querySelector("#seconds");
    this.marks = bar.querySelector("#marks");
    this.said = bar.querySelector("#annotation");
    player.onTime = (time) => this.show(time);
    player.onPlaying = (on) => this.setButton(on);
    this.button.addEventListener("click", () => (player.playing ? player.stop() : player.play()));
    this.choice.addEventListener("change", () => this.choose(Number(this.choice.value)));
    this.slider.addEventListener("input", () => {
      player.stop();
      player.seek(Number(this.slider.value));
    });
  }

  setButton(on) {
    this.button.textContent = on ? "Pause" : "Play";
    this.button.setAttribute("aria-pressed", on);
  }

  /** Shows the clips of a model. */
  set(model) {
    this.model = model;
    this.bar.hidden = model.clips.length === 0;
    this.choice.replaceChildren();
    model.clips.forEach((clip, i) => {
      const option = make("option", "", clip.name || `clip ${i + 1}`);
      option.value = i;
      this.choice.append(option);
    });
    this.choice.hidden = model.clips.length < 2;
    this.setButton(false);
    this.choose(0);
  }

  choose(i) {
    const clip = this.model.clips[i] || null;
    this.notes = (clip && clip.userData.lathe && clip.userData.lathe.annotations) || [];
    this.slider.max = clip ? clip.duration : 0;
    this.slider.step = clip ? Math.max(clip.duration / 1000, 1e-4) : 1;
    this.marks.replaceChildren();
    for (const note of this.notes) {
      const mark = make("button", "mark");
      mark.type = "button";
      mark.style.insetInlineStart = (clip.duration > 0 ? Math.min(100, (100 * note.time) / clip.duration) : 0) + "%";
      const text = make("span", "", `${note.text} at ${note.time.toFixed(2)} s`).textContent;
      mark.title = text;
      mark.setAttribute("aria-label", text);
      mark.addEventListener("click", () => {
        this.player.stop();
        this.player.seek(note.time);
      });
      this.marks.append(mark);
    }
    this.player.choose(this.model, clip);
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
