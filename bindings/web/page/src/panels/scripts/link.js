// A script in the address of the page: #script=TEXT&name=NAME, where TEXT is base64url of UTF-8.

const MOST = 64 << 10; // bytes of a script in an address
const LONGEST_NAME = 80;

/** The address that has a script. Throws an Error where it is too long. */
export function linkOf(name, text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST) throw new Error(`the script has ${bytes.length.toLocaleString("en")} bytes; a link holds at most ${MOST.toLocaleString("en")}`);
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const safe = packed.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return `${location.href.split("#")[0]}#script=${safe}&name=${encodeURIComponent(name)}`;
}

function nameOf(hash) {
  const found = hash.match(/[#&]name=([^&]*)/);
  try {
    const name = found ? decodeURIComponent(found[1]).slice(0, LONGEST_NAME) : "";
    return name.split(/[/\\]/).pop() || "script.lua";
  } catch {
    return "script.lua";
  }
}

/** The script of an address: { name, text }; null: there is none. Throws an Error where it cannot be read. */
export function scriptOf(hash) {
  const found = hash.match(/^#script=([^&]*)/);
  if (!found) return null;
  const packed = found[1];
  if (packed.length > Math.ceil((MOST * 4) / 3) + 2) throw new Error(`it is longer than ${MOST.toLocaleString("en")} bytes`);
  if (packed === "" || !/^[\w-]+={0,2}$/.test(packed)) throw new Error("it is not base64url");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(packed.replace(/=+$/, "").replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  } catch {
    throw new Error("it is not base64url");
  }
  try {
    return { name: nameOf(hash), text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new Error("it is not UTF-8 text");
  }
}
