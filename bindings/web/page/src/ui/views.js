// Narrow pages show one part at a time: the fields, the picture, or the panels.

import { $ } from "./elements.js";

const VIEWS = ["fields", "picture", "tools"];

export function connectViews(app) {
  const show = (name) => {
    document.body.dataset.view = name;
    document.body.classList.toggle("helped", name === "tools"); // before a file is open
    for (const one of VIEWS) $("view-" + one).setAttribute("aria-pressed", one === name);
  };
  for (const name of VIEWS) $("view-" + name).addEventListener("click", () => show(name));
  app.on("view", show);
  app.on("path", (path, origin) => origin === "panel" && show("fields"));
  app.documents.on("current", (doc) => doc && document.body.dataset.view === "tools" && show("fields"));
  show("fields");
}
