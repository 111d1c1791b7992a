// Opens files one after the other, with progress; lists those that lathe refuses.

import { count, size } from "../ui/elements.js";

// What documents find beside them, but lathe does not open.
const SCRIPT = /\.lua$/i;
const BESIDE = /\.(dds|png|tga|jpg|jpeg|bgsm|bgem|csg|bin|mtl)$/i;
const IMPORTED = /\.(obj|glb|gltf|csv)$/i; // files of other programs, which `import` reads

const MOST_NAMES = 5; // in a message

const listed = (names) => names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? `, and ${count(names.length - MOST_NAMES, "other")}` : "");

/** `progress` is called with { done, total, name }, or null when nothing is left. */
export class Queue {
  constructor(app, progress) {
    this.app = app;
    this.progress = progress;
    this.items = [];
    this.working = false;
  }

  /** Adds files, of files/collect.js. */
  add(files) {
    this.items.push(...files);
    if (!this.working && files.length > 0) this.app.during(this.work());
  }

  /** Opens no more of the files that wait. */
  cancel() {
    this.cancelled = this.items.splice(0).length;
  }

  async work() {
    this.working = true;
    this.cancelled = 0;
    const refused = [], notes = [], { beside } = this.app, before = new Set(beside.keys());
    let done = 0, first = null, opened = 0;
    await this.app.ready;
    // Files that others are found beside come first.
    this.items.sort((a, b) => BESIDE.test(b.name) - BESIDE.test(a.name));
    while (this.items.length > 0) {
      const file = this.items.shift();
      this.progress({ done, total: done + this.items.length + 1, name: file.name });
      try {
        const doc = await this.open(file, notes);
        if (doc) opened++;
        first = first || doc;
      } catch (error) {
        this.app.emit("refused", { name: file.name, error, bytes: file.kept || null });
        refused.push(error.message.includes(file.name) ? error.message : `${file.name}: ${error.message}`);
      }
      done++;
    }
    this.working = false;
    this.progress(null);
    if (first && this.app.documents.list.includes(first)) this.app.documents.select(first);
    const added = [...beside.keys()].filter((name) => !before.has(name) && !SCRIPT.test(name));
    const kept = added.filter((name) => !IMPORTED.test(name));
    if (kept.length > 0) notes.push(`${count(kept.length, "file is", "files are")} kept for others to find, and not opened: ${listed(kept)}.`);
    this.report(opened, refused, notes);
    this.offer(added.filter((name) => IMPORTED.test(name)));
  }

  // Files of other programs are not opened as documents, but documents can be made from them.
  offer(names) {
    if (names.length === 0) return;
    const { app } = this, text = `Lathe can make a game file from ${listed(names)}.`;
    app.say(text, "note", [], { text: "Import…", run: () => app.emit("import", names[0]) });
  }

  report(opened, refused, notes) {
    const { app, cancelled } = this;
    if (cancelled > 0) app.say(`${count(cancelled, "file was", "files were")} not opened: you cancelled.`, "warning");
    if (refused.length > 0) {
      const first = opened > 0 ? `${count(opened, "file is", "files are")} open. ` : "";
      app.say(`${first}${count(refused.length, "file was", "files were")} refused:`, "error", refused,
        { text: "Why?", run: () => this.explain() });
    }
    if (notes.length > 0) app.say(notes.length === 1 ? "Note:" : "Notes:", "note", notes);
  }

  // Shows the panel that says why files were refused.
  explain() {
    this.app.panels.reveal("findings");
    this.app.emit("why");
  }

  // Refuses what is too large before it is read.
  check({ name, size: bytes }) {
    const { limits } = this.app.about;
    const { documents, beside } = this.app;
    const open = documents.list.reduce((sum, doc) => sum + doc.size, 0) + [...beside.values()].reduce((sum, one) => sum + one.size, 0);
    if (bytes > limits.file) throw new Error(`${name}: it has ${size(bytes)}; the limit for a file is ${size(limits.file)} here. `
      + "The command line opens it.");
    if (bytes + open > limits.all) throw new Error(`${name}: with its ${size(bytes)}, the open files would exceed the limit of ${size(limits.all)} `
      + "together. Close some first.");
  }

  async read(file) {
    try {
      return await file.read();
    } catch (error) {
      const gone = error.name === "NotFoundError";
      throw new Error(`${file.name}: ${gone ? "it is no longer there" : "it cannot be read: " + error.message}`);
    }
  }

  async open(file, notes) {
    this.check(file);
    const bytes = await this.read(file), kept = (file.kept = new Blob([bytes]));
    const { app } = this;
    if (SCRIPT.test(file.name)) app.addScript(file.name, bytes); // others may require it
    if (SCRIPT.test(file.name) || BESIDE.test(file.name) || IMPORTED.test(file.name)) {
      await app.call("put", { name: file.name }, { blobs: [bytes] });
      app.beside.set(file.name, kept);
      app.emit("kept");
      return null;
    }
    const { result } = await app.call("open", { name: file.name }, { blobs: [bytes], limit: 60000 });
    const doc = app.documents.byId(result.document.id);
    Object.assign(doc, { kept, handle: file.handle, folder: file.folder, stamp: file.stamp });
    notes.push(...result.notes.map((note) => (note.includes(doc.name) ? note : `${doc.name}: ${note}`)));
    app.documents.emit("told", doc);
    return doc;
  }
}
