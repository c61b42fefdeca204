import type { Envelope } from "rabbitmq-client";
import type { OutgoingMessage } from "#db/outbox/relay-port.ts";
import type { Failure } from "#domain/failure.ts";
import type { Routed } from "../../routing/router.ts";

/** Longest short string of AMQP 0-9-1: routing keys, message ids and names of headers, in bytes of UTF-8. */
const SHORT_BYTES = 255;
/** All properties travel in one frame; this much of it is left for what is not a header. */
const FRAME_RESERVE_BYTES = 2048;

/** With a list in them the broker routes by these too, and with a text it closes the channel. */
const ROUTING_HEADERS = new Set(["CC", "BCC"]);

export interface Prepared {
  envelope: Envelope;
  body: Buffer;
}

/** What goes out for one message; or why AMQP has no way to say it, which would close the channel for all others too. */
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
  if (Buffer.byteLength(routed.topic) > SHORT_BYTES) {
    return { code: "unroutable", kind: "message", message: `The routing key is longer than ${SHORT_BYTES} bytes.` };
  }
  for (const [what, value] of [
    ["id", message.eventId],
    ["content type", routed.contentType],
    ...routed.headers.map(([name]) => ["name of a header", name]),
  ] as const) {
    if (Buffer.byteLength(value ?? "") > SHORT_BYTES) {
      return {
        code: "serialisation",
        kind: "message",
        message: `The message's ${what} is longer than ${SHORT_BYTES} bytes.`,
      };
    }
  }
  const bytes = routed.headers.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value) + 6, 0);
  if (bytes <= frameMax - FRAME_RESERVE_BYTES) return null;
  return {
    code: "too_large",
    kind: "message",
    message: `The message's headers have ${bytes} bytes: more than a frame.`,
  };
}

function headersOf({ headers }: Routed): Record<string, string> {
  return Object.fromEntries(headers.filter(([name]) => !ROUTING_HEADERS.has(name)));
}

function bodyOf(body: string | Buffer | null): Buffer {
  return typeof body === "string" ? Buffer.from(body, "utf8") : (body ?? Buffer.alloc(0));
}
