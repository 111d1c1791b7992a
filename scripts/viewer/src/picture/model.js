// A document in the scene: what its .glb holds, sorted into shapes, collision and skeleton.

import { AnimationMixer, Box3, Color, DoubleSide, FrontSide, Group, LineBasicMaterial, LineSegments, LinearSRGBColorSpace,
  MeshLambertMaterial, RepeatWrapping, SRGBColorSpace, Sphere, Texture, Vector3, WireframeGeometry } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { HIGHLIGHT, TriangleMark } from "./mark.js";
import { Skeleton } from "./skeleton.js";

/** What a .glb holds, as objects of three. */
function parse(bytes) {
  const { buffer, byteOffset, byteLength } = bytes;
  return new GLTFLoader().parseAsync(buffer.slice(byteOffset, byteOffset + byteLength), "");
}

/** The value of `userData` at an object or at the nearest one above that has it. */
function inherited(object, key) {
  for (let at = object; at; at = at.parent) {
    if (at.userData[key] !== undefined) return at.userData[key];
  }
  return undefined;
}

function image(url) {
  const texture = new Texture();
  texture.colorSpace = SRGBColorSpace;
  texture.flipY = false;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  const picture = new Image();
  picture.onload = () => {
    texture.image = picture;
    texture.needsUpdate = true;
    if (texture.onLoaded) texture.onLoaded();
  };
  picture.src = url;
  return texture;
}

/** A document's objects. `root` goes into a scene. */
export class Model {
  constructor() {
    this.root = new Group();
    this.shapes = [];
    this.collision = [];
    this.wires = [];
    this.bones = [];
    this.clips = [];
    this.skeleton = null;
    this.picked = [];
    this.materials = new Map();
    this.loaded = new Map();
    this.mark = new TriangleMark();
    this.root.add(this.mark);
  }

  /** Makes the model of a .glb. `textures`: URLs of pictures by the path that materials have. `changed` is called
   * when one of them has come. */
  static async of(bytes, textures, changed) {
    const model = new Model();
    if (!bytes) return model;
    const gltf = await parse(bytes);
    model.textures = textures || {};
    model.changed = changed;
    model.root.add(gltf.scene);
    model.clips = gltf.animations;
    gltf.scene.updateMatrixWorld(true);
    gltf.scene.traverse((object) => model.sort(object));
    for (const mesh of model.collision) model.addWire(mesh);
    if (model.bones.length > 0) {
      model.skeleton = new Skeleton(model.bones);
      model.root.add(model.skeleton);
    }
    model.mixer = new AnimationMixer(gltf.scene);
    model.follow();
    return model;
  }

  sort(object) {
    if (object.isBone) this.bones.push(object);
    if (!object.isMesh) return;
    object.userData.place = inherited(object, "path");
    object.userData.also = inherited(object, "also");
    object.userData.array = inherited(object, "triangles");
    if (inherited(object, "collision")) {
      object.userData.collides = true;
      this.collision.push(object);
    } else {
      object.material = this.surface(object.material, object.geometry);
      this.shapes.push(object);
    }
  }

  texture(path) {
    if (!path || !Object.hasOwn(this.textures, path)) return null; // a file may call its texture "constructor"
    const url = this.textures[path];
    if (!this.loaded.has(path)) {
      const texture = image(url);
      texture.onLoaded = this.changed;
      this.loaded.set(path, texture);
    }
    return this.loaded.get(path);
  }

  // The material to draw with: materials of one look are one, so that highlighting copies them.
  surface(from, geometry) {
    const colored = geometry.attributes.color !== undefined;
    const own = geometry.userData.color;
    const key = from.uuid + (colored ? " c " : " ") + own;
    if (this.materials.has(key)) return this.materials.get(key);
    const map = this.texture(from.userData.textures && from.userData.textures.base_color);
    const { r, g, b } = from.color;
    const white = from.color.getHex(LinearSRGBColorSpace) === 0xffffff;
    const material = new MeshLambertMaterial({
      name: from.name,
      map,
      color: white && !map ? new Color(own) : new Color().setRGB(r, g, b, SRGBColorSpace), // as in pictures
      vertexColors: colored,
      side: from.side === DoubleSide ? DoubleSide : FrontSide,
      alphaTest: from.alphaTest,
      transparent: from.transparent,
      opacity: from.opacity,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      flatShading: geometry.attributes.normal === undefined,
    });
    this.materials.set(key, material);
    return material;
  }

