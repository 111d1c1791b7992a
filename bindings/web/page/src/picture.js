// The picture of the current document: the viewer's picture module, and what connects it with the fields.

import { createPicture } from "../../../../scripts/viewer/src/picture/index.js";
import { button, group, make } from "./ui/elements.js";

const SETTLE = 150; // milliseconds after a change until the picture follows

export class Pictures {
  /** `element`: where the picture goes. */
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.notes = make("details", "picture-notes");
    this.notes.hidden = true;
    const stage = make("div", "stage");
    element.append(stage, this.notes);
    this.picture = createPicture(stage, { onPick: (hit) => this.picked(hit), empty: "There is nothing to draw in this file." });
    element.classList.toggle("none", !this.picture);
    if (!this.picture) return;
    const { documents } = app;
    documents.on("current", (doc) => app.during(this.show(doc, false)));
    documents.on("changed", (doc) => doc === app.current && this.later(doc));
    app.on("path", (path, origin) => origin !== "picture" && this.picture.highlight(path));
  }

  setTheme(name) {
    if (this.picture) this.picture.setTheme(name);
  }

  later(doc) {
    const asked = (this.asked = {});
    this.app.during(new Promise((done) => setTimeout(done, SETTLE))
      .then(() => asked === this.asked && doc === this.app.current && this.show(doc, true)));
  }

  // `keep`: the document is shown already, and was changed.
  async show(doc, keep) {
    this.asked = {};
    const { app, picture } = this;
    if (!doc) {
      this.note([]);
      await picture.show(null);
      return;
    }
    try {
      const { result, blobs } = await app.call("picture", { skeleton: this.skeleton(doc) }, { doc, limit: 30000 });
      if (doc !== app.current) return;
      this.note(result.notes || []);
      await picture.show({ ...result.file, glb: blobs[0] || null }, { keep });
      if (doc.selected) picture.highlight(doc.selected);
    } catch (error) {
      if (doc !== app.current || error.code === "stopped") return;
      await picture.show(null);
      this.note([{ reason: "the picture cannot be drawn: " + error.message }]);
    }
    this.element.dataset.drawn = doc.name;
  }

  // The number of the document with the skeleton that the user chose for a clip.
  skeleton(doc) {
    const { list } = this.app.documents;
    return doc.skeleton && list.includes(doc.skeleton) ? doc.skeleton.id : undefined;
  }

  note(notes) {
    const summary = make("summary", "", notes.length === 1 ? "1 note" : `${notes.length} notes`), list = make("ul", "plain");
    list.append(...notes.map(({ path, reason }) => group("li", "",
      path && button(path, () => this.app.go(this.app.current, path), "link"), path && ": ", make("span", "", reason))));
    this.notes.replaceChildren(summary, list);
    this.notes.hidden = notes.length === 0;
  }

  picked(hit) {
    const { app } = this;
    if (!app.current || !hit) return;
    if (hit.field !== undefined) app.go(app.current, hit.field, "picture");
  }
}
