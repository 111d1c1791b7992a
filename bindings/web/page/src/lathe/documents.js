// The documents that are open in lathe, as the page knows them; and the bytes to open them again from.

import { Emitter } from "./emitter.js";

/** One document. The object stays the same while the document is open; its members follow what lathe tells:
 *   id          its number in lathe; another one after a restart, null while lathe does not have it
 *   name        its path, with folders
 *   format, game, size, changed, revision, undo, redo     as in the protocol
 *   kept        a Blob: its bytes as they were opened or last saved
 *   draft       { blob, revision } or null: its bytes with what was changed since then (drafts.js)
 *   handle      the file or null, and `folder`: the folder it was picked from, or null: where the browser lets us save
 *   options     what it was opened with */
class Doc {
  constructor(told) {
    this.kept = this.draft = null;
    this.handle = this.folder = null;
    this.options = undefined;
    this.selected = "";
    this.follow(told);
  }

  follow({ id, name, format, game, size, changed, revision, undo, redo }) {
    Object.assign(this, { id, name, format, game, size, changed, revision, undo, redo });
  }

  /** The name without folders. */
  get short() {
    return this.name.slice(this.name.lastIndexOf("/") + 1);
  }
}

/** Events: "opened" (doc), "closed" (doc), "changed" (doc: its contents are others), "told" (doc: anything about it),
 * "current" (doc or null: another one is shown). */
export class Documents extends Emitter {
  constructor() {
    super();
    this.list = [];
    this.current = null;
    this.returning = null; // the document that is being opened again: the next new one is it, whatever its name
  }

  byId(id) {
    return this.list.find((doc) => doc.id === id) || null;
  }

  /** Follows what a reply says about documents. */
  follow({ documents, closed }) {
    for (const id of closed || []) this.remove(this.byId(id));
    for (const told of documents || []) {
      const doc = this.byId(told.id);
      if (!doc) {
        this.add(told);
        continue;
      }
      const others = doc.revision !== told.revision;
      doc.follow(told);
      this.emit("told", doc);
      if (others) this.emit("changed", doc);
    }
  }

  add(told) {
    const again = this.returning;
    if (again) {
      this.returning = null;
      again.follow(told);
      this.emit("told", again);
      this.emit("changed", again);
      return;
    }
    const doc = new Doc(told);
    this.list.push(doc);
    this.emit("opened", doc);
    if (!this.current) this.select(doc);
  }

  remove(doc) {
    const at = this.list.indexOf(doc);
    if (at < 0) return;
    this.list.splice(at, 1);
    this.emit("closed", doc);
    if (this.current === doc) this.select(this.list[Math.min(at, this.list.length - 1)] || null);
  }

  select(doc) {
    if (this.current === doc) return;
    this.current = doc;
    this.emit("current", doc);
  }
}
