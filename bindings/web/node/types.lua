--- Prints the types of the module for node, lathe.d.ts: `lua5.4 types.lua`. Formats, verbs with their
-- options, findings and reports come from the tables of the shell; `make web` calls this.

local core = require "lathe.core"
local records = require "lathe.cli.pages.records"
local verbs = require "service.verbs"

local lines = {}
local function put(text, ...) lines[#lines + 1] = select("#", ...) > 0 and text:format(...) or text end

-- Text of a comment: it must not end the comment.
local function comment(indent, text)
  put("%s/** %s */", indent, (text:gsub("%s+", " "):gsub("%*/", "* /")))
end

local function union(words)
  local list = {}
  for i, word in ipairs(words) do list[i] = ("%q"):format(word) end
  return table.concat(list, " | ")
end

-- ---- records of the output --------------------------------------------------------------------------------

local SIMPLE <const> = {
  string = "string", integer = "number", boolean = "boolean", number = "number | string", value = "unknown",
}
local NAMES <const> = { finding = "Finding", report = "Report", place = "Place" }

local function record_type(type)
  local inner = type:match "^(.*)%[%]$"
  if inner then return ("%s[]"):format(record_type(inner)) end
  if type:find '"' then
    local words = {}
    for word in type:gmatch '"([^"]*)"' do words[#words + 1] = word end
    return union(words)
  end
  return SIMPLE[type] or assert(NAMES[type], type)
end

local function put_record(shape)
  local members = records.shapes[shape]
  comment("", members.about)
  put("export interface %s {", NAMES[shape])
  for _, member in ipairs(members) do
    local name, type, doc = member[1], member[2], member[3]
    comment("  ", doc)
    put("  %s%s: %s;", name, type:find "%?$" and "?" or "", record_type(type:match "^(.-)%??$"))
  end
  if members.others then put("  [name: string]: %s;", record_type(members.others)) end
  put "}\n"
end

-- ---- verbs ----------------------------------------------------------------------------------------------

-- Texts are taken as the command line takes them.
local OPTIONS <const> = {
  text = "number | string", path = "string", number = "number | string", integer = "number | string",
  numbers = "number[] | string", flag = "boolean", file = "number | string",
}

local function option_type(option)
  local one = option.choices and union(option.choices) or OPTIONS[option.type]
  return option.many and ("%s | (%s)[]"):format(one, one) or one
end

local function put_verbs()
  comment("", "Options of the verbs, by the names of the command line. A file is the `id` of a document, or "
    .. "a name that `put` stored.")
  put "export interface VerbOptions {"
  for _, verb in ipairs(verbs.forms()) do
    comment("  ", verb.summary)
    put("  %q: {", verb.name)
    for _, option in ipairs(verb.options) do
      comment("    ", option.help)
      put("    %q%s: %s;", option.name, option.required and "" or "?", option_type(option))
    end
    put "  };"
  end
  put "}\n"
end

-- ---- the module -----------------------------------------------------------------------------------------

local HEAD <const> = [[
// Types of lathe for node and bundlers. Made by `make web`.
]]

local MODULE <const> = [[
/** An option of a verb. */
export interface VerbOption {
  name: string;
  label: string;
  type: "text" | "number" | "integer" | "numbers" | "flag" | "choice" | "file" | "path";
  required: boolean;
  help: string;
  unit?: string;
  default?: string;
  choices?: string[];
  many?: boolean;
  /** The names of the two halves of a value OLD=NEW. */
  pair?: [string, string];
  /** Whether the call `names` proposes values. */
  known?: boolean;
}

/** A verb that a document has. */
export interface Verb {
  name: VerbName;
  summary: string;
  description: string;
  heading: string;
  /** It finds something and changes nothing. */
  query?: boolean;
  /** Without options it lists what it would change. */
  lists?: boolean;
  options: VerbOption[];
}

/** What a verb did. */
export interface Applied {
  lines: string[];
  messages?: string;
  report?: Report;
  diff: { same: boolean; count: number; lines: string[]; more: number };
}

/** What a call refuses. */
export class LatheError extends Error {
  constructor(error: { message: string; [name: string]: unknown });
  name: "LatheError";
  /** The message without file, path and offset. */
  reason?: string;
  /** Kind of error, such as "format", "bounds", "usage", "interrupted", "memory" or "limit". */
  code?: string;
  file?: string;
  /** Path of the field. */
  path?: string;
  /** Offset in the file, in bytes. */
  offset?: number;
}

export interface OpenOptions {
  format?: Format;
  /** The id of a document with the skeleton. */
  skeleton?: number;
  /** Names of geometry files that `put` stored. */
  geometry?: string | string[];
  /** Name of a zstd dictionary that `put` stored. */
  dictionary?: string;
}

export interface StartOptions {
  /** The bytes of lathe.wasm, where they do not lie beside the module. */
  wasm?: Uint8Array | ArrayBuffer;
  /** Time limit of each call; 0: none. */
  milliseconds?: number;
  /** Gets events of progress and output. */
  onEvent?: (event: { event: "progress" | "output"; [name: string]: unknown }) => void;
}

/** What `about` tells. */
export interface About {
  version: string;
  /** The largest file, and all open files together, in bytes. */
  limits: { file: number; all: number };
  /** What this build cannot do. */
  lacks: string[];
  formats: { name: Format; doc: string; extensions: string[]; games: string[]; can: string[] }[];
}

/** What a script did with the documents. */
export interface Run {
  ok: boolean;
  output: string;
  failed: number;
  results: {
    id: number;
    name: string;
    status: "changed" | "unchanged" | "failed";
    lines: string[];
    error?: string | { message: string };
  }[];
}

/** One lathe, with files and documents of its own. `start` makes it. */
export class Lathe {
  private constructor();
  /** Any call of the protocol. */
  call(name: string, args?: object, blobs?: Uint8Array[]): { result: any; blobs: Uint8Array[] };
  about(): About;
  /** name: the file name, by which formats without a signature are told. */
  open(bytes: Uint8Array, name: string, options?: OpenOptions): Document;
  /** Stores a file that documents find beside them. */
  put(bytes: Uint8Array, name: string): void;
  /** A script in the sandbox of `lathe run`, over all open documents or those given. */
  run(script: string, options?: { documents?: Document[]; arguments?: string[] }): Run;
  /** `lathe ARGV…` on the stored files. */
  command(...argv: string[]): { code: number; stdout: string; stderr: string };
}

/** An open file. `open` makes it. */
export class Document {
  private constructor();
  readonly id: number;
  readonly name: string;
  readonly format: Format;
  readonly notes: string[];
  /** The value at a path, as `lathe get --json` has it. */
  get(path: string): unknown;
  /** value: text as `lathe set` takes it, a number or a boolean. */
  set(path: string, value: string | number | boolean): void;
  apply<Name extends VerbName>(verb: Name, options?: VerbOptions[Name]): Applied;
  verbs(): Verb[];
  check(): Finding[];
  /** Takes back the last change; whether there was one. */
  undo(): boolean;
  /** A Lua chunk with this document as `doc` and the words as `...`: what it printed. */
  run(chunk: string, words?: string[]): string;
  /** The bytes that saving would write. */
  encode(): Uint8Array;
  close(): void;
}

/** A lathe of its own. */
export function start(options?: StartOptions): Promise<Lathe>;

/** Opens bytes in a lathe that all callers share. */
export function open(bytes: Uint8Array, name: string, options?: OpenOptions): Promise<Document>;
]]

local formats = {}
for i, format in ipairs(core.formats()) do formats[i] = format.name end
put(HEAD)
comment("", "A format, as `lathe formats` lists it.")
put("export type Format = %s;\n", union(formats))
for _, shape in ipairs { "place", "finding", "report" } do put_record(shape) end
put_verbs()
put "export type VerbName = keyof VerbOptions;\n"
lines[#lines + 1] = MODULE
io.write(table.concat(lines, "\n"))
