// The picture of a document, for any page: meshes, collision, bones and clips in an element, with the buttons that belong
// to them. It knows nothing of the page around it, of the tree of fields, or of how the page came to the data.
//
//   import { createPicture } from ".../picture/index.js";       // and picture.css, which uses the colours of theme.css
//   const picture = createPicture(element, { onPick: (hit) => hit && tree.reveal(hit.field) });
//   if (picture) await picture.show({ glb, up: "z", metres: 0.0142875, places: [["blocks[3]", "Bip01"]] });
//   picture?.highlight("blocks[2]");
//
// The data of `show`, which `of` and `data` of lathe.view.model make of a document:
//   glb       Uint8Array, or null: nothing to draw. Its nodes have in `extras`: `path` of what draws them in the document
//             ("" is the document itself), `also` (further paths), `collision` (true), and `triangles` (the path
//             of the array that has its triangles). Its primitives have `color`, and `triangles`: the numbers of their
//             triangles in the document, in runs (first, length, …), unless they are 1, 2, 3, ….
//   textures  URLs by the path that materials have in their `extras`
//   places    [path, name of the bone] for each path that describes a bone
//   up        "y" or "z": the axis that pointed up in the game; with "z" its front looks the other way
//   metres    the length of a unit, if it is known
//   empty     what to say when there is nothing to draw, in place of the option `empty`
//
// What was clicked, for `onPick` and `pick`:
//   kind      "shape", "collision" or "bone"
//   name      of the mesh or bone, as in the document; "" if it has none
//   material  its name, or ""
//   path      of the mesh, body or bone in the document ("": the document); undefined if it is not known
//   also      further paths of it
//   triangle  its number in the indices that `doc:meshes` gives, from 1; null for bones
//   field     the path of the field that holds the triangle, if the document has one; else `path`

import { make } from "../visible.js";
import { corner, Key, KINDS, Toggles } from "./bars.js";
import { Clips } from "./clips.js";
import { Model } from "./model.js";
import { Places } from "./places.js";
import { Player } from "./player.js";
import { sizeOf } from "./size.js";
import { Viewport, hasWebGL } from "./viewport.js";

const LABEL = "The model in three dimensions. Arrow keys turn it, Shift and arrow keys move it, plus and minus zoom, "
  + "F fits it, 1, 3 and 7 show front, side and top, Escape selects nothing.";
const LOST = "The browser has stopped drawing. It may go on by itself; otherwise, load the page again.";

class Picture {
  constructor(element, options) {
    this.element = element;
    this.options = options;
    this.stage = make("div", "picture-stage");
    element.append(this.stage);
    this.viewport = new Viewport(this.stage);
    this.player = new Player(this.viewport);
    this.setUpCanvas();
    this.setUpBars();
    this.asked = 0;
    this.selected = { objects: [], face: -1 };
    this.put(new Model(), {});
    this.setTheme(options.theme || "light");
  }

