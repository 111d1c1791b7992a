// The data blocks of the page.

/** The bytes of base64 text. */
export function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The value of a JSON block. */
export function json(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** The bytes of a base64 block, or null if the page has none of that name. */
export function block(id) {
  const element = document.getElementById(id);
  return element ? decode(element.textContent) : null;
}
