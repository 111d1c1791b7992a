// The page of `lathe view`: connects the picture, the tree and the bars.

import { block, json } from "./bytes.js";
import { make, visible } from "./visible.js";
import { Model } from "./view/model.js";
import { Player } from "./view/player.js";
import { Viewport, hasWebGL } from "./view/viewport.js";
import { Clips } from "./page/clips.js";
import { Places } from "./page/places.js";
import { connect as connectSearch } from "./page/search.js";
import { connect as connectTheme } from "./page/theme.js";
import { Tree } from "./page/tree.js";
import { sizeOf } from "./page/size.js";

const $ = (id) => document.getElementById(id);
const data = json("lathe-data");
const KINDS = ["shapes", "collision", "skeleton"];

let viewport = null, player = null, clips = null, shown = null;

const tree = new Tree($("tree"), (path, node) => {
  describe(path, node);
  highlight(path);
});
const search = connectSearch($("search"), $("results"), $("found"), tree, (path) => {
  search.clear();
  tree.reveal(path);
  if (tree.current) tree.current.item.focus({ preventScroll: true });
});

// ---- the row that is selected ---------------------------------------------------------------------------------

function describe(path, node) {
  const { docs } = data.files[shown.index];
  $("where").replaceChildren(make("code", "", path));
  if (node.t) $("where").append(make("span", "type", node.t));
  $("about").textContent = node.d ? visible(docs[node.d - 1]) : "";
  $("detail").hidden = false;
}

function highlight(path) {
  if (!viewport) return;
  const objects = shown.places.at(path);
  shown.model.highlight(objects);
  shown.picked = objects;
  $("frame").disabled = objects.length === 0;
  viewport.draw();
}

function pick(object) {
  const path = object && shown.places.of(object);
  if (path === undefined || path === null || path === false) {
    shown.model.highlight([]);
    shown.picked = [];
    viewport.draw();
    return;
  }
  search.clear();
  const row = path === "" ? null : tree.reveal(path, true);
  if (row) describe(row.path, row.node);
  shown.model.highlight([object]);
  shown.picked = [object];
  $("frame").disabled = false;
  viewport.draw();
}

// ---- bars -----------------------------------------------------------------------------------------------------

function toggle(kind) {
  const button = $("show-" + kind);
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", on);
  shown.model.show(kind, on);
  if (kind === "collision") $("key").hidden = !on || shown.model.collision.length === 0;
  viewport.draw();
}

function fillKey(model) {
  const list = $("materials");
  list.replaceChildren();
  for (const [name, color] of model.key()) {
    const item = make("li");
    const swatch = make("span", "swatch");
    swatch.style.backgroundColor = color;
    item.append(swatch, make("span", "", name || "no material"));
    list.append(item);
  }
  $("key").hidden = model.collision.length === 0;
}

function fillNotes(file) {
  const list = $("notes-list");
  list.replaceChildren();
  for (const note of file.notes) {
    const item = make("li");
    if (note.path) item.append(make("code", "", note.path), ": ");
    item.append(make("span", "", note.reason));
    list.append(item);
  }
  $("notes").hidden = file.notes.length === 0;
  $("notes-count").textContent = file.notes.length === 1 ? "1 note" : `${file.notes.length} notes`;
}

function fillFacts(file) {
  const facts = [file.format, file.game, file.meshes > 0 && `${file.triangles.toLocaleString("en")} triangles`];
  $("facts").textContent = visible(facts.filter(Boolean).join(" · "));
}

function setUpButtons(model) {
  for (const kind of KINDS) {
    const button = $("show-" + kind);
    button.hidden = !model.has(kind);
    const on = kind !== "skeleton" || model.shapes.length === 0 || model.clips.length > 0;
    button.setAttribute("aria-pressed", on);
    model.show(kind, on);
  }
  $("frame").disabled = true;
}

// ---- files ----------------------------------------------------------------------------------------------------

async function modelOf(file) {
  try {
    return await Model.of(file.glb ? block(file.glb) : null, file.textures, () => viewport.draw());
  } catch (error) {
    file.notes.push({ path: "", reason: "the picture cannot be drawn: " + error.message });
    return new Model();
  }
}

async function show(index) {
  const file = data.files[index];
  const model = viewport ? await modelOf(file) : new Model();
  if (player) player.stop();
  shown = { index, model, picked: [], places: new Places(model, file.places) };
  search.clear();
  $("detail").hidden = true;
  tree.set(file.tree);
  fillFacts(file);
  fillNotes(file);
  if (!viewport) return;
  viewport.setModel(model, file.up === "z" ? -1 : 1);
  setUpButtons(model);
  fillKey(model);
  clips.set(model);
  const empty = KINDS.every((kind) => !model.has(kind));
  $("empty").hidden = !empty;
  $("size").textContent = sizeOf(viewport.box, file.metres, viewport.cell);
}

function listFiles() {
  const choice = $("file");
  data.files.forEach((file, i) => {
    const option = make("option", "", file.name);
    option.value = i;
    choice.append(option);
  });
  choice.hidden = data.files.length < 2;
  $("title").textContent = visible(data.files.length < 2 ? data.files[0].name : "");
  choice.addEventListener("change", () => show(Number(choice.value)));
}

function setUpPicture() {
  if (!hasWebGL()) {
    $("no-webgl").hidden = false;
    document.body.classList.add("no-picture");
    return;
  }
  viewport = new Viewport($("picture"));
  viewport.canvas.tabIndex = 0;
  viewport.canvas.setAttribute("role", "img");
  viewport.canvas.setAttribute("aria-label", "The model in three dimensions. Arrow keys turn it, Shift and arrow keys move it, "
    + "plus and minus zoom, F fits it, 1, 3 and 7 show front, side and top.");
  viewport.onPick = pick;
  viewport.onLost = () => ($("no-webgl").hidden = false);
  player = new Player(viewport);
  clips = new Clips($("clips"), player);
  for (const kind of KINDS) $("show-" + kind).addEventListener("click", () => toggle(kind));
  $("fit").addEventListener("click", () => viewport.fit());
  $("frame").addEventListener("click", () => viewport.fit(shown.picked));
}

setUpPicture();
listFiles();
connectTheme($("theme"), (name) => viewport && viewport.setTheme(name));
show(0).then(() => (document.documentElement.dataset.ready = "yes"));
