// The bar at the top: opening, saving, undo and redo; what lathe does now, and the button that stops it.

import { $, count, make } from "./elements.js";

const SLOW = 400; // milliseconds after which a call is shown

const WORDS = {
  open: "Opening", save: "Saving", picture: "Making the picture", run: "Running a script", apply: "Changing", convert: "Converting",
  export: "Exporting", prompt: "Running a line", diff: "Comparing", check: "Checking", search: "Searching", command: "Running a command",
};

export class Bar {
  constructor(app, saving) {
    this.app = app;
    this.saving = saving;
    const { documents } = app;
    for (const event of ["opened", "closed", "told", "current", "changed"]) documents.on(event, () => this.refresh());
    app.on("ready", (about) => {
      this.ready = `lathe ${about.version}`;
      this.idle();
      this.refresh();
    });
    app.on("busy", (call) => this.busy(call));
  }

  connect(queue) {
    const { app, saving } = this, current = (action) => () => app.current && action(app.current);
    const actions = {
      open: () => app.pickFiles(), "open-folder": () => app.pickFolder(), save: current((doc) => saving.save(doc)),
      "save-back": current((doc) => saving.write(doc)), "save-all": () => saving.saveAll(),
      undo: current((doc) => this.step(doc, "undo")), redo: current((doc) => this.step(doc, "redo")),
      stop: () => app.stop(), cancel: () => queue.cancel(),
    };
    for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
    document.addEventListener("keydown", (event) => this.key(event, actions));
  }

  key(event, actions) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const writing = event.target.closest && event.target.closest("input, textarea, select, [contenteditable]");
    const name = { o: "open", s: "save", z: event.shiftKey ? "redo" : "undo", y: "redo", f: "search" }[event.key.toLowerCase()];
    if (!name || document.querySelector("dialog[open]") || (writing && (name === "undo" || name === "redo"))) return;
    if (name === "search" && !this.app.current) return;
    event.preventDefault();
    if (name === "search") {
      this.app.emit("view", "fields");
      $("search").select();
    } else if (!$(name).disabled) actions[name]();
  }

  async step(doc, call) {
    try {
      await this.app.call(call, {}, { doc, first: true });
    } catch (error) {
      this.app.fail(error);
    }
  }

  refresh() {
    const doc = this.app.current, { list } = this.app.documents;
    $("save").disabled = !doc;
    $("save-all").disabled = list.length < 1;
    $("save-back").hidden = !this.saving.canWrite(doc);
    const changed = list.filter((one) => one.changed).length;
    $("save-all").title = changed > 0 ? `Save ${count(changed, "changed file")} as one .zip` : "Save all open files as one .zip";
    for (const name of ["undo", "redo"]) {
      const what = doc && doc[name];
      $(name).disabled = !what;
      $(name).title = make("span", "", what ? `${name === "undo" ? "Undo" : "Redo"}: ${what}` : `Nothing to ${name}`).textContent;
    }
    this.title(doc);
  }

  title(doc) {
    document.title = doc ? make("span", "", `${doc.changed ? "* " : ""}${doc.short} – lathe`).textContent : "lathe";
    const facts = doc ? [doc.format, doc.game, count(doc.size, "byte")] : [];
    $("facts").textContent = make("span", "", facts.filter(Boolean).join(" · ")).textContent;
  }

  // ---- what runs --------------------------------------------------------------------------------------------------

  busy(call) {
    clearTimeout(this.timer);
    if (!call) {
      this.idle();
      return;
    }
    const left = Math.max(0, call.since + SLOW - Date.now());
    this.timer = setTimeout(() => {
      $("state").textContent = `${WORDS[call.name] || "Working"}…`;
      $("stop").hidden = false;
    }, left);
  }

  idle() {
    $("state").textContent = this.ready || "Starting…";
    $("stop").hidden = true;
  }

  /** Shows how far the opening of files is; null: it is done. */
  opening(state) {
    const { done = 0, total = 0, name = "" } = state || {};
    $("opening").hidden = !state || total < 2;
    $("opening-bar").max = total;
    $("opening-bar").value = done;
    $("opening-text").textContent = make("span", "", `Opening ${(done + 1).toLocaleString("en")} of ${total.toLocaleString("en")}: ${name}`).textContent;
  }
}
