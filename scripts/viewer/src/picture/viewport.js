// The picture: a canvas with a camera, lights and a grid, which shows a model. Knows nothing of the page around it.

import { Color, DirectionalLight, GridHelper, Group, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3,
  WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { listenToKeys } from "./keys.js";
import { Model } from "./model.js";

const CLICK = 5; // pixels that a pointer may move between down and up
const JOINT = 5; // pixels around the point of a bone that count as the bone

const COLORS = {
  light: { back: 0xf2f3f5, grid: 0xc3c8d0, axis: 0x9aa2ad },
  dark: { back: 0x191c21, grid: 0x343a43, axis: 0x4a525e },
};

let known = null; // asked once: each question takes one of the few canvases that a browser allows

/** Whether this browser has WebGL. */
export function hasWebGL() {
  if (known === null) {
    try {
      const context = document.createElement("canvas").getContext("webgl2");
      known = context !== null;
      context?.getExtension("WEBGL_lose_context")?.loseContext();
    } catch {
      known = false;
    }
  }
  return known;
}

export class Viewport {
  /** `place`: the element that the canvas fills. */
  constructor(place) {
    this.place = place;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(40, 1, 0.1, 1000);
    // Kept after drawing, so that the picture can be copied and saved.
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.canvas = this.renderer.domElement;
    place.append(this.canvas);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.facing = 1;
    this.model = null;
    this.floor = new Group();
    this.scene.add(this.floor);
    this.addLights();
    this.listen();
    this.theme = "light";
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(place);
    this.resize();
  }

  addLights() {
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f99, 1.7));
    const lamp = new DirectionalLight(0xffffff, 1.9);
    lamp.position.set(-0.4, 0.6, 1);
    this.camera.add(lamp); // it moves with the camera, so that no side is dark
    this.scene.add(this.camera);
  }

  listen() {
    listenToKeys(this.canvas, this.controls, this);
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      down = event.isPrimary ? [event.clientX, event.clientY] : null;
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const still = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) <= CLICK;
      if (still && event.button === 0 && this.onPick) this.onPick(this.hitAt(event.clientX, event.clientY));
      down = null;
    });
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (this.onLost) this.onLost(true);
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      if (this.onLost) this.onLost(false);
      this.draw();
    });
  }

  /** What is seen at a point of the window: { object, face }, a mesh with the number of its triangle, or a bone with -1;
   * or null. */
  hitAt(x, y) {
    if (!this.model) return null;
    const box = this.canvas.getBoundingClientRect();
    const point = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const bone = this.boneAt(x - box.left, y - box.top);
    if (bone) return { object: bone, face: -1 };
    const caster = new Raycaster();
    caster.setFromCamera(point, this.camera);
    const meshes = [...this.model.shapes, ...this.model.collision].filter((mesh) => mesh.visible);
    const hit = caster.intersectObjects(meshes, false)[0];
    return hit ? { object: hit.object, face: hit.faceIndex } : null;
  }

  // The bone whose point is drawn at a place of the canvas, or null. Points are drawn over all else.
  boneAt(x, y) {
    const { skeleton } = this.model;
    if (!skeleton || !skeleton.visible) return null;
    const { clientWidth: width, clientHeight: height } = this.place;
    let nearest = null, least = JOINT;
    for (const bone of this.model.bones) {
      const at = new Vector3().setFromMatrixPosition(bone.matrixWorld).project(this.camera);
      const off = Math.hypot(((at.x + 1) * width) / 2 - x, ((1 - at.y) * height) / 2 - y);
      if (at.z > 1 || off > least) continue;
      least = off;
      nearest = bone;
    }
    return nearest;
  }

  setTheme(name) {
    this.theme = name;
    this.scene.background = new Color(COLORS[name].back);
    this.layFloor();
    this.draw();
  }

  /** Shows a model in place of the present one. `facing`: -1 if the game's front looks along -z. `keep`: the camera
   * stays where it is. */
  setModel(model, facing, keep) {
    const known = this.box && !this.box.isEmpty();
    if (this.model) {
      this.scene.remove(this.model.root);
      this.model.dispose();
    }
    this.model = model;
    this.facing = facing;
    this.scene.add(model.root);
    this.box = model.bounds();
    this.layFloor();
    if (keep && known) this.draw();
    else this.fit();
  }

  // A grid below the model whose cells are a power of ten.
  layFloor() {
    for (const old of [...this.floor.children]) {
      old.geometry.dispose();
      old.material.dispose();
      this.floor.remove(old);
    }
    if (!this.box || this.box.isEmpty()) return;
    const size = this.box.getSize(new Vector3());
    const widest = Math.max(size.x, size.z, size.y / 2, 1e-6);
    this.cell = 10 ** Math.floor(Math.log10(widest));
    if (widest / this.cell < 3) this.cell /= 5;
    const cells = 2 * Math.ceil(widest / this.cell) + 2;
    const { grid, axis } = COLORS[this.theme];
    const lines = new GridHelper(cells * this.cell, cells, axis, grid);
    const middle = this.box.getCenter(new Vector3());
    const snap = (v) => Math.round(v / this.cell) * this.cell;
    lines.position.set(snap(middle.x), this.box.min.y - size.y * 0.002, snap(middle.z));
    this.floor.add(lines);
  }

  // The angle from the middle of the picture to its nearest edge.
  get narrow() {
    const half = (this.camera.fov * Math.PI) / 360;
    return Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
  }

  /** Moves the camera so that the model, or the objects, fill the picture. */
  fit(objects) {
    if (!this.box || this.box.isEmpty()) return this.draw();
    const whole = this.box.getBoundingSphere(new Sphere());
    const some = objects && Model.around(objects);
    const centre = (some || whole).center;
    const radius = Math.max((some || whole).radius, whole.radius * 0.02) || 1;
    const distance = (radius / Math.sin(this.narrow)) * 1.02;
    const way = some
      ? this.camera.position.clone().sub(this.controls.target).normalize()
      : new Vector3(0.65, 0.42, 1 * this.facing).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(way, distance);
    this.camera.near = whole.radius / 500;
    this.camera.far = whole.radius * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    return this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width === 0 || height === 0) return;
    const { camera } = this, before = this.narrow;
    this.renderer.setSize(width, height);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    if (this.box && !this.box.isEmpty()) { // what filled the picture still fits into it
      const { target } = this.controls;
      camera.position.sub(target).multiplyScalar(Math.sin(before) / Math.sin(this.narrow)).add(target);
      this.controls.update();
    }
    this.paint();
  }

  /** Draws before the browser shows its next frame. */
  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.asked = false;
    if (this.gone) return;
    if (this.model) this.model.follow();
    this.renderer.render(this.scene, this.camera);
  }
  /** Frees the graphics card, and removes the canvas. */
  dispose() {
    this.gone = true;
    this.onLost = this.onPick = null;
    this.sizes.disconnect();
    this.controls.dispose();
    if (this.model) this.model.dispose();
    this.model = this.box = null;
    this.layFloor();
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // browsers allow few at a time
    this.canvas.remove();
  }
}
