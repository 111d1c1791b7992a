// The camera by keyboard.

import { Spherical, Vector3 } from "three";

const TURN = Math.PI / 24; // of one key press
const STEP = 0.05;         // of the distance to the target
const ZOOM = 1.12;

const SIDES = {
  1: [0, Math.PI / 2], // front
  3: [Math.PI / 2, Math.PI / 2],
  7: [0, 0.0001], // top
};

/** Lets keys on an element move the camera of `controls`. `look` has `fit()` and `facing` (1 or -1). */
export function listenToKeys(element, controls, look) {
  const { object: camera, target } = controls;

  function turn(theta, phi) {
    const s = new Spherical().setFromVector3(camera.position.clone().sub(target));
    s.theta += theta;
    s.phi = Math.min(Math.PI - 0.01, Math.max(0.01, s.phi + phi));
    camera.position.copy(target).add(new Vector3().setFromSpherical(s));
  }

  function pan(right, up) {
    const distance = camera.position.distanceTo(target) * STEP;
    const by = new Vector3(right, up, 0).multiplyScalar(distance).applyQuaternion(camera.quaternion);
    camera.position.add(by);
    target.add(by);
  }

  function zoom(factor) {
    camera.position.sub(target).multiplyScalar(factor).add(target);
  }

  function side(theta, phi) {
    const s = new Spherical(camera.position.distanceTo(target), phi, theta + (look.facing < 0 ? Math.PI : 0));
    camera.position.copy(target).add(new Vector3().setFromSpherical(s));
  }

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) pan(...arrow);
    else if (arrow) turn(arrow[0] * TURN, -arrow[1] * TURN);
    else if (event.key === "+" || event.key === "=") zoom(1 / ZOOM);
    else if (event.key === "-") zoom(ZOOM);
    else if (event.key === "f" || event.key === "Home") look.fit();
    else if (SIDES[event.key]) side(...SIDES[event.key]);
    else return;
    event.preventDefault();
    controls.update();
    look.draw();
  });
}
