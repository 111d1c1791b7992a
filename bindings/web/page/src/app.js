// What all parts of the page share: the documents, calls to lathe, messages, questions. Panels get it (panels/README.md).

import { Documents } from "./lathe/documents.js";
import { Drafts } from "./lathe/drafts.js";
import { Emitter } from "./lathe/emitter.js";
import { CallError } from "./lathe/client.js";
import { Restart } from "./lathe/restart.js";
import { ask } from "./ui/ask.js";
import { download } from "./files/download.js";

const MAY_HANG = new Set(["prompt", "run"]); // calls that run code of the user

/** Events, besides those of `documents`:
 *   "ready" (about)        lathe has started, for the first time or again
 *   "busy" (call or null)  what runs now
 *   "theme" (name)         "light" or "dark" was chosen
 *   "path" (path, origin)  a field of the current document was selected: by "fields", "picture" or a panel
 *   "refused" (file)       a file was not opened: { name, error, bytes }, where bytes are a Blob or null
 *   "why"                  the user asks why
 *   "kept"                 `beside` has changed
 *   "import" (name)        the user wants to import a stored file
 *   "lost" (texts)         lathe was stopped or has crashed: what was lost */
export class App extends Emitter {
  constructor(client, notices) {
    super();
    this.client = client;
    this.notices = notices;
    this.documents = new Documents();
    this.beside = new Map(); // bytes (Blobs) of files that are stored without being open, by name
    this.written = new Set(); // names of files that scripts wrote and the user has not downloaded
    this.about = null;
    this.ready = new Promise((resolve) => this.on("ready", resolve)); // lathe has started
    this.drafts = new Drafts(this);
    this.restart = new Restart(this);
    this.restored = Promise.resolve(); // never rejected
    this.works = 0;
    client.onReply = (reply) => reply.changes && this.documents.follow(reply.changes);
    client.onBusy = (call) => this.emit("busy", call);
    client.onEnded = (why, started) => (this.restored = this.during(this.restart.run(why, started)));
    client.onBroken = (why) => this.say(`Lathe cannot be restarted: ${why}. Reload the page; do not save anything here.`, "error");
  }

  async greet() {
    this.about = (await this.client.call("about")).result;
    this.emit("ready", this.about);
  }

  /** Calls lathe: see Client.call. `doc` in the options: the document, whose present number becomes `id` of the arguments. Where
   * they have numbers of other documents, `args` is a function: a number may be another one when the call begins.
   * The promise is rejected with a CallError. */
  call(name, args = {}, { doc = null, ...options } = {}) {
    return this.during(this.called(name, args, doc, options));
  }

  async called(name, args, doc, options) {
    await this.settled();
    if (MAY_HANG.has(name)) {
      await this.drafts.flush();
      await this.settled();
    }
    const made = () => {
      const given = typeof args === "function" ? args() : args;
      if (!doc) return given;
      if (!this.documents.list.includes(doc) || doc.id === null) throw new CallError({ message: `${doc.name} is no longer open`, code: "closed" });
      return { ...given, id: doc.id };
    };
    return this.client.call(name, made, options);
  }

  // Waits until the documents are open again, also if lathe ends once more meanwhile.
  async settled() {
    let seen;
    do {
      seen = this.restored;
      await seen;
    } while (seen !== this.restored);
  }

  /** Says that the page is busy until a promise is settled, which it returns. */
  async during(promise) {
    const tell = (by) => document.getElementById("work").setAttribute("aria-busy", (this.works += by) > 0);
    tell(1);
    try {
      return await promise;
    } finally {
      tell(-1);
    }
  }

  /** The document that is shown, or null. */
  get current() {
    return this.documents.current;
  }

  /** Shows a document. Panels may still list one that was closed: that is said. Returns whether it is open. */
  show(doc) {
    const open = this.documents.list.includes(doc);
    if (open) this.documents.select(doc);
    else this.say(`${doc.name} is no longer open.`);
    return open;
  }

  /** Selects a field of a document, and shows it in the tree and the picture. */
  go(doc, path, origin = "panel") {
    if (!this.show(doc)) return;
    doc.selected = path;
    this.emit("path", path, origin);
  }

  /** Shows a message: "note", "warning" or "error". `more`: texts that are listed below it. `action`: a button: { text, run }. */
  say(text, kind = "note", more = [], action = null) {
    this.notices.add(text, kind, more, action);
  }

  /** Shows why a call failed. Calls that were stopped say so by themselves. */
  fail(error, what = "") {
    if (error.code === "stopped" || error.code === "closed") return;
    this.say((what ? what + ": " : "") + error.message, "error");
    if (!(error instanceof CallError)) console.error(error);
  }

  /** Asks a question: { title, text, list?, ok, cancel? }. Returns a promise of whether it was confirmed. */
  ask(question) {
    return ask(question);
  }

  /** Gives bytes to the user as a file. */
  download(name, bytes) {
    download(name, bytes);
  }

  /** Ends what runs, by ending the worker. */
  stop() {
    this.client.end("it was stopped");
  }
}