  addWire(mesh) {
    const color = new Color(mesh.geometry.userData.color);
    mesh.material = new MeshLambertMaterial({
      name: mesh.material.name, color, transparent: true, opacity: 0.14, depthWrite: false, side: DoubleSide, flatShading: true,
    });
    const wire = new LineSegments(new WireframeGeometry(mesh.geometry), new LineBasicMaterial({ color, toneMapped: false }));
    wire.raycast = () => {};
    wire.userData.wire = true;
    mesh.add(wire);
    this.wires.push(wire);
  }

  /** Materials of collision: names and colours, in the order of the file. */
  key() {
    const known = new Map();
    for (const mesh of this.collision) known.set(mesh.material.name, "#" + mesh.material.color.getHexString());
    return [...known];
  }

  /** Shows or hides "shapes", "collision" or "skeleton". */
  show(what, on) {
    if (what === "skeleton") {
      if (this.skeleton) this.skeleton.visible = on;
      return;
    }
    for (const mesh of this[what]) mesh.visible = on;
  }

  /** Whether there is anything of a kind. */
  has(what) {
    return what === "skeleton" ? this.skeleton !== null : this[what].length > 0;
  }

  /** Moves all that follows bones. */
  follow() {
    this.root.updateMatrixWorld(true);
    if (this.skeleton) this.skeleton.follow();
    this.mark.follow();
  }

  /** The box around everything that is drawn, with the way that bones take in the first clip. */
  bounds() {
    const box = new Box3();
    const action = this.clips.length > 0 ? this.mixer.clipAction(this.clips[0]).play() : null;
    this.pose(action, 0);
    for (const mesh of [...this.shapes, ...this.collision]) box.expandByObject(mesh, mesh.isSkinnedMesh === true);
    for (let share = 0; share <= 1 && (action || box.isEmpty()); share += 0.125) {
      this.pose(action, share);
      for (const bone of this.bones) box.expandByPoint(new Vector3().setFromMatrixPosition(bone.matrixWorld));
    }
    if (action) action.stop();
    return box;
  }

  // Moves all bones to a share of a clip, from 0 to 1.
  pose(action, share) {
    if (action) {
      action.time = share * action.getClip().duration;
      this.mixer.update(0);
    }
    this.follow();
  }

  /** The sphere around objects. */
  static around(objects) {
    const box = new Box3();
    for (const object of objects) {
      if (object.isBone) box.expandByPoint(new Vector3().setFromMatrixPosition(object.matrixWorld));
      else box.expandByObject(object, object.isSkinnedMesh === true);
    }
    return box.isEmpty() ? null : box.getBoundingSphere(new Sphere());
  }

  /** Highlights objects, and nothing else; `face`: the triangle of the first one to mark. */
  highlight(objects, face = -1) {
    for (const [mesh, material] of this.picked) {
      mesh.material.dispose();
      mesh.material = material;
    }
    this.mark.set(objects[0], face);
    this.picked = [];
    for (const mesh of objects) {
      if (!mesh.isMesh) continue;
      this.picked.push([mesh, mesh.material]);
      mesh.material = mesh.material.clone();
      mesh.material.emissive.copy(HIGHLIGHT).multiplyScalar(0.3);
      mesh.material.color.lerp(HIGHLIGHT, 0.5);
      if (mesh.material.opacity < 0.5) mesh.material.opacity = 0.45;
    }
    if (this.skeleton) {
      this.skeleton.picked = new Set(objects.filter((object) => object.isBone));
      this.skeleton.paint();
    }
  }
  /** Frees what the graphics card holds of it. */
  dispose() {
    this.highlight([]);
    if (this.mixer) this.mixer.stopAllAction();
    this.root.traverse((object) => {
      if (object.geometry) object.geometry.dispose();
      if (object.material) object.material.dispose();
      if (object.isSkinnedMesh) object.skeleton.dispose();
    });
    for (const texture of this.loaded.values()) {
      texture.onLoaded = null;
      texture.dispose();
    }
  }
}
