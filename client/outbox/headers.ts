import { ClientError } from "../errors.ts";
import { SEQUENCE_HEADER, VERSION_HEADER } from "../messages/own-headers.ts";
import { unstorableIn, unstorableInJson } from "./unstorable.ts";

const OWN = new Set([VERSION_HEADER, SEQUENCE_HEADER, "traceparent", "tracestate", "baggage"]);

/** What HTTP allows, which every broker carries as well. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** RabbitMQ's limit. */
const MOST_CHARACTERS = 255;

/** Names that a sink of the relay leaves out, in upper or lower case: sinks set them, or they control the transport. */
const TAKEN: readonly (readonly [RegExp, string])[] = [
  [/^(?:event[-_]id|webhook-.*|outbox-replay)$/, "the relay says by it which message this is"],
  [
    /^(?:event[-_]type|aggregate[-_](?:type|id)|created_at|event-created-at)$/,
    "the relay sends the event's own values so",
  ],
  [/^content[-_]type$/, "the relay says by it what the payload is"],
  [
    /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|authorization|cookie|proxy-.*)$/,
    "over HTTP it belongs to the connection or the receiver",
  ],
  [/^nats-/, "it steers NATS' streams"],
  [/^b?cc$/, "RabbitMQ routes by it"],
  [/^(?:key|payload)$/, "in a Redis stream it is a field of the message"],
];

/**
 * JSON text of the caller's headers and ours. Throws ClientError for one that a sink of the relay could not send as it
 * is.
 */
export function headersOf(given: Readonly<Record<string, string>>, ours: Readonly<Record<string, string>>): string {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    requireName(name);
    if (names.has(name.toLowerCase()))
      throw refusal(name, "is there twice, in letters of another case: no transport tells them apart");
    names.add(name.toLowerCase());
    requireValue(name, value);
  }
  const text = JSON.stringify({ ...given, ...ours });
  const unstorable = unstorableInJson(text);
  if (unstorable) throw new ClientError("invalid_input", `The headers hold ${unstorable}.`);
  return text;
}

function requireName(name: string): void {
  const lower = name.toLowerCase();
  if (OWN.has(lower)) throw refusal(name, "is set by the outbox itself");
  if (!TOKEN.test(name) || name.length > MOST_CHARACTERS)
    throw refusal(
      name,
      `has a name that HTTP or a broker does not carry. Use 1 to ${MOST_CHARACTERS} letters, digits and hyphens, such as "tenant-id"`,
    );
  const why = TAKEN.find(([names]) => names.test(lower))?.[1];
  if (why) throw refusal(name, `would not arrive: ${why}. Give it another name`);
}

function requireValue(name: string, value: unknown): void {
  if (typeof value !== "string") throw refusal(name, "is not a string");
  const unstorable = unstorableIn(value);
  if (unstorable) throw refusal(name, `holds ${unstorable}`);
  if (/[\r\n]/.test(value))
    throw refusal(
      name,
      "has a line break in its value, which ends a header in HTTP and NATS. Encode it, or put it into the payload",
    );
}

const refusal = (name: string, why: string) =>
  new ClientError("invalid_input", `The header ${JSON.stringify(name)} ${why}.`);
