// The lines that were typed. They outlive a restart of lathe, and end with the page.

const MOST = 500;

export class History {
  constructor() {
    this.lines = [];
    this.at = 0;
    this.draft = "";
  }

  add(line) {
    if (line.trim() !== "" && line !== this.lines[this.lines.length - 1]) this.lines.push(line);
    if (this.lines.length > MOST) this.lines.shift();
    this.at = this.lines.length;
    this.draft = "";
  }

  /** The line that is `by` further; null where there is none. `now`: the text that is being typed. */
  step(by, now) {
    const to = this.at + by;
    if (to < 0 || to > this.lines.length) return null;
    if (this.at === this.lines.length) this.draft = now;
    this.at = to;
    return to === this.lines.length ? this.draft : this.lines[to];
  }
}
