// The mark of one triangle, and the colour of all that is highlighted.

import { BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineLoop, Mesh,
  MeshBasicMaterial, Vector3 } from "three";

export const HIGHLIGHT = new Color(0xff9a1f);
const EDGE = 0xd81b60; // unlike the highlighted mesh that it lies on

/** The number of a picture's triangle in the mesh of the document, from 1. The page has them in another order where a
 * mesh has several materials, and without those that cannot be drawn: `userData.triangles` then is a list of first
 * numbers and lengths. */
export function numberOf(mesh, face) {
  const runs = mesh.geometry.userData.triangles;
  if (!runs) return face + 1;
  let left = face;
  for (let i = 0; i < runs.length; i += 2) {
    if (left < runs[i + 1]) return runs[i] + left;
    left -= runs[i + 1];
  }
  return null;
}

/** The other way round: which triangle of the picture it is; -1 if it is not in this mesh. */
export function faceOf(mesh, number) {
  const { index, attributes, userData } = mesh.geometry;
  const faces = (index || attributes.position).count / 3;
  const runs = userData.triangles || [1, faces];
  let before = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const at = number - runs[i];
    if (at >= 0 && at < runs[i + 1]) return before + at;
    before += runs[i + 1];
  }
  return -1;
}

/** Draws a triangle over all else. It follows its mesh. */
export class TriangleMark extends Group {
  constructor() {
    super();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(9), 3));
    const look = { depthTest: false, transparent: true, toneMapped: false };
    this.face = new Mesh(geometry, new MeshBasicMaterial({ ...look, color: EDGE, opacity: 0.4, side: DoubleSide }));
    this.edge = new LineLoop(geometry, new LineBasicMaterial({ ...look, color: EDGE }));
    for (const object of [this.face, this.edge]) {
      object.raycast = () => {};
      object.frustumCulled = false;
      object.renderOrder = 9;
      this.add(object);
    }
    this.set(null, -1);
  }

  /** Marks a triangle of a mesh; -1: none. */
  set(mesh, number) {
    this.mesh = number >= 0 ? mesh : null;
    this.number = number;
    this.visible = false;
    this.follow();
  }

  follow() {
    if (!this.mesh) return;
    const { position } = this.face.geometry.attributes, { index } = this.mesh.geometry;
    const corner = new Vector3();
    for (let k = 0; k < 3; k++) {
      const vertex = 3 * this.number + k;
      this.mesh.getVertexPosition(index ? index.getX(vertex) : vertex, corner);
      corner.applyMatrix4(this.mesh.matrixWorld).toArray(position.array, 3 * k);
    }
    position.needsUpdate = true;
    this.visible = this.mesh.visible;
  }
}
