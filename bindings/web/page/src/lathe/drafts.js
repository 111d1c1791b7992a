// Drafts: the page keeps the bytes of documents with unsaved changes, so that the changes survive when lathe is stopped or crashes.
// It asks for these bytes while lathe is idle.

const WAIT = 250; // milliseconds after a change
const PATIENCE = 1000; // milliseconds that a script or line waits for the bytes of earlier changes
const SHARE = 20; // after encoding a draft, wait this many times as long before the next one

export class Drafts {
  constructor(app) {
    this.app = app;
    this.rest = 0; // no bytes are asked for before this time
    for (const event of ["opened", "changed", "told"]) app.documents.on(event, () => this.soon());
  }

  /** Whether the bytes of a document in its present state are neither in its file nor kept here. */
  lacks(doc) {
    if (!doc.changed && doc.kept) return false;
    return !doc.draft || doc.draft.revision !== doc.revision;
  }

  /** The bytes of a document that is open again, from before lathe was started again: they belong to its new revision. */
  again(doc) {
    if (doc.draft) doc.draft.revision = doc.revision;
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.work(), Math.max(WAIT, this.rest - Date.now()));
  }

  // One document at a time, so that what the user asks for never waits for long.
  async work() {
    const { client, documents } = this.app, doc = documents.list.find((one) => this.lacks(one) && one.tried !== one.revision);
    for (const one of documents.list) if (!one.changed && one.kept) one.draft = null;
    if (!doc) return;
    if (!client.idle) {
      this.soon();
      return;
    }
    await this.keep(doc);
    this.soon();
  }

  /** Keeps what is not kept yet, before something runs that may have to be stopped. */
  async flush() {
    const ends = Date.now() + PATIENCE;
    for (const doc of this.app.documents.list) {
      if (Date.now() > ends) return;
      if (this.lacks(doc) && doc.tried !== doc.revision) await this.keep(doc);
    }
  }

  async keep(doc) {
    const { app } = this, { revision, id } = doc, began = Date.now();
    doc.tried = revision; // a state that cannot be encoded is not tried again
    if (this.room(doc) < doc.size || id === null) return;
    try {
      const { blobs } = await app.client.call("encode", { id }, { limit: 10000, first: true });
      if (doc.id === id && doc.revision === revision && blobs[0].length <= this.room(doc)) doc.draft = { blob: new Blob([blobs[0]]), revision };
    } catch {
      // if it is lost later, the user is told then
    }
    this.rest = Date.now() + SHARE * (Date.now() - began);
  }

  // The bytes that may be kept of a document: all together take no more than the open files may.
  room(doc) {
    const others = this.app.documents.list.filter((one) => one !== doc && one.draft).reduce((sum, one) => sum + one.draft.blob.size, 0);
    return this.app.about.limits.all - others;
  }
}
