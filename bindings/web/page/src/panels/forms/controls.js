// What enters the value of an option. Each control is { element, field, value(), keep(value), error(text) }: `field` gets the focus,
// `value()` is undefined where nothing was entered, and `keep` takes what `value` gave. The value of a file is the document, or the
// name of a stored file: `sent` makes of values what lathe takes.

import { button, group, make } from "../../ui/elements.js";
import { fill } from "../parts.js";

let numbers = 0;

function input(option, label) {
  const made = make("input");
  made.type = "text";
  made.autocomplete = "off";
  made.spellcheck = false;
  made.setAttribute("aria-label", label);
  if (option.type === "number") made.inputMode = "decimal";
  if (option.type === "integer") made.inputMode = "numeric";
  if (option.default !== undefined && String(option.default).length < 40) made.placeholder = option.default;
  else if (option.type === "numbers") made.placeholder = "numbers separated by commas";
  return made;
}

const entered = (field) => (field.value.trim() === "" ? undefined : field.value);

// ---- texts --------------------------------------------------------------------------------------------------------

// A field for which values are proposed, with a button that takes the path or value of the selected field. `old`, in place of
// that button: gives the value that this one replaces.
function textField(option, label, app, old = null) {
  const field = input(option, label), proposals = make("datalist");
  proposals.id = "proposals-" + ++numbers;
  const use = button("Use selected", async () => {
    const found = await app.proposals.selected(option.type);
    if (found !== null) field.value = found;
    else app.say(option.type === "path" ? "Select a field of the file first." : "Select a field of the file that has a text or a number.");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }, "small");
  use.title = option.type === "path" ? "The path of the selected field" : "The value of the selected field";
  use.setAttribute("aria-label", `${label}: use ${option.type === "path" ? "the path" : "the value"} of the selected field`);
  field.setAttribute("list", proposals.id);
  for (const event of ["focus", "input"]) field.addEventListener(event, () => app.proposals.fill(field, proposals, option, old && old()));
  return { element: group("div", "enter", field, old ? null : use, proposals), field, value: () => entered(field), keep: (value) => (field.value = value ?? "") };
}

function plainField(option, label) {
  const field = input(option, label);
  const element = group("div", "enter", field, option.unit ? make("span", "unit", option.unit) : null);
  return { element, field, value: () => entered(field), keep: (value) => (field.value = value ?? "") };
}

// Two fields for OLD=NEW.
function pairField(option, label, app) {
  const one = textField({ type: "text" }, `${label}: ${option.pair[0]}`, app);
  const other = textField({ type: "text" }, `${label}: ${option.pair[1]}`, app, () => one.field.value.trim());
  one.field.placeholder = option.pair[0];
  other.field.placeholder = option.pair[1];
  const value = () => {
    const [from, to] = [one.field.value, other.field.value];
    return from.trim() === "" && to.trim() === "" ? undefined : `${from}=${to}`;
  };
  const keep = (kept) => {
    const at = (kept || "").indexOf("=");
    one.keep(at < 0 ? kept : kept.slice(0, at));
    other.keep(at < 0 ? "" : kept.slice(at + 1));
  };
  return { element: group("div", "pair", one.element, make("span", "arrow", "→"), other.element), field: one.field, value, keep };
}

// ---- choices ------------------------------------------------------------------------------------------------------

function flag(option, label) {
  const field = make("input");
  field.type = "checkbox";
  field.setAttribute("aria-label", label);
  return { element: field, field, value: () => (field.checked ? true : undefined), keep: (value) => (field.checked = value === true) };
}

function choice(option, label) {
  const field = make("select"), given = option.choices.includes(option.default) ? option.default : null;
  field.setAttribute("aria-label", label);
  const short = option.default && String(option.default).length < 40 ? option.default : null;
  const told = given || short || (option.required ? "" : option.default ? "the default, see below" : "not given");
  const none = told === "" ? "Choose…" : told === given || told === short ? `${told} (default)` : told;
  const rest = option.choices.filter((one) => one !== given);
  fill(field, [{ text: none, value: "" }, ...rest.map((one) => ({ text: one, value: one }))]);
  return { element: group("div", "enter", field), field, value: () => field.value || undefined, keep: (value) => (field.value = value ?? "") };
}

