// Which objects of the picture a path of the document describes, and the other way round.

import { faceOf, numberOf } from "./mark.js";

const NOTHING = { objects: [], face: -1 };

// Whether a path is at or below another one.
function below(path, other) {
  return other === "" || path === other || (path.startsWith(other) && /[.[]/.test(path[other.length]));
}

export class Places {
  /** `places`: [path, name] of bones. */
  constructor(model, places) {
    this.list = [];
    this.meshes = [...model.shapes, ...model.collision];
    for (const mesh of this.meshes) {
      const { place, also } = mesh.userData;
      if (place !== undefined) this.list.push([place, mesh]);
      for (const other of also || []) this.list.push([other, mesh]);
    }
    const named = new Map();
    for (const bone of model.bones) {
      const { name } = bone.userData;
      if (name !== undefined && !named.has(name)) named.set(name, bone);
    }
    this.bonePaths = new Map();
    for (const [path, name] of places) {
      const bone = named.get(name);
      if (!bone) continue;
      this.list.push([path, bone]);
      if (!this.bonePaths.has(bone)) this.bonePaths.set(bone, path);
    }
  }

  /** What a path describes: `objects`, and the `face` of the first one, or -1. A path that describes nothing itself, such
   * as the motion of a body, stands for the smallest part of the file that it is in; never for the whole file. */
  at(path) {
    if (path === null || path === undefined) return NOTHING;
    const triangle = this.triangleAt(path);
    if (triangle) return triangle;
    for (let place = path; place.includes("["); place = place.replace(/(\.[^.[]*|\[[^[]*)$/, "")) {
      const objects = this.near(place);
      if (objects.length > 0) return { objects, face: -1 };
    }
    return { objects: this.near(path), face: -1 };
  }

  // The triangle that an element of an array of triangles describes; null if the path is none.
  triangleAt(path) {
    let first = null;
    for (const mesh of this.meshes) {
      const { array } = mesh.userData;
      if (!array || !path.startsWith(array + "[")) continue;
      const face = faceOf(mesh, parseInt(path.slice(array.length + 1), 10));
      if (face >= 0 && !first) first = { objects: [mesh], face };
    }
    return first;
  }

  /** Those whose place is nearest above, or at it; else all below it. */
  near(path) {
    let longest = -1, found = [];
    for (const [place, object] of this.list) {
      if (!below(path, place) || place.length < longest) continue;
      if (place.length > longest) found = [];
      longest = place.length;
      found.push(object);
    }
    if (found.length > 0) return found;
    return this.list.filter(([place]) => below(place, path)).map(([, object]) => object);
  }

  /** What the document knows of an object and the number of its triangle: see `pick` of the picture. */
  of(object, face) {
    if (object.isBone) {
      const path = this.bonePaths.get(object);
      return { kind: "bone", name: object.userData.name ?? "", path, field: path, also: [], material: "", triangle: null };
    }
    const { place: path, also = [], array } = object.userData, triangle = numberOf(object, face);
    return {
      kind: object.userData.collides ? "collision" : "shape", name: nameOf(object), material: object.material.name,
      path, also, triangle,
      field: array && triangle ? `${array}[${triangle}]` : path,
    };
  }
}

// The name that the document has: three changes `name` so that none occurs twice.
function nameOf(object) {
  let node = object;
  while (node.parent && node.userData.path === undefined) node = node.parent;
  return node.userData.name ?? "";
}
