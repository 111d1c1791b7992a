// Editing a value: in place by a field or a choice of names; boxes for flags in a dialog.

import { button, group, make, visible } from "../ui/elements.js";

/** What a value may be, in words. */
export function limits(row) {
  const { min, max, unit } = row, parts = [];
  if (min !== undefined && max !== undefined) parts.push(`${min} to ${max}`);
  else if (min !== undefined) parts.push(`at least ${min}`);
  else if (max !== undefined) parts.push(`at most ${max}`);
  if (unit) parts.push(unit);
  return parts.join(" ");
}

function choice(names, value) {
  const select = make("select", "edit-field");
  for (const name of names.includes(value) ? names : [value, ...names]) {
    const option = make("option", "", name);
    option.value = name;
    select.append(option);
  }
  select.value = value;
  return select;
}

function field(row) {
  const input = make("input", "edit-field");
  input.type = "text";
  input.value = row.edit;
  input.spellcheck = false;
  input.autocomplete = "off";
  if (row.names) {
    const list = make("datalist");
    list.id = "edit-names";
    list.append(...row.names.map((name) => {
      const option = document.createElement("option");
      option.value = name;
      return option;
    }));
    input.setAttribute("list", list.id);
    return [input, list];
  }
  return [input];
}

// Boxes for the bits of flags, in a dialog: a row is too small for them.
function editFlags(row, save, done) {
  const dialog = make("dialog", "flags-dialog"), message = make("p", "problem");
  const inputs = row.names.map((name) => {
    const input = make("input");
    input.type = "checkbox";
    input.checked = row.on.includes(name);
    return [name, input];
  });
  let saved = false;
  const apply = async () => {
    try {
      await save(`{${inputs.filter(([, input]) => input.checked).map(([name]) => name).join(", ")}}`);
      saved = true;
      dialog.close();
    } catch (error) {
      message.textContent = visible(error.reason || error.message);
    }
  };
  message.setAttribute("role", "alert");
  dialog.setAttribute("aria-label", visible(`Flags of ${row.name}`));
  dialog.append(make("h2", "", row.path), group("div", "flags", inputs.map(([name, input]) => group("label", "flag", input, make("span", "", name)))),
    message, group("div", "buttons", button("Cancel", () => dialog.close()), button("Set", apply, "primary")));
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" || event.target.localName === "button") return;
    event.preventDefault();
    apply();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    done(saved);
  });
  document.body.append(dialog);
  dialog.showModal();
  inputs[0][1].focus();
  return { cancel: () => dialog.close() };
}

// What edits a row: { elements, focus, value() }.
function controls(row) {
  const names = row.type === "bool" || row.type === "boolean" ? ["false", "true"] : row.names;
  if (names && names.length > 0 && !row.open && !row.flags && names.length <= 400) {
    const select = choice(names, row.edit);
    return { elements: [select], focus: select, value: () => select.value };
  }
  const elements = field(row);
  return { elements, focus: elements[0], value: () => elements[0].value };
}

/** Edits a row in `place`. `save(text)` gives a promise, which is rejected if the value is refused: then editing goes on.
 * `done(saved)` is called at the end. Returns { cancel }. */
export function edit(row, place, save, done) {
  if (row.flags && row.on && row.names && row.names.length > 0) return editFlags(row, save, done);
  let over = false, saving = false;
  const end = (saved) => {
    if (over) return;
    over = true;
    box.remove();
    done(saved);
  };
  const apply = async () => {
    const text = made.value();
    if (over || saving) return;
    if (text === row.edit) return end(false);
    saving = true;
    try {
      await save(text);
      end(true);
    } catch (error) {
      message.textContent = visible(error.reason || error.message);
      message.hidden = false;
      made.focus.setAttribute("aria-invalid", "true");
    }
    saving = false;
  };
  const made = controls(row);
  const hint = make("span", "edit-hint", limits(row)), message = make("p", "edit-error");
  message.setAttribute("role", "alert");
  message.hidden = true;
  const box = group("div", "editing", made.elements, hint.textContent ? hint : null, message);
  made.focus.setAttribute("aria-label", visible(`Value of ${row.name}`));
  box.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") apply();
    else if (event.key === "Escape") end(false);
    else return;
    event.preventDefault();
  });
  for (const kind of ["click", "dblclick", "pointerdown"]) box.addEventListener(kind, (event) => event.stopPropagation());
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget) && message.hidden) apply();
  });
  place.append(box);
  made.focus.focus();
  if (made.focus.select) made.focus.select();
  return { cancel: () => end(false) };
}
