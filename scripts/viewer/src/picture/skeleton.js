// The bones of a model as lines and points.

import { BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial,
  Vector3 } from "three";
import { HIGHLIGHT } from "./mark.js";

/** Lines from each bone to its parent, and a point for each bone. They follow the bones. */
export class Skeleton extends Group {
  constructor(bones) {
    super();
    this.bones = bones;
    this.edges = [];
    const numbers = new Map(bones.map((bone, i) => [bone, i]));
    bones.forEach((bone, i) => {
      const parent = numbers.get(bone.parent);
      if (parent !== undefined) this.edges.push(i, parent);
    });
    const material = { depthTest: false, transparent: true, toneMapped: false, vertexColors: true };
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial(material));
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ ...material, size: 5, sizeAttenuation: false }));
    this.setUp(this.lines, this.edges.length);
    this.setUp(this.points, bones.length);
    this.picked = new Set();
    this.paint();
  }

  setUp(object, n) {
    object.geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(3 * n), 3));
    object.geometry.setAttribute("color", new Float32BufferAttribute(new Float32Array(3 * n), 3));
    object.frustumCulled = false;
    object.renderOrder = 10;
    this.add(object);
  }

  paint() {
    const plain = new Color(0x35b5ff), above = new Color(0x1a6fd0);
    const color = (i, other) => (this.picked.has(this.bones[i]) ? HIGHLIGHT : other);
    this.edges.forEach((bone, k) => color(bone, k % 2 ? above : plain).toArray(this.lines.geometry.attributes.color.array, 3 * k));
    this.bones.forEach((_, i) => color(i, plain).toArray(this.points.geometry.attributes.color.array, 3 * i));
    this.lines.geometry.attributes.color.needsUpdate = true;
    this.points.geometry.attributes.color.needsUpdate = true;
    this.points.material.size = 5;
  }

  follow() {
    const places = this.bones.map((bone) => new Vector3().setFromMatrixPosition(bone.matrixWorld));
    this.edges.forEach((bone, k) => places[bone].toArray(this.lines.geometry.attributes.position.array, 3 * k));
    places.forEach((place, i) => place.toArray(this.points.geometry.attributes.position.array, 3 * i));
    this.lines.geometry.attributes.position.needsUpdate = true;
    this.points.geometry.attributes.position.needsUpdate = true;
  }
}
