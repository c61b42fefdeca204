import { hash } from "node:crypto";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Routed } from "../../routing/router.ts";

const JSON_TYPE = "application/json";
const EVENT_TYPE = "application/cloudevents+json";

/** Headers left out of each event because the envelope has them already. */
export const IN_ENVELOPE: ReadonlySet<string> = new Set([
  "webhook-id",
  "event_id",
  "event-type",
  "aggregate-type",
  "aggregate-id",
  "event-created-at",
]);

/** One event as an element of a batch's JSON array. */
export function batchElement(message: OutgoingMessage, routed: Routed): string {
  if (isCloudEvent(routed) && typeof routed.body === "string") return routed.body;
  const { eventId, eventType, aggregateType, aggregateId, createdAt } = message;
  const aggregate =
    aggregateType === null && aggregateId === null
      ? "null"
      : `{"type":${quoted(aggregateType)},"id":${quoted(aggregateId)}}`;
  return (
    `{"id":${quoted(eventId)},"type":${quoted(eventType)},"aggregate":${aggregate},` +
    `"createdAt":${quoted(createdAt)},"headers":${headersOf(routed)},${payloadOf(routed)}}`
  );
}

/** Content type of a batch. */
export function batchContentType(routed: Routed): string {
  return isCloudEvent(routed) ? "application/cloudevents-batch+json; charset=utf-8" : JSON_TYPE;
}

/** Equal for equal batches, so that a receiver recognises a batch that is sent again. */
export function batchId(eventIds: readonly string[]): string {
  let text = "";
  for (const id of eventIds) text += `${id.length}:${id}`;
  return `batch_${hash("sha256", text).slice(0, 32)}`;
}

const WITHOUT_ESCAPES = /^[ !#-[\]-~]*$/;

/** Faster than JSON.stringify for ids, types and times, which rarely need an escape. */
function quoted(text: string | null): string {
  return text !== null && WITHOUT_ESCAPES.test(text) ? `"${text}"` : JSON.stringify(text);
}

function isCloudEvent({ contentType }: Routed): boolean {
  return contentType.startsWith(EVENT_TYPE);
}

function headersOf({ headers }: Routed): string {
  if (headers.length === 0) return "{}";
  let text = "{";
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    if (IN_ENVELOPE.has(name) || seen.has(name)) continue;
    seen.add(name);
    text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** JSON is inserted as stored: the router guarantees that JSON content is one complete JSON value. */
function payloadOf({ body, contentType }: Routed): string {
  if (body === null) return `"payload":null`;
  if (typeof body !== "string") return `"payloadBase64":"${body.toString("base64")}"`;
  if (contentType === JSON_TYPE) return `"payload":${body}`;
  return `"contentType":${JSON.stringify(contentType)},"payload":${JSON.stringify(body)}`;
}
