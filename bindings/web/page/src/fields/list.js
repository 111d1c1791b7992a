// A list of which only the rows in sight are in the page. Browsers limit the height of an element: beyond that, the scroll bar
// stands for the whole list, and what it shows moves faster than the bar.

const HIGHEST = 6e6; // pixels
const AROUND = 6;    // rows that are made beyond the edges

export class VirtualList {
  /** `scroller`: the element that scrolls. `make(n)` gives the element of row n; `total()` how many there are. */
  constructor(scroller, make, total) {
    this.scroller = scroller;
    this.make = make;
    this.total = total;
    this.space = document.createElement("div");
    this.space.className = "rows";
    this.space.setAttribute("role", "presentation");
    scroller.append(this.space);
    this.pinned = null; // the first row, where the position of the bar is not exact enough
    scroller.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(scroller);
  }

  get rowHeight() {
    return matchMedia("(pointer: coarse)").matches ? 36 : 25;
  }

  get inSight() {
    return Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight));
  }

  // The row at the top, as a number with a fraction.
  top() {
    const { scroller, rowHeight: height } = this, bar = scroller.scrollTop, whole = this.total() * height;
    if (this.pinned && this.pinned.bar === bar) return this.pinned.top;
    this.pinned = null;
    if (whole <= HIGHEST) return bar / height;
    const share = bar / Math.max(1, HIGHEST - scroller.clientHeight);
    return share * (this.total() - scroller.clientHeight / height);
  }

  /** Makes row n visible. */
  reveal(n) {
    const { scroller, rowHeight: height } = this, total = this.total(), shown = scroller.clientHeight / height, top = this.top();
    if (n >= top && n + 1 <= top + shown) return;
    const wanted = Math.max(0, Math.min(n < top ? n : n + 1 - shown, total - shown));
    const whole = total * height;
    this.space.style.height = Math.min(whole, HIGHEST) + "px";
    scroller.scrollTop = whole <= HIGHEST ? wanted * height : (wanted / (total - shown)) * (HIGHEST - scroller.clientHeight);
    this.pinned = { bar: scroller.scrollTop, top: wanted };
    this.draw();
  }

  /** Makes the rows in sight anew. */
  draw() {
    const { scroller, space, rowHeight: height } = this, total = this.total();
    space.style.height = Math.min(total * height, HIGHEST) + "px";
    const top = this.top(), first = Math.max(0, Math.floor(top) - AROUND);
    const last = Math.min(total, Math.ceil(top + scroller.clientHeight / height) + AROUND), rows = [];
    for (let n = first; n < last; n++) {
      const row = this.make(n);
      if (!row) continue;
      row.style.transform = `translateY(${Math.round(scroller.scrollTop + (n - top) * height)}px)`;
      row.style.height = height + "px";
      rows.push(row);
    }
    this.put(rows);
  }

  // Puts rows into the page; those that are there stay, for they may have the focus.
  put(rows) {
    const { space } = this, wanted = new Set(rows);
    for (const child of [...space.children]) if (!wanted.has(child)) child.remove();
    rows.forEach((row, i) => {
      if (space.children[i] !== row) space.insertBefore(row, space.children[i] || null);
    });
  }
}
