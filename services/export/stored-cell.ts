import type { StoredBytes } from "#db/stores/port/message-detail.ts";
import type { MaskRules } from "#domain/masking/mask-rules.ts";
import { maskStoredBytes } from "../masking/mask-stored.ts";
import { utf8Of } from "../payload/byte-reader.ts";
import type { Cell } from "./cell.ts";

/** Bytes of a payload beyond which it is left out, because it is in memory at once. */
export const MOST_PAYLOAD_BYTES = 1_000_000;

/**
 * A stored value, masked by the rules, and its format: `json`, `text`, `base64`, `none`, `hidden`, or why it is left
 * out.
 */
export function storedCell(stored: StoredBytes | null, rules: MaskRules | null = null): [value: Cell, format: string] {
  if (stored === null) return [null, "none"];
  const { bytes, totalBytes } = stored;
  if (bytes.length < totalBytes) return [null, `left out: ${totalBytes} bytes`];
  if (rules !== null) return maskedCell(stored, rules);
  const text = utf8Of(bytes);
  if (text === undefined) return [Buffer.from(bytes).toString("base64"), "base64"];
  return isJson(text) ? [{ json: text }, "json"] : [text, "text"];
}

function maskedCell(stored: StoredBytes, rules: MaskRules): [value: Cell, format: string] {
  const masked = maskStoredBytes(stored, rules);
  if ("hidden" in masked) return [null, "hidden"];
  return isJson(masked.text) ? [{ json: masked.text }, "json"] : [masked.text, "text"];
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
