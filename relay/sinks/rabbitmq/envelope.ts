import type { Envelope } from "rabbitmq-client";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { Routed } from "../../routing/router.ts";

/** Longest short string of AMQP 0-9-1, in bytes of UTF-8: routing keys, message ids and header names. */
const SHORT_BYTES = 255;
/** All properties must fit into one frame; this many bytes are reserved for those that are not headers. */
const FRAME_RESERVE_BYTES = 2048;

/** With a list as value the broker also routes by these headers; with a text it closes the channel. */
const ROUTING_HEADERS = new Set(["CC", "BCC"]);

export interface Prepared {
  envelope: Envelope;
  body: Buffer;
}

/** The encoded message, or why AMQP cannot express it; sending it would close the channel for all other messages. */
export function prepare(
  message: OutgoingMessage,
  routed: Routed,
  options: { exchange: string; frameMax: number },
): Prepared | Failure {
  const fault = faultOf(message, routed, options.frameMax);
  if (fault !== null) return fault;
  const createdAtMs = message.createdAt === null ? Number.NaN : Date.parse(message.createdAt);
  return {
    envelope: {
      exchange: options.exchange,
      routingKey: routed.topic,
      mandatory: true,
      durable: true,
      messageId: message.eventId,
      contentType: routed.contentType,
      headers: headersOf(routed),
      ...(Number.isNaN(createdAtMs) ? {} : { timestamp: Math.floor(createdAtMs / 1000) }),
    },
    body: bodyOf(routed.body),
  };
}

function faultOf(message: OutgoingMessage, routed: Routed, frameMax: number): Failure | null {
  if (isLong(routed.topic)) {
    return { code: "unroutable", kind: "message", message: `The routing key is longer than ${SHORT_BYTES} bytes.` };
  }
  const long = longPart(message, routed);
  if (long !== null) {
    return {
      code: "serialisation",
      kind: "message",
      message: `The message's ${long} is longer than ${SHORT_BYTES} bytes.`,
    };
  }
  const bytes = bytesOf(routed.headers, frameMax - FRAME_RESERVE_BYTES);
  if (bytes <= frameMax - FRAME_RESERVE_BYTES) return null;
  return {
    code: "too_large",
    kind: "message",
    message: `The message's headers have ${bytes} bytes: more than a frame.`,
  };
}

/** Size in the frame, in bytes; an upper bound where that suffices. */
function bytesOf(headers: Routed["headers"], limit: number): number {
  let most = 0;
  for (const [name, value] of headers) most += (name.length + value.length) * 3 + 6;
  if (most <= limit) return most;
  return headers.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value) + 6, 0);
}

function longPart(message: OutgoingMessage, routed: Routed): string | null {
  if (isLong(message.eventId)) return "id";
  if (isLong(routed.contentType)) return "content type";
  return routed.headers.some(([name]) => isLong(name)) ? "name of a header" : null;
}

function isLong(text: string): boolean {
  return text.length * 3 > SHORT_BYTES && Buffer.byteLength(text) > SHORT_BYTES;
}

function headersOf({ headers }: Routed): Record<string, string> {
  return Object.fromEntries(headers.filter(([name]) => !ROUTING_HEADERS.has(name)));
}

function bodyOf(body: string | Buffer | null): Buffer {
  return typeof body === "string" ? Buffer.from(body, "utf8") : (body ?? Buffer.alloc(0));
}
