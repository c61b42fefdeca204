import type { OutgoingMessage } from "#db/outbox/relay-port.ts";

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** Names that a row must not set: they belong to the connection, to the receiver's trust, or to the relay. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|authorization|cookie|proxy-.*|webhook-.*|event[_-]id|event-type|event-created-at|aggregate-(?:type|id))$/i;

const PLAIN_VALUE = /^[\x20-\x24\x26-\x7e]*$/;

/**
 * A value that any HTTP stack takes: what is not printable ASCII, and the percent sign, is percent-encoded as UTF-8,
 * as the CloudEvents HTTP binding does. `decodeURIComponent` gives the value back.
 */
export function headerValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  return value.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]+/g, (part) => encodeURIComponent(part));
}

/** Names and values in turn, as undici takes them. `configured` come first and are never overridden by a row's own. */
export function requestHeaders(message: OutgoingMessage, configured: readonly string[]): string[] {
  const headers = [...configured, "content-type", contentType(message)];
  const add = (name: string, value: string | null) => {
    if (value !== null) headers.push(name, headerValue(value));
  };
  add("webhook-id", message.eventId);
  add("event_id", message.eventId);
  add("event-type", message.eventType);
  add("aggregate-type", message.aggregateType);
  add("aggregate-id", message.aggregateId);
  add("event-created-at", message.createdAt);
  if (message.headers !== null && message.headers !== "") addOwn(headers, message.headers);
  return headers;
}

function contentType({ payload, payloadKind }: OutgoingMessage): string {
  if (payloadKind === "binary") return "application/octet-stream";
  return payloadKind === "json" || isJson(payload ?? "") ? "application/json" : "text/plain; charset=utf-8";
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

/** The row's own headers: a JSON object of texts, numbers or booleans. Anything else is not a header. */
function addOwn(headers: string[], text: string): void {
  const own = parseObject(text);
  const taken = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(own)) {
    if (!TOKEN.test(name) || RESERVED.test(name) || taken.has(name.toLowerCase())) continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      headers.push(name, headerValue(String(value)));
    }
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
