/** Shorter texts may be words. */
const SHORTEST = 16;
const SPACED_ALPHABET = /^[A-Za-z0-9+/_\s-]+[=\s]*$/;
const ALPHABET = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** What a text encodes if it is base64, as far as it is UTF-8. Null for any other text. */
export function decodeBase64(text: string): { text: string; compressed: boolean } | null {
  if (text.length < SHORTEST || !SPACED_ALPHABET.test(text)) return null;
  const plain = text.replace(/\s+/g, "");
  if (plain.length < SHORTEST || !ALPHABET.test(plain)) return null;
  const bytes = bytesOf(plain);
  if (bytes === null) return null;
  if (isCompressed(bytes)) return { text: "", compressed: true };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), compressed: false };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function bytesOf(plain: string): Uint8Array | null {
  const standard = plain.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (standard.length % 4 === 1) return null;
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** gzip, zlib and zstd by their first bytes. */
function isCompressed([first, second, third, fourth]: Uint8Array): boolean {
  if (first === 0x1f && second === 0x8b) return true;
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return true;
  return first === 0x78 && second !== undefined && (0x78 * 256 + second) % 31 === 0;
}
