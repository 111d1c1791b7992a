// The list of files that are stored for others to find: textures, material files, geometry files, scripts. They have no tab.

import { button, count, group, make, size } from "./elements.js";

const WHY = "These files have no tab. Documents and scripts find them here by their names. Open shows one as a document, if lathe knows its format.";

/** `show`: the button of the strip that shows the list. */
export function connectKept(app, show) {
  const refresh = () => {
    show.hidden = app.beside.size === 0;
    show.textContent = `${count(app.beside.size, "kept file")}…`;
    if (app.beside.size > 0) show.parentElement.hidden = false;
    else if (app.documents.list.length === 0) show.parentElement.hidden = true;
  };
  app.on("kept", refresh);
  app.documents.on("closed", refresh);
  show.addEventListener("click", () => list(app));
}

async function remove(app, name) {
  await app.call("remove", { name });
  app.beside.delete(name);
}

async function open(app, name) {
  const bytes = app.beside.get(name), { result } = await app.call("open", { name }, { limit: 60000 });
  const doc = app.documents.byId(result.document.id);
  doc.kept = bytes;
  app.beside.delete(name);
  app.documents.select(doc);
}

function list(app) {
  const dialog = make("dialog", "chooser"), files = make("ul", "plain kept");
  dialog.setAttribute("aria-label", "Kept files");
  const act = (text, action, name, ends) => {
    const made = button(text, async () => {
      try {
        await action(app, name);
        app.emit("kept");
        fill();
      } catch (error) {
        dialog.close();
        app.fail(error, error.message.includes(name) ? "" : name);
      }
      if (ends || app.beside.size === 0) dialog.close();
    }, "small");
    made.setAttribute("aria-label", make("span", "", `${text} ${name}`).textContent);
    return made;
  };
  const fill = () => files.replaceChildren(...[...app.beside].sort().map(([name, bytes]) => group("li", "", make("span", "name", name),
    make("span", "faint", size(bytes.size)), act("Open", open, name, true), act("Remove", remove, name, false))));
  fill();
  const close = button("Close", () => dialog.close());
  dialog.append(make("h2", "", "Kept files"), make("p", "faint", WHY), files, group("div", "buttons", close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}
