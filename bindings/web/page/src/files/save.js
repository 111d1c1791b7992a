// Saving: one file as a download or back to where it was picked, all files as a .zip.

import { Zip, ZipDeflate } from "fflate";
import { count } from "../ui/elements.js";

const MINUTE = 60000;

/** The parts of a .zip. `files`: [name, bytes] of each; a name that occurs again gets a number. (They are a list, for an object
 * takes no file that is called __proto__.) */
function zipped(files) {
  const parts = [], taken = new Set();
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [name, bytes] of files) {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = name.replace(/(\.[^./]*)?$/, ` (${n})$1`);
    taken.add(free);
    const entry = new ZipDeflate(free, { level: 6 });
    zip.add(entry);
    entry.push(bytes, true);
  }
  zip.end();
  return parts;
}

export class Saving {
  constructor(app) {
    this.app = app;
  }

  /** Saves a document; the user gets it as a download. */
  async save(doc) {
    const bytes = await this.encode(doc);
    if (bytes) this.app.download(doc.name, bytes);
  }

  // The bytes of a document, which counts as saved from now on; null, and a message, if that fails.
  async encode(doc) {
    const { app } = this;
    try {
      const { result, blobs } = await app.call("save", {}, { doc, limit: MINUTE });
      this.keep(doc, blobs[0], result.notes);
      return blobs[0];
    } catch (error) {
      app.fail(error, doc.name);
      return null;
    }
  }

  keep(doc, bytes, notes) {
    doc.kept = new Blob([bytes]);
    if (notes.length > 0) this.app.say(`${doc.name} is saved:`, "warning", notes);
  }

  /** Saves all documents that changed, or, if none did, all: the user gets a .zip with their folders. */
  async saveAll() {
    const { app } = this, files = [];
    const changed = app.documents.list.filter((doc) => doc.changed);
    for (const doc of changed.length > 0 ? changed : [...app.documents.list]) {
      const bytes = await this.encode(doc);
      if (bytes) files.push([doc.name, bytes]);
    }
    if (files.length === 0) return;
    app.download("lathe.zip", new Blob(zipped(files)));
    const which = changed.length > 0 ? "changed " : "";
    app.say(`lathe.zip has ${count(files.length, which + "file")}.`);
  }

  // ---- back to the picked folder ------------------------------------------------------------------------------

  /** Whether the browser lets the page write the file itself. */
  canWrite(doc) {
    return Boolean(doc && doc.handle && doc.handle.createWritable);
  }

  /** Writes a document over the file that it was opened from, after a question. */
  async write(doc) {
    const { app } = this;
    const state = await this.stateOf(doc);
    const sure = await app.ask({
      title: `Save over ${doc.short}?`,
      text: `This replaces the file ${doc.name} on your disk. ${state} The page keeps no copy of what is there now: save a download first if you need one.`,
      ok: "Replace the file",
    });
    if (!sure) return;
    try {
      const allowed = await doc.handle.requestPermission({ mode: "readwrite" });
      if (allowed !== "granted") {
        app.say(`${doc.name} was not saved: the browser does not allow it.`, "warning");
        return;
      }
      const stream = await doc.handle.createWritable(); // before the document counts as saved: this may fail
      const bytes = await this.encode(doc);
      if (!bytes) {
        await stream.abort();
        return;
      }
      await stream.write(bytes);
      await stream.close();
      doc.stamp = (await doc.handle.getFile()).lastModified;
      app.say(`${doc.name} is saved.`);
    } catch (error) {
      app.say(`${doc.name} could not be written: ${error.message}. Its changes are still here: save it as a download.`, "error");
    }
  }

  // What is to be known of the file on the disk.
  async stateOf(doc) {
    try {
      const file = await doc.handle.getFile();
      return file.lastModified === doc.stamp ? "" : "Another program has changed it since it was opened here; that change will be lost.";
    } catch (error) {
      return error.name === "NotFoundError" ? "It is no longer there, so it will be made again." : "";
    }
  }
}
