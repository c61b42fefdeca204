import type { StoredBytes } from "#db/stores/port/message-detail.ts";
import type { Cell } from "./cell.ts";

/** Bytes of a payload beyond which it is left out, because it is in memory at once. */
export const MOST_PAYLOAD_BYTES = 1_000_000;

/** A stored value and what it is: `json`, `text`, `base64`, `none`, or why it is left out. */
export function storedCell(stored: StoredBytes | null): [value: Cell, format: string] {
  if (stored === null) return [null, "none"];
  const { bytes, totalBytes } = stored;
  if (bytes.length < totalBytes) return [null, `left out: ${totalBytes} bytes`];
  const text = textOf(bytes);
  if (text === null) return [Buffer.from(bytes).toString("base64"), "base64"];
  return isJson(text) ? [{ json: text }, "json"] : [text, "text"];
}

/** Null for bytes that are not UTF-8. A byte order mark is part of the text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