  setUpCanvas() {
    const { canvas } = this.viewport;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application"); // arrow keys go to the camera, also with a screen reader
    canvas.setAttribute("aria-label", LABEL);
    this.viewport.onPick = (hit) => this.picked(hit);
    this.viewport.onLost = (lost) => this.say(lost ? LOST : this.what());
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.picked(null);
    });
  }

  setUpBars() {
    const { bar, selected } = corner(() => this.fit(), () => this.fitSelected());
    this.fitButton = selected;
    this.corner = bar;
    this.toggles = new Toggles(this.options.toolbar || bar, (kind) => this.setShown(kind, !this.shown[kind]));
    this.key = new Key();
    this.size = make("p", "picture-size");
    this.message = make("p", "picture-message");
    this.message.setAttribute("role", "status");
    this.clips = new Clips(this.player);
    this.stage.prepend(bar); // before the canvas, also for the Tab key
    this.stage.append(this.key.element, this.size, this.message);
    this.element.append(this.clips.bar);
  }

  /** Shows a document in place of the present one; null: none. The promise is rejected if the .glb cannot be read; then
   * nothing is shown. If `show` is called again before it is done, the last call wins. `keep`: the camera, what is
   * shown and hidden, and the clip with its time stay as they are: for a document that was changed. */
  async show(data, { keep = false } = {}) {
    const number = ++this.asked;
    let model, failure = null;
    try {
      model = await Model.of(data && data.glb, data && data.textures, () => this.viewport.draw());
    } catch (error) {
      failure = error;
      model = new Model();
    }
    if (number !== this.asked || this.gone) model.dispose();
    else this.put(model, (!failure && data) || {}, keep);
    if (failure) throw failure;
  }

  put(model, data, keep = false) {
    const { shown: before = {}, player } = this;
    const at = keep && player.clip ? { number: this.clips.number, time: player.time } : null;
    player.stop();
    player.choose(null, null);
    this.model = model;
    this.places = new Places(model, data.places || []);
    this.viewport.setModel(model, data.up === "z" ? -1 : 1, keep);
    this.shown = {};
    for (const kind of KINDS.filter((one) => model.has(one))) {
      const usual = kind !== "skeleton" || model.shapes.length === 0 || model.clips.length > 0;
      this.shown[kind] = keep && before[kind] !== undefined ? before[kind] : usual;
      model.show(kind, this.shown[kind]);
    }
    this.key.set(model.key());
    this.refresh();
    this.clips.set(model, at);
    this.size.textContent = sizeOf(this.viewport.box, data.metres, this.viewport.cell);
    this.why = data.empty;
    this.empty = data.glb === null || (data.glb !== undefined && this.kinds.length === 0);
    this.corner.hidden = this.empty;
    this.say(this.what());
    this.select({ objects: [], face: -1 });
  }

  // The message that the picture has while all is well.
  what() {
    return this.empty ? this.why || this.options.empty || "There is nothing to draw in this file." : "";
  }

  say(text) {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }

  refresh() {
    this.toggles.set(this.shown);
    this.key.show(this.shown.collision === true);
    this.viewport.draw();
  }

  /** What there is to show: some of "shapes", "collision" and "skeleton". */
  get kinds() {
    return Object.keys(this.shown);
  }

  /** Shows or hides a kind. */
  setShown(kind, on) {
    if (this.shown[kind] === undefined) return;
    this.shown[kind] = on;
    this.model.show(kind, on);
    this.refresh();
  }

  /** Highlights what a path of the document describes, and nothing else; null: nothing. The path of one triangle marks
   * it. Returns how many objects are highlighted. */
  highlight(path) {
    return this.select(this.places.at(path));
  }

  select({ objects, face }) {
    this.selected = { objects, face };
    this.model.highlight(objects, face);
    this.fitButton.disabled = objects.length === 0;
    this.viewport.draw();
    return objects.length;
  }

  /** What is seen at a point of the window (as `clientX` and `clientY` of events), or null. */
  pick(x, y) {
    const hit = this.viewport.hitAt(x, y);
    return hit && this.places.of(hit.object, hit.face);
  }

  picked(hit) {
    this.select(hit ? { objects: [hit.object], face: hit.face } : { objects: [], face: -1 });
    if (this.options.onPick) this.options.onPick(hit && this.places.of(hit.object, hit.face));
  }

  /** Moves the camera so that all of it fills the picture. */
  fit() {
    this.viewport.fit();
  }

  /** Moves the camera to what is highlighted. */
  fitSelected() {
    if (this.selected.objects.length > 0) this.viewport.fit(this.selected.objects);
  }

  /** "light" or "dark". */
  setTheme(name) {
    this.viewport.setTheme(name);
  }

  /** Frees all that the picture holds, and removes what it put into the page. */
  dispose() {
    this.gone = true;
    this.player.stop();
    this.viewport.dispose();
    this.toggles.dispose();
    this.stage.remove();
    this.clips.bar.remove();
    this.element.classList.remove("picture");
  }
}

/** Makes a picture in an element, whose size it takes. Options, none of which is needed:
 *   onPick   called with what was clicked (see above), or null for nothing; it is highlighted already
 *   theme    "light" (default) or "dark"
 *   toolbar  an element that gets the buttons of what is shown; default: the picture's own corner
 *   empty    what to say of a document without anything to draw
 * Returns null if this browser has no WebGL; the element then says so. */
export function createPicture(element, options = {}) {
  element.classList.add("picture");
  if (hasWebGL()) return new Picture(element, options);
  element.append(make("p", "picture-message", "This browser has no WebGL, so the picture is missing. Everything else works."));
  return null;
}
