// The picture of the current document: the viewer's picture module (viewer.js), and what connects it with the fields.

import { button, group, make } from "./ui/elements.js";
import { settled } from "./ui/settled.js";

const SETTLE = 150; // milliseconds after a change until the picture follows
const RIGGED = /\.(hkx|hkt|xml)$/i;
const SKELETON = /skeleton/i;
const NEEDS = { skeleton: "This animation needs a skeleton to be drawn. Open the file of its skeleton, too." };

export class Pictures {
  /** `element`: where the picture goes. */
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.notes = make("details", "picture-notes");
    this.notes.hidden = true;
    const stage = make("div", "stage");
    this.rig = this.makeRig();
    element.append(stage, this.rig.bar, this.notes);
    this.picture = window.latheViewer.createPicture(stage, { onPick: (hit) => this.picked(hit), empty: "There is nothing to draw in this file." });
    element.classList.toggle("none", !this.picture);
    if (!this.picture) return;
    const { documents } = app;
    documents.on("current", (doc) => app.during(this.show(doc, false)));
    documents.on("changed", (doc) => doc === app.current && this.later(doc));
    const others = settled(app, SETTLE, () => this.others()); // thousands of files may come
    for (const event of ["opened", "closed"]) documents.on(event, others);
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

  // The choice of a skeleton for clips, which have none of their own.
  makeRig() {
    const choice = make("select"), bar = group("label", "picture-rig", "Skeleton", choice);
    bar.hidden = true;
    choice.addEventListener("change", () => {
      const doc = this.app.current;
      doc.skeleton = this.rig.docs[Number(choice.value)] || null;
      this.app.during(this.show(doc, false));
    });
    return { bar, choice, docs: [] };
  }

  // Offers the other documents that may have a skeleton. One that is called so is chosen without being asked for.
  fillRig(doc) {
    const { rig } = this, { list } = this.app.documents;
    rig.docs = doc && RIGGED.test(doc.name) && !SKELETON.test(doc.short) ? list.filter((one) => one !== doc && RIGGED.test(one.name)) : [];
    if (doc && doc.skeleton === undefined) {
      const named = rig.docs.filter((one) => SKELETON.test(one.short));
      if (named.length === 1) [doc.skeleton] = named;
    }
    rig.choice.replaceChildren(...["as found beside the file", ...rig.docs.map((one) => one.name)].map((name, i) => {
      const option = make("option", "", name);
      option.value = i - 1;
      return option;
    }));
    rig.choice.value = doc ? rig.docs.indexOf(doc.skeleton) : -1;
    rig.bar.hidden = rig.docs.length === 0;
  }

  // Other documents came or went: there may be a skeleton now.
  others() {
    const doc = this.app.current, before = doc && doc.skeleton;
    if (!doc || !RIGGED.test(doc.name)) return;
    this.fillRig(doc);
    if (doc.skeleton !== before) this.later(doc);
  }

  // `keep`: the document is shown already, and was changed.
  async show(doc, keep) {
    this.asked = {};
    const { app, picture } = this;
    this.fillRig(doc);
    if (!doc) {
      this.note([]);
      await picture.show(null);
      return;
    }
    try {
      const { result, blobs } = await app.call("picture", () => ({ skeleton: this.skeleton(doc) }), { doc, limit: 30000, first: true });
      if (doc !== app.current) return;
      if (blobs.length === 0 && !result.needs) this.rig.bar.hidden = true;
      this.note(result.notes || [], blobs.length === 0);
      await picture.show({ ...result.file, glb: blobs[0] || null, empty: NEEDS[result.needs] }, { keep });
      if (doc.selected) picture.highlight(doc.selected);
    } catch (error) {
      if (doc !== app.current || error.code === "stopped") return;
      await picture.show(null);
      this.note([{ reason: "the picture cannot be drawn: " + error.message }], true);
    }
  }

  // The number of the document with the skeleton that the user chose for a clip.
  skeleton(doc) {
    const { list } = this.app.documents;
    return doc.skeleton && list.includes(doc.skeleton) ? doc.skeleton.id : undefined;
  }

  // `open`: shows them at once, for there is no picture.
  note(notes, open = false) {
    const summary = make("summary", "", notes.length === 1 ? "1 note" : `${notes.length} notes`), list = make("ul", "plain");
    list.append(...notes.map(({ path, reason }) => group("li", "",
      path && button(path, () => this.app.go(this.app.current, path), "link"), path && ": ", make("span", "", reason))));
    this.notes.replaceChildren(summary, list);
    this.notes.hidden = notes.length === 0;
    this.notes.open = open;
  }

  picked(hit) {
    const { app } = this;
    if (!app.current || !hit) return;
    if (hit.field !== undefined) app.go(app.current, hit.field, "picture");
  }
}
