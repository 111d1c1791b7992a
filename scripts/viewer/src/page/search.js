// Search in names and values of the tree.

import { rove } from "../roving.js";
import { make } from "../visible.js";
import { join } from "./tree.js";

const MOST = 200; // results that are listed

/** Rows whose name, value or type has a text: { found: [[path, node], …], more: whether there are others }. */
export function find(root, text) {
  const wanted = text.trim().toLowerCase(), found = [];
  let more = false;
  const has = (word) => word !== undefined && word.toLowerCase().includes(wanted);
  const walk = (nodes, parent) => {
    for (const node of nodes) {
      if (more) return;
      const path = join(parent, node.n);
      if (has(node.n) || has(node.v) || has(node.t) || path.toLowerCase() === wanted) {
        if (found.length === MOST) more = true;
        else found.push([path, node]);
      }
      walk(node.c || [], path);
    }
  };
  if (wanted !== "") walk(root.c || [], "");
  return { found, more };
}

/** Connects the search field. `tree`: gives the present root by `root`. `go` is called with a path. */
export function connect(field, list, status, tree, go) {
  const { list: rows } = tree;
  const roving = rove(list, () => field.focus());
  let timer = 0;

  function show() {
    const active = field.value.trim() !== "";
    list.hidden = !active;
    rows.hidden = active;
    list.replaceChildren();
    if (!active) {
      status.textContent = "";
      return;
    }
    const { found, more } = find(tree.root, field.value);
    for (const [path, node] of found) {
      const item = make("li");
      const button = make("button", "result");
      button.type = "button";
      button.append(make("span", "name", path), make("span", "value", node.v ?? node.t ?? ""));
      button.addEventListener("click", () => go(path));
      item.append(button);
      list.append(item);
    }
    roving.set();
    const count = found.length === 1 ? "1 field" : `${found.length} fields`;
    status.textContent = more ? `The first ${MOST} fields` : found.length === 0 ? "No field has this text" : count;
    if (tree.root.k) status.textContent += "; fields that the page leaves out are not searched";
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 80);
  });
  field.addEventListener("keydown", (event) => {
    const first = list.querySelector("button");
    if (event.key === "Escape") {
      field.value = "";
      show();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      clearTimeout(timer);
      show();
      const result = list.querySelector("button") || first;
      if (!result) return;
      event.preventDefault();
      if (event.key === "Enter") result.click();
      else result.focus();
    }
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    show();
    field.focus();
  });
  return {
    /** Ends the search, so that the tree is seen. */
    clear() {
      field.value = "";
      show();
    },
  };
}
