// The page: connects its parts.

import { connect as connectTheme } from "../../../../scripts/viewer/src/page/theme.js";
import { App } from "./app.js";
import { Detail } from "./fields/detail.js";
import { Search } from "./fields/search.js";
import { Tree } from "./fields/tree.js";
import { canPickFolder, dropped, picked, pickFolder } from "./files/collect.js";
import { Queue } from "./files/queue.js";
import { Saving } from "./files/save.js";
import { lathe, text } from "./lathe/blocks.js";
import { Client } from "./lathe/client.js";
import { PANELS } from "./panels/index.js";
import { Pictures } from "./picture.js";
import { Bar } from "./ui/bar.js";
import { Dock } from "./ui/dock.js";
import { $ } from "./ui/elements.js";
import { connectKept } from "./ui/kept.js";
import { Notices } from "./ui/notices.js";
import { connectSplitters } from "./ui/splitters.js";
import { Tabs } from "./ui/tabs.js";
import { connectViews } from "./ui/views.js";

function lacking() {
  if (typeof WebAssembly !== "object") return "it has no WebAssembly";
  if (typeof DecompressionStream !== "function") return "it cannot unpack gzip (DecompressionStream)";
  if (typeof Worker !== "function") return "it has no web workers";
  return null;
}

function connectFiles(app, queue) {
  app.addFiles = (files) => queue.add(files);
  const collect = async (files) => {
    try {
      queue.add((await files) || []);
    } catch (error) {
      app.fail(error, "The files cannot be read");
    }
  };
  for (const id of ["pick-files", "pick-folder"]) {
    $(id).addEventListener("change", (event) => {
      collect(picked(event.target.files));
      event.target.value = "";
    });
  }
  app.pickFiles = () => $("pick-files").click();
  app.pickFolder = () => (canPickFolder() ? collect(pickFolder()) : $("pick-folder").click());
  let inside = 0;
  const over = (on) => document.body.classList.toggle("over", on);
  document.addEventListener("dragenter", () => over(++inside > 0));
  document.addEventListener("dragleave", () => over((inside = Math.max(0, inside - 1)) > 0));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    inside = 0;
    if (event.dataTransfer && event.dataTransfer.items.length > 0) collect(dropped(event.dataTransfer));
  });
}

function connectStart(app) {
  const show = () => document.body.classList.toggle("empty", app.documents.list.length === 0);
  app.documents.on("opened", show);
  app.documents.on("closed", show);
  show();
  $("start-files").addEventListener("click", () => app.pickFiles());
  $("start-folder").addEventListener("click", () => app.pickFolder());
  $("start-help").addEventListener("click", () => app.panels.reveal("about"));
  window.addEventListener("beforeunload", (event) => {
    if (app.documents.list.some((doc) => doc.changed)) event.preventDefault();
  });
}

function build(client) {
  const app = new App(client, new Notices($("notices")));
  const bar = new Bar(app, new Saving(app));
  const queue = new Queue(app, (state) => bar.opening(state));
  bar.connect(queue);
  new Tabs(app, $("tabs"), $("all-files"));
  connectKept(app, $("kept-files"));
  const tree = new Tree(app, $("tree"));
  new Detail(app, $("detail"), tree);
  new Search(app, { field: $("search"), list: $("results"), status: $("found"), tree });
  $("show-all").addEventListener("change", (event) => tree.setAll(event.target.checked));
  new Dock(app, $("panel-tabs"), $("panels"), PANELS);
  connectViews(app);
  connectSplitters();
  connectFiles(app, queue);
  connectStart(app);
  connectTheme($("theme"), (name) => app.emit("theme", name));
  return app;
}

// The policy of the page has the hash of this script.
function addPictures(app, viewer) {
  const script = document.createElement("script");
  script.textContent = viewer;
  document.head.append(script);
  const pictures = new Pictures(app, $("picture"));
  pictures.setTheme(document.documentElement.dataset.theme);
  app.on("theme", (name) => pictures.setTheme(name));
}

async function main() {
  const began = performance.now(), lacks = lacking();
  if (lacks) throw new Error(lacks);
  const client = new Client(await text("lathe-worker"), lathe());
  const started = client.start(); // it computes while the page is built
  const app = build(client);
  client.onViewer = (viewer) => addPictures(app, viewer);
  await started;
  await app.greet();
  document.documentElement.dataset.ready = Math.round(performance.now() - began);
  await client.prepare();
}

main().catch((error) => {
  $("state").textContent = "Lathe cannot start";
  $("start-why").textContent = `Lathe cannot start in this browser: ${error.message}. Use a newer browser, or lathe's command line.`;
  $("start-why").hidden = false;
  document.documentElement.dataset.failed = "yes";
});