// A file among the open ones, and those that are stored beside them.
function file(option, label, app) {
  const field = make("select"), others = [];
  field.setAttribute("aria-label", label);
  const list = () => {
    const docs = app.documents.list.filter((doc) => option.ofNew || doc !== app.current);
    const fits = (name) => option.extensions.includes(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
    others.splice(0, others.length, ...(option.extensions ? [...app.beside.keys()].filter(fits) : [...docs, ...app.beside.keys()]));
    const names = others.map((one, i) => ({ text: typeof one === "string" ? one : one.name, value: String(i + 1) }));
    const chosen = found();
    fill(field, [{ text: others.length > 0 ? (option.required ? "Choose…" : "none") : "no other file is open", value: "" }, ...names]);
    field.value = chosen ? String(others.indexOf(chosen) + 1) : "";
  };
  let kept = null;
  const found = () => (kept && others.includes(kept) ? kept : null);
  const choose = () => (kept = others[Number(field.value) - 1] || null);
  field.addEventListener("change", choose);
  field.addEventListener("focus", list);
  field.addEventListener("pointerdown", list);
  list();
  const open = button("Open a file…", () => app.pickFiles(), "small");
  open.setAttribute("aria-label", `${label}: open a file to choose`);
  return {
    element: group("div", "enter", field, open), field, list,
    value: () => { list(); return found() || undefined; },
    keep: (value) => {
      kept = others.includes(value) ? value : null;
      list();
    },
  };
}

// ---- lists --------------------------------------------------------------------------------------------------------

// Several values, each with its own control.
function several(option, label, app) {
  const place = make("div", "several"), items = [];
  const add = (focus) => {
    const made = single(option, items.length > 0 ? `${label} ${items.length + 1}` : label, app);
    const remove = button("×", () => {
      items.splice(items.indexOf(made), 1);
      row.remove();
      if (items.length === 0) add(true);
      else items[items.length - 1].field.focus();
    }, "quiet");
    remove.setAttribute("aria-label", `Remove this ${label}`);
    const row = group("div", "one", made.element, remove);
    items.push(made);
    place.insertBefore(row, more);
    if (focus) made.field.focus();
    return made;
  };
  const more = button("Add another", () => add(true), "small");
  place.append(more);
  add(false);
  return {
    element: place,
    get field() { return items[0].field; },
    value: () => {
      const found = items.map((item) => item.value()).filter((one) => one !== undefined);
      return found.length > 0 ? found : undefined;
    },
    keep: (values) => (values || []).forEach((value, i) => (items[i] || add(false)).keep(value)),
  };
}

function single(option, label, app) {
  if (option.pair) return pairField(option, label, app);
  if (option.type === "flag") return flag(option, label);
  if (option.type === "choice") return choice(option, label);
  if (option.type === "file") return file(option, label, app);
  if (!option.ofNew && (option.type === "text" || option.type === "path")) return textField(option, label, app);
  return plainField(option, label);
}

const number = (value) => (typeof value === "object" && value !== null ? value.id : value);

/** Values of options as lathe takes them, with the present numbers of documents. */
export function sent(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(number) : number(value)]));
}

/** The control of an option, in a row with its name, its help, and place for an error. */
export function control(option, app) {
  const { label } = option, made = option.many ? several(option, label, app) : single(option, label, app);
  const help = make("p", "help", option.help), error = make("p", "field-error");
  help.id = "help-" + ++numbers;
  error.id = "error-" + numbers;
  error.hidden = true;
  error.setAttribute("role", "alert");
  made.field.setAttribute("aria-describedby", help.id);
  if (option.required) made.field.setAttribute("aria-required", "true");
  const name = group("span", "label", make("span", "", label), option.required ? make("span", "required", "required") : null);
  const box = option.type === "flag" && !option.many; // its help is beside it
  const place = box ? group("label", "enter", made.field, help) : made.element;
  const row = group("div", "option", name, place, error, box ? null : help);
  row.dataset.option = option.name;
  return {
    option, row,
    get field() { return made.field; },
    value: () => made.value(),
    keep: (value) => made.keep(value),
    error: (text) => {
      error.hidden = text === "";
      error.textContent = make("span", "", text).textContent;
      if (text === "") {
        made.field.removeAttribute("aria-invalid");
        made.field.setAttribute("aria-describedby", help.id);
      } else {
        made.field.setAttribute("aria-invalid", "true");
        made.field.setAttribute("aria-describedby", `${error.id} ${help.id}`);
      }
    },
  };
}
