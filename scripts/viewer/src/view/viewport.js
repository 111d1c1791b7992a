// The picture: a canvas with a camera, lights and a grid, which shows a model. Knows nothing of the page around it.

import { Color, DirectionalLight, GridHelper, Group, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3,
  WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { listenToKeys } from "./keys.js";
import { Model } from "./model.js";

const CLICK = 5; // pixels that a pointer may move between down and up

const COLORS = {
  light: { back: 0xf2f3f5, grid: 0xc3c8d0, axis: 0x9aa2ad },
  dark: { back: 0x191c21, grid: 0x343a43, axis: 0x4a525e },
};

/** Whether this browser has WebGL. */
export function hasWebGL() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
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
    new ResizeObserver(() => this.resize()).observe(place);
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
      if (still && event.button === 0 && this.onPick) this.onPick(this.objectAt(event.clientX, event.clientY));
      down = null;
    });
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (this.onLost) this.onLost();
    });
  }

  /** The mesh that is seen at a point of the window, or null. */
  objectAt(x, y) {
    if (!this.model) return null;
    const box = this.canvas.getBoundingClientRect();
    const point = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(point, this.camera);
    const meshes = [...this.model.shapes, ...this.model.collision].filter((mesh) => mesh.visible);
    const hit = caster.intersectObjects(meshes, false)[0];
    return hit ? hit.object : null;
  }

  setTheme(name) {
    this.theme = name;
    this.scene.background = new Color(COLORS[name].back);
    this.layFloor();
    this.draw();
  }

  /** Shows a model in place of the present one. `facing`: -1 if the game's front looks along -z. */
  setModel(model, facing) {
    if (this.model) this.scene.remove(this.model.root);
    this.model = model;
    this.facing = facing;
    this.scene.add(model.root);
    this.box = model.bounds();
    this.layFloor();
    this.fit();
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

  /** Moves the camera so that the model, or the objects, fill the picture. */
  fit(objects) {
    if (!this.box || this.box.isEmpty()) return this.draw();
    const whole = this.box.getBoundingSphere(new Sphere());
    const some = objects && Model.around(objects);
    const centre = (some || whole).center;
    const radius = Math.max((some || whole).radius, whole.radius * 0.02) || 1;
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const distance = (radius / Math.sin(narrow)) * 1.02;
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
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
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
    if (this.model) this.model.follow();
    this.renderer.render(this.scene, this.camera);
  }
}
