import { ClientError } from "../errors.ts";
import { SEQUENCE_HEADER, VERSION_HEADER } from "./own-headers.ts";
import { parsePayload } from "./parse-payload.ts";
import type { ReceivedMessage } from "./received-message.ts";

/** A message as a transport delivered it, with the transport's spelling of header names. */
export interface Sent {
  headers: Readonly<Record<string, string>>;
  /** Null is a tombstone. */
  body: Uint8Array | string | null;
  contentType: string | null;
  /** The key by which the transport kept events together; null where it has none. */
  key: string | null;
  /** How the transport's binding of CloudEvents spells an attribute as a header. */
  cloudEventsPrefix: string;
}

export interface ReaderOptions {
  /** The event type of a message that names none, such as one of Debezium's event router with its defaults. */
  type?: string | ((headers: Readonly<Record<string, string>>) => string | null);
  /**
   * Name of the header with the message's number within its aggregate, where that is not `event-sequence`: what
   * `route.headers` or `route.fields` of the relay sends of a column of yours.
   */
  sequence?: string;
}

/**
 * Reads what the relay sends with any of its presets, and what Debezium's outbox event router sends: plain headers,
 * CloudEvents in both modes, JSON with Kafka Connect's schema around it. Throws `invalid_message` without an id.
 */
export function readSent(sent: Sent, options: ReaderOptions = {}): ReceivedMessage {
  const headers = lowerCased(sent.headers);
  const text = textOf(sent.body);
  const event = structuredEvent(text, { ...sent, headers });
  const message = event
    ? fromStructured(event, headers)
    : withoutSchema(text, (inner) => fromHeaders({ ...sent, headers, text: inner, key: keyWithoutSchema(sent.key) }));
  const type = message.type ?? (typeof options.type === "function" ? options.type(headers) : options.type) ?? null;
  if (message.id === "")
    throw new ClientError(
      "invalid_message",
      "The message has no id, neither in event_id, webhook-id or id nor as a CloudEvent: a repeat could not be recognised. Put it aside.",
    );
  const sequence = options.sequence === undefined ? message.sequence : sequenceIn(headers, options.sequence);
  return { ...message, type, sequence };
}

interface Read extends Sent {
  /** The payload's text; null for bytes and for a tombstone. */
  text: string | null;
}

function fromHeaders({ headers, body, text, key, cloudEventsPrefix, contentType }: Read): ReceivedMessage {
  const attribute = (name: string) => headers[`${cloudEventsPrefix.toLowerCase()}${name}`];
  const header = (...names: string[]) => names.map((name) => headers[name]).find((value) => value !== undefined);
  const bytes = body !== null && text === null ? body : null;
  return {
    id: header("event_id", "webhook-id", "id") ?? attribute("id") ?? "",
    type: header("event_type", "event-type", "eventtype") ?? attribute("type") ?? header("type") ?? null,
    ...ofOutbox(headers),
    aggregateType: header("aggregate_type", "aggregate-type", "aggregatetype") ?? null,
    aggregateId: header("aggregate_id", "aggregate-id") ?? attribute("subject") ?? key,
    createdAt: header("created_at", "event-created-at") ?? attribute("time") ?? null,
    payload: bytes ?? (contentType?.startsWith("text/plain") ? text : parsePayload(text)),
    text,
    headers,
  };
}

/** A CloudEvent in the JSON event format. */
export function fromStructured(
  event: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): ReceivedMessage {
  const attribute = (name: string) => (typeof event[name] === "string" ? (event[name] as string) : null);
  const data = event.data_base64 === undefined ? event.data : Buffer.from(String(event.data_base64), "base64");
  return {
    id: attribute("id") ?? "",
    type: attribute("type"),
    ...ofOutbox(headers),
    aggregateType: null,
    aggregateId: attribute("subject"),
    createdAt: attribute("time"),
    payload: data ?? null,
    text: null,
    headers,
  };
}

/** Fields from the outbox's own headers, for a payload with or without an envelope. */
export function ofOutbox(
  headers: Readonly<Record<string, string>>,
): Pick<ReceivedMessage, "version" | "sequence" | "replay"> {
  const version = headers[VERSION_HEADER] ?? "";
  return {
    version: /^\d{1,15}$/.test(version) ? Number(version) : null,
    sequence: sequenceIn(headers, SEQUENCE_HEADER),
    replay: headers["outbox-replay"] ?? null,
  };
}

/** A whole number from 1, otherwise null, because a wrong number would show false gaps. */
function sequenceIn(headers: Readonly<Record<string, string>>, name: string): number | null {
  const text = headers[name.toLowerCase()] ?? "";
  const number = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(number) ? number : null;
}

export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Bytes as UTF-8; null for bytes that are none, and for a tombstone. */
export function textOf(body: Uint8Array | string | null): string | null {
  if (body === null || typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A text, or JSON, whose digits are lost here. */
function withoutSchema(text: string | null, read: (text: string | null) => ReceivedMessage): ReceivedMessage {
  const inner = insideSchema(text);
  if (inner === null) return read(text);
  if (typeof inner.payload === "string") return read(inner.payload);
  return { ...read(JSON.stringify(inner.payload)), text: null };
}

function keyWithoutSchema(key: string | null): string | null {
  const { payload } = insideSchema(key) ?? {};
  return typeof payload === "string" ? payload : key;
}

/** Kafka Connect's JsonConverter puts a schema around payload and key by default. */
function insideSchema(text: string | null): { payload?: unknown } | null {
  if (text === null || !text.startsWith('{"schema":')) return null;
  const value = parsePayload(text);
  return isObject(value) && Object.keys(value).join() === "schema,payload" && isObject(value.schema) ? value : null;
}

/**
 * A CloudEvent in the JSON event format, by its content type; records of Kafka need not have one, so there by its
 * required attributes. A payload can be a CloudEvent itself: then other headers describe the message.
 */
function structuredEvent(text: string | null, sent: Sent): Record<string, unknown> | null {
  const contentType = sent.contentType ?? sent.headers["content-type"] ?? null;
  const isCalledSo = contentType?.startsWith("application/cloudevents+json") ?? false;
  if (text === null || (!isCalledSo && (contentType !== null || !text.includes('"specversion"')))) return null;
  const event = parsePayload(text);
  if (!isObject(event)) return null;
  return isCalledSo || (isEvent(event) && !isDescribedByHeaders(event, sent)) ? event : null;
}

const isEvent = (event: Record<string, unknown>) =>
  ["specversion", "id", "source", "type"].every((name) => typeof event[name] === "string");

/** Reads the headers of the preset plain, of CloudEvents in binary mode, or of an event whose body is another event. */
function isDescribedByHeaders({ id }: Record<string, unknown>, { headers, cloudEventsPrefix }: Sent): boolean {
  const called = headers.event_id ?? headers.id ?? id;
  return called !== id || "event_type" in headers || `${cloudEventsPrefix.toLowerCase()}specversion` in headers;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
