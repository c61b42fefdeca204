import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

export const JSON_TYPE = "application/json";
const BYTES_TYPE = "application/octet-stream";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Content type of the payload. Only text columns are inspected; other types determine it. */
export function contentTypeOf({ payload, payloadKind }: OutgoingMessage): string {
  if (payloadKind === "binary") return BYTES_TYPE;
  return payloadKind === "json" || isJson(payload) ? JSON_TYPE : TEXT_TYPE;
}

const BEGINS_LIKE_JSON = /^[\t\n\r ]*[[{"\-\dtfn]/;

/** A failed parse costs far more than checking the first character. */
function isJson(text: string | null): boolean {
  if (text === null || !BEGINS_LIKE_JSON.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The stored payload, as bytes or text. */
export function bodyOf({ payload, payloadKind }: OutgoingMessage): string | Buffer | null {
  return payload !== null && payloadKind === "binary" ? Buffer.from(payload, "base64") : payload;
}
