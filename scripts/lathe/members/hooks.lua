-- Functions of lathe.core that are not part of the API: for the program around a script, such as the command
-- line, and for modules of lathe. Scripts that receive `lathe` do not get them.

local NO_C = "It is for lathe's own Lua."

local function hook(name, doc) return { name, doc, sandbox = "refused", no_c = NO_C } end

return {
  {
    owner = "lathe.core", class = "lathe.core",
    doc = "Functions for lathe's own Lua.",
    fields = {
      { "limits", "table", "Limits on memory and time: call, close, resume, stopping, wrap.",
        sandbox = "refused", no_c = NO_C },
      { "process", "table", "Worker processes: id, join, processors, redirect, seconds, start, wait.",
        sandbox = "refused", no_c = NO_C },
    },
    functions = {
      hook("append_file", "Appends to a file with one write, and may flush it to disk."),
      hook("call_bare", "Calls a C function that takes and gives nothing, and knows nothing of Lua."),
      hook("can_write", "Whether a file could be written."),
      hook("catch_interrupt", "As pcall; Ctrl-C raises an error in the function."),
      hook("compared_with", "What files of a format are compared with that lies beside them."),
      hook("containers", "The containers that files of a format may be of, where there are several."),
      hook("draw", "Draws documents: the bytes of a picture, and a report."),
      hook("edge_color", "The colour of the edges of collision in pictures, by its material, as #rrggbb."),
      hook("end_interrupted", "Ends the program as Ctrl-C ends one that does not catch it."),
      hook("history", "Numbers of what a document holds now, and of what undo and redo lead to."),
      hook("hold_interrupt", "Calls a function; Ctrl-C meanwhile raises and ends nothing."),
      hook("identity", "What tells a file from all others, whatever their names."),
      hook("ignore_sigpipe", "Makes writing to a closed pipe an error that io.write returns."),
      hook("isatty", "Whether a file descriptor is a terminal."),
      hook("layout", "A key for tables that records with the same rows share, until the document closes."),
      hook("look", "The record that says how doc.materials[i] is drawn, or nil."),
      hook("make_folder", "Makes a folder and those above it."),
      hook("mark_modified", "Makes a document count as modified until it is saved."),
      hook("may_read", "The path of a file or folder that may be read."),
      hook("members", "The tables in which objects look up their members."),
      hook("nodes", "The nodes of a document's scene as a skeleton, or nil and an error."),
      hook("open_file", "Opens exactly that file, and gives its identity."),
      hook("put_back", "Moves a file's .bak back over the file."),
      hook("real_path", "The place that a path means, absolute and without links."),
      hook("save_noted", "Saves a document; tells the new file's hash before it replaces the old one."),
      hook("set_guard", "Sets the functions that are asked about each path before it is opened or saved."),
      hook("set_verb", "Lets a function of Lua do a verb of a format."),
      hook("dds_png", "A texture (DDS) as a PNG, for pages."),
      hook("sha256", "The SHA-256 hash of bytes, of what a document would save, or of a file."),
      hook("surely", "The format that a file which begins so is of beyond doubt."),
      hook("surface_color", "The colour in pictures of a surface by its names, as #rrggbb."),
      hook("sweep", "Removes temporary files that killed programs left in a folder."),
      hook("terminal_size", "The rows and columns of a terminal; nil where that is not known."),
      hook("truncate", "Removes all bytes of an open file."),
      hook("wait_input", "Waits until there is something to read."),
    },
  },
}
