const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const FOR_ADDRESSES = /^[A-Za-z0-9_-]*={0,2}$/;

/** Bytes of a text that is base64 from end to end, line ends allowed; undefined for any other text. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/[\r\n]+/g, "");
  const isPadded = compact.length % 4 === 0 && STANDARD.test(compact);
  const isUrl = compact.length % 4 !== 1 && FOR_ADDRESSES.test(compact);
  return isPadded || isUrl ? Buffer.from(compact, "base64") : undefined;
}
