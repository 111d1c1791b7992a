// Plays the clips of a model.

import { LoopOnce, LoopRepeat } from "three";

export class Player {
  constructor(viewport) {
    this.viewport = viewport;
    this.time = 0;
    this.playing = false;
    this.speed = 1;
    this.action = null;
  }

  /** Chooses a clip, which stands at its start; null: none. */
  choose(model, clip) {
    this.stop();
    if (this.action) this.action.stop();
    this.model = model;
    this.clip = clip;
    this.action = clip ? model.mixer.clipAction(clip) : null;
    if (this.action) {
      const told = clip.userData.lathe || {};
      this.loops = told.looping !== false;
      this.action.setLoop(this.loops ? LoopRepeat : LoopOnce);
      this.action.clampWhenFinished = true;
      this.action.play();
      this.seek(0);
    }
  }

  get duration() {
    return this.clip ? this.clip.duration : 0;
  }

  /** Shows the pose at a time in seconds. */
  seek(time) {
    if (!this.action) return;
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.action.paused = false;
    this.action.enabled = true;
    this.action.time = this.time; // exactly there: the mixer would take the end of a loop for its start
    this.model.mixer.update(0);
    this.viewport.draw();
    if (this.onTime) this.onTime(this.time);
  }

  play() {
    if (!this.action || this.playing) return;
    if (this.time >= this.duration) this.seek(0);
    this.playing = true;
    let before = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      let time = this.time + ((now - before) / 1000) * this.speed;
      before = now;
      if (time >= this.duration) {
        if (this.loops && this.duration > 0) time %= this.duration;
        else this.stop();
      }
      this.seek(time);
      if (this.playing) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    if (this.onPlaying) this.onPlaying(true);
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    if (this.onPlaying) this.onPlaying(false);
  }
}
