// The page of `lathe view`: connects the picture, the tree and the bars.

import { createPicture } from "../picture/index.js";
import { make, visible } from "../visible.js";
import { block, json } from "./bytes.js";
import { connect as connectSearch } from "./search.js";
import { connect as connectTheme } from "./theme.js";
import { Tree } from "./tree.js";

const $ = (id) => document.getElementById(id);
const data = json("lathe-data");
let file = null; // that is shown

const tree = new Tree($("tree"), (path, node) => {
  describe(path, node);
  if (picture) picture.highlight(path);
});
const search = connectSearch($("search"), $("results"), $("found"), tree, (path) => {
  search.clear();
  tree.reveal(path);
  if (tree.current) tree.current.item.focus({ preventScroll: true });
});
const picture = createPicture($("stage"), {
  toolbar: $("buttons"), onPick: picked, empty: "There is nothing to draw in this file. The tree shows its fields.",
});

// ---- what is selected -----------------------------------------------------------------------------------------

// Shows a path, and what its node is; `more`: further text.
function describe(path, node, more = "") {
  $("where").replaceChildren(make("code", "", path));
  if (node && node.t) $("where").append(make("span", "type", node.t));
  $("about").textContent = [visible(more), node && node.d ? visible(file.docs[node.d - 1]) : ""].filter(Boolean).join(". ");
  $("detail").hidden = false;
  if (tree.current) tree.show(tree.current); // the list has become shorter
}

// What was clicked, in words.
function words({ kind, name, material, path, triangle }) {
  const of = kind === "bone" ? "Bone" : `Triangle ${triangle} of the ${kind === "shape" ? "mesh" : "collision"}`;
  const what = [of, name && `'${name}'`, path ? `at ${path}` : ""].filter(Boolean).join(" ");
  return what + (material && `, material ${material}`);
}

function picked(hit) {
  if (!hit) return;
  search.clear();
  const row = hit.field ? tree.reveal(hit.field, true) : null;
  // The page may lack the row of the triangle itself: then the row above it is selected.
  describe(hit.field || hit.path || "", row && row.path === hit.field ? row.node : null, words(hit));
}

$("tree").addEventListener("keydown", (event) => {
  if (event.key === "Escape" && picture) picture.highlight(null);
});

// ---- files ----------------------------------------------------------------------------------------------------

function fillNotes(notes) {
  $("notes-list").replaceChildren(...notes.map((note) => {
    const item = make("li");
    if (note.path) item.append(make("code", "", note.path), ": ");
    item.append(make("span", "", note.reason));
    return item;
  }));
  $("notes").hidden = notes.length === 0;
  $("notes-count").textContent = notes.length === 1 ? "1 note" : `${notes.length} notes`;
}

function fillFacts() {
  const noun = file.triangles === 1 ? "triangle" : "triangles";
  const facts = [file.format, file.game, file.meshes > 0 && `${file.triangles.toLocaleString("en")} ${noun}`];
  $("facts").textContent = visible(facts.filter(Boolean).join(" · "));
}

async function show(index) {
  file = data.files[index];
  search.clear();
  $("detail").hidden = true;
  tree.set(file.tree);
  fillFacts();
  fillNotes(file.notes);
  if (!picture) return;
  const shown = file;
  try {
    await picture.show({ ...file, glb: file.glb ? block(file.glb) : null });
  } catch (error) {
    if (file === shown) fillNotes([...file.notes, { path: "", reason: "the picture cannot be drawn: " + error.message }]);
  }
}

function listFiles() {
  const choice = $("file");
  data.files.forEach((one, i) => {
    const option = make("option", "", one.name);
    option.value = i;
    choice.append(option);
  });
  choice.hidden = data.files.length < 2;
  $("title").textContent = visible(data.files.length < 2 ? data.files[0].name : "");
  choice.addEventListener("change", () => show(Number(choice.value)));
}

if (!picture) document.body.classList.add("no-picture");
listFiles();
connectTheme($("theme"), (name) => picture && picture.setTheme(name));
show(0).then(() => (document.documentElement.dataset.ready = "yes"));
