// Which objects of the picture a path of the tree describes, and the other way round.

// Whether a path is at or below another one.
function below(path, other) {
  return other === "" || path === other || (path.startsWith(other) && /[.[]/.test(path[other.length]));
}

export class Places {
  /** `places`: [path, kind, name or number] of bones ("bone") and bodies, from the page's data. */
  constructor(model, places) {
    this.list = [];
    for (const mesh of [...model.shapes, ...model.collision]) {
      const { place, also } = mesh.userData;
      if (place !== undefined) this.list.push([place, mesh]);
      for (const other of also || []) this.list.push([other, mesh]);
    }
    const bones = new Map();
    for (const bone of model.bones) {
      const { name } = bone.userData;
      if (name !== undefined && !bones.has(name)) bones.set(name, bone);
    }
    this.bonePaths = new Map();
    for (const [path, name] of places) {
      const bone = bones.get(name);
      if (!bone) continue;
      this.list.push([path, bone]);
      if (!this.bonePaths.has(bone)) this.bonePaths.set(bone, path);
    }
  }

  /** The objects that a row describes. A row that has none, such as the motion of a body, describes those of the
   * smallest part of the file that it is in; never of the whole file. */
  at(path) {
    for (let place = path; place.includes("["); place = place.replace(/(\.[^.[]*|\[[^[]*)$/, "")) {
      const found = this.near(place);
      if (found.length > 0) return found;
    }
    return this.near(path);
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

  /** The path of an object. */
  of(object) {
    return object.isBone ? this.bonePaths.get(object) : object.userData.place;
  }
}
