/**
 * A whole game in an address: its record as JSON, deflated, in base64url, after the # (docs/reference/notation.md).
 * A record stays text here: its seed has 64 bits, which are more than numbers have.
 */

const MAX_LETTERS = 32_000; // after the #
const MAX_BYTES = 100_000; // of the record
const DAMAGED = "This link is damaged. It may have been cut off when it was copied.";

/** Is a text an address, and no record? @param {string} text */
export const isAddress = text => /^\s*[a-z]+:\/\//.test(text);

/** The bytes that come out of a stream, as long as there are not too many. @param {Uint8Array} bytes @param {any} through */
async function passed(bytes, through) {
  const reader = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(through).getReader();
  const parts = [];
  for (let size = 0, part; !(part = await reader.read()).done; parts.push(part.value)) {
    size += part.value.length;
    if (size > MAX_BYTES)
      throw new RangeError(`The game has more than ${MAX_BYTES.toLocaleString("en-GB")} characters.`);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** What follows the # in the address of a game. @param {string} text a record as JSON */
export async function packed(text) {
  const bytes = await passed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const code = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join("")).replace(
    /[+/=]/g,
    sign => ({ "+": "-", "/": "_" })[sign] ?? "",
  );
  if (code.length > MAX_LETTERS || text.length > MAX_BYTES)
    throw new Error("The game is too long for a link. Download it instead.");
  return code;
}

/** The record in an address, as JSON; an error in words if there is none. @param {string} address */
export async function unpacked(address) {
  const code = address.trim().replace(/^[^#]*#?/, "");
  if (code.length > MAX_LETTERS)
    throw new Error(`This link is longer than ${MAX_LETTERS.toLocaleString("en-GB")} characters.`);
  if (!/^[\w-]+$/.test(code)) throw new Error("This link contains no game.");
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await passed(bytes, new DecompressionStream("deflate-raw")),
    );
  } catch (error) {
    throw error instanceof RangeError ? error : new Error(DAMAGED);
  }
}
