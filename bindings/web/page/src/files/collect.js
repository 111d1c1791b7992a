// Which files were dropped or picked. A file is { name, size, read(), handle, folder }: `name` with the folders
// below what was dropped, `read` gives a promise of its bytes, and `handle` and `folder` let the page save it.

const DEEPEST = 40;

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

function plain(file, name) {
  return { name, size: file.size, read: () => bytesOf(file), handle: null, folder: null };
}

/** Files of an <input>. */
export function picked(list) {
  return [...list].map((file) => plain(file, file.webkitRelativePath || file.name));
}

// ---- with the File System Access API --------------------------------------------------------------------------

async function ofHandle(handle, name, folder) {
  const file = await handle.getFile();
  return { ...plain(file, name), handle, folder, stamp: file.lastModified };
}

async function* inFolder(folder, path, depth = 0) {
  if (depth > DEEPEST) return;
  const entries = [];
  for await (const entry of folder.values()) entries.push(entry);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = `${path}/${entry.name}`;
    if (entry.kind === "directory") yield* inFolder(entry, name, depth + 1);
    else yield await ofHandle(entry, name, folder);
  }
}

export const canPickFolder = () => typeof window.showDirectoryPicker === "function";

/** Lets the user pick a folder; null: none was picked. */
export async function pickFolder() {
  let folder;
  try {
    folder = await window.showDirectoryPicker({ mode: "read" });
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  }
  const files = [];
  for await (const file of inFolder(folder, folder.name)) files.push(file);
  return files;
}

// ---- what was dropped -------------------------------------------------------------------------------------------

const promised = (call) => new Promise((resolve, reject) => call(resolve, reject));

async function* inEntry(entry, depth = 0) {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    yield plain(await promised((done, failed) => entry.file(done, failed)), name);
  } else if (depth <= DEEPEST) {
    const reader = entry.createReader();
    for (;;) {
      const some = await promised((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return;
      for (const one of some) yield* inEntry(one, depth + 1);
    }
  }
}

async function ofItem({ handle, entry, file }) {
  const found = [], made = handle && (await handle.catch(() => null));
  if (made && made.kind === "directory") for await (const one of inFolder(made, made.name)) found.push(one);
  else if (made) found.push(await ofHandle(made, made.name, null));
  else if (entry) for await (const one of inEntry(entry)) found.push(one);
  else if (file) found.push(plain(file, file.name));
  return found;
}

/** Files of a drop. It must be called in the event itself: the browser forgets the data afterwards. */
export async function dropped(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file").map((item) => ({
    handle: item.getAsFileSystemHandle ? item.getAsFileSystemHandle() : null,
    entry: item.webkitGetAsEntry ? item.webkitGetAsEntry() : null,
    file: item.getAsFile(),
  }));
  const lists = await Promise.all(items.map(ofItem));
  return lists.flat();
}
