// After lathe was stopped or has crashed: opens all documents again in the new worker, from the bytes that the page keeps, and says
// what was lost.

import { count } from "../ui/elements.js";
import { CallError } from "./client.js";

const bytes = async (blob) => new Uint8Array(await blob.arrayBuffer());

export class Restart {
  constructor(app) {
    this.app = app;
    this.losses = new Map(); // by document, a sentence about what it lost that the user has not seen yet
  }

  /** Opens all documents again once another worker has `started`. Until then they have no numbers: a number of the old worker means
   * nothing, or another document, in the new one. If the new worker ends, too, the run for the next one opens the rest. */
  async run(why, started) {
    const { app } = this, { documents } = app, list = [...documents.list];
    this.mine = started; // an older run sees that it is not the last one
    documents.returning = null;
    for (const doc of list) doc.id = doc.tried = null;
    if (!(await started)) return;
    try {
      await app.greet();
      const lost = await this.beside(started);
      for (const doc of list) await this.bring(doc, started);
      this.tell(why, [...lost, ...this.losses.values()], list.length > 0);
    } catch (error) {
      if (error.code !== "stopped") app.fail(error, "Not all files could be reopened");
    }
  }

  // A call to the worker that has `started`; it is refused once that one has ended.
  async call(started, ...all) {
    if (this.mine !== started) throw new CallError({ message: "it has ended", code: "stopped" });
    return this.app.client.call(...all);
  }

  // Stores the files that others find beside them. Returns what is lost.
  async beside(started) {
    const lost = [];
    for (const [name, kept] of this.app.beside) {
      try {
        await this.call(started, "put", { name }, { blobs: [await bytes(kept)] });
      } catch (error) {
        if (error.code === "stopped") throw error;
        lost.push(error.message);
      }
    }
    return lost;
  }

  async bring(doc, started) {
    const { documents } = this.app, { name } = doc;
    try {
      const missing = await this.reopen(doc, started);
      if (missing) this.losses.set(doc, `${name}: ${missing}`);
      if (doc.name !== name) this.app.say(`${name} is called ${doc.name} now, because another open file has its name.`);
    } catch (error) {
      if (error.code === "stopped") throw error;
      this.losses.set(doc, `${name}: it was closed because it cannot be reopened: ${error.message}`);
      documents.remove(doc);
    }
  }

  // Opens a document again, with what was changed in it. Returns what is missing, in words; null: nothing is.
  async reopen(doc, started) {
    const { drafts, documents } = this.app, { draft } = doc;
    const last = doc.changed ? doc.undo || "changes" : null, current = !drafts.lacks(doc), kept = doc.kept || (draft && draft.blob);
    if (!kept) throw new Error("it was made here, and its bytes were not kept");
    const open = async (...blobs) => {
      const read = await Promise.all(blobs.map(bytes));
      const returning = (one) => this.mine === started && (documents.returning = one);
      returning(doc);
      try {
        return await this.call(started, "open", { name: doc.name, options: doc.options }, { blobs: read, limit: 60000 });
      } finally {
        returning(null);
      }
    };
    let why = "";
    if (draft && (doc.changed || !doc.kept)) {
      try {
        await open(kept, draft.blob);
        drafts.again(doc);
        return current ? null : `its last change (${last}), which came just before`;
      } catch (error) {
        if (!doc.kept || error.code === "stopped") throw error;
        why = `; with them it cannot be opened: ${error.message}`;
      }
    }
    doc.draft = null;
    await open(kept);
    return last && `what was changed since it was last saved (the last step: ${last})${why}`;
  }

  tell(why, lost, some) {
    const { app } = this, { list } = app.documents, changed = list.filter((doc) => doc.changed).length;
    for (const name of app.written) lost.push(`${name}: a script wrote it here, and it was not downloaded`);
    app.written.clear();
    this.losses.clear();
    const open = list.length === 0 ? "" : ` ${count(list.length, "file is", "files are")} open again`
      + `${changed > 0 ? `, ${changed} of them with changes that are not saved` : ""}.`;
    const more = lost.length > 0 ? " Lost, besides the undo history and the variables of the prompt:"
      : some ? " Only the undo history and the variables of the prompt were lost." : "";
    app.say(`Lathe was restarted: ${why}.${open}${more}`, lost.length > 0 ? "warning" : "note", lost);
    app.emit("lost", lost);
  }
}
