import { ClientError } from "../errors.ts";
import type { EventRegistry } from "../events/define-events.ts";
import { definitionOf, validate } from "../events/validate.ts";
import { SEQUENCE_HEADER, VERSION_HEADER } from "../messages/own-headers.ts";
import { requireOptions, requirePlainObject } from "../require-options.ts";
import { canonicalUuid, isUuid } from "../sql/uuid.ts";
import { type Duration, toMs } from "./duration.ts";
import { headersOf } from "./headers.ts";
import type { OutboxLayout } from "./layout.ts";
import { toJson } from "./to-json.ts";
import type { TraceCapture } from "./trace.ts";
import { unstorableIn, unstorableInJson } from "./unstorable.ts";
import { uuidV7 } from "./uuid-v7.ts";

export interface AddOptions {
  /** The event's id. A second `add` with the same id writes nothing. Without it: a new UUID of version 7. */
  id?: string;
  /** The aggregate's id, in place of the registry's `key`. */
  key?: string;
  /**
   * The event's number among those of its aggregate, from 1 without gaps, such as the aggregate's version: by it
   * consumers notice missing events. The outbox does not count: only the owner of the aggregate can.
   */
  sequence?: number;
  /** Not sent before this long after the `add`, by the database's clock. */
  delay?: Duration;
  /**
   * Sent with the event. A name has letters, digits and hyphens and must not be one that the relay, HTTP or a broker
   * uses, such as `traceparent`, `event-type` or `host`. A value is one line. A header that could not arrive unchanged
   * is refused.
   */
  headers?: Readonly<Record<string, string>>;
  /** For a layout with the role `topic`. */
  topic?: string;
}

const OPTIONS = ["id", "key", "sequence", "delay", "headers", "topic"] satisfies (keyof AddOptions)[];

/** A message that was checked and is ready to be written. */
export interface NewMessage {
  id: string | null;
  givenId: boolean;
  type: string;
  aggregateType: string;
  aggregateId: string | null;
  topic: string | null;
  /** JSON text. */
  payload: string;
  /** JSON text of an object; null without headers. */
  headers: string | null;
  traceId: string | null;
  delayMs: number | null;
}

export interface MessageRules {
  events: EventRegistry;
  layout: OutboxLayout;
  maxBytes: number;
  trace: TraceCapture | null;
  /** The id's column takes UUIDs only. */
  takesUuids?: boolean;
}

/**
 * Checks everything that would fail later, while the caller can still roll back: type, schema, size, headers. Throws
 * ClientError; writes nothing.
 */
export async function newMessage(
  { events, layout, maxBytes, trace, takesUuids = false }: MessageRules,
  type: string,
  given: unknown,
  asked?: AddOptions | null,
): Promise<NewMessage> {
  const { columns } = layout;
  const options = asked ?? {};
  requireOptions("add", options, OPTIONS);
  const { version, aggregate, key, schema } = definitionOf(events, type);
  const payload = await validate(schema, given, `The payload of ${type} does not fit its schema`);
  const text = await toText(payload, type, (read) =>
    validate(schema, read, `The payload of ${type} cannot be read again once it is JSON`),
  );
  const traced = trace?.() ?? {};
  const headers = headersOf(headersIn(options, type), {
    ...traced,
    [VERSION_HEADER]: String(version),
    ...numberOf(options.sequence, type),
  });
  requireColumns(layout, options);
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(headers);
  if (!(bytes <= maxBytes))
    throw new ClientError(
      "too_large",
      `The event ${type} has ${bytes} bytes with its headers, and at most ${maxBytes} may be written: raise maxBytes if your broker takes more, or store the content elsewhere and send its id.`,
    );
  return {
    id: columns.id?.type === "generated" ? null : idOf(options.id, { type, takesUuids }),
    givenId: options.id !== undefined,
    type,
    aggregateType: aggregate,
    aggregateId: nameOf("key", options.key ?? (key ? key(payload) : null), type),
    topic: nameOf("topic", options.topic ?? null, type),
    payload: text,
    headers: columns.headers ? headers : null,
    traceId: traced.traceparent ?? null,
    delayMs: options.delay === undefined ? null : toMs(options.delay),
  };
}

/** Writes the schema's output, and requires that the same schema can read it, because a consumer will read it so. */
async function toText(payload: unknown, type: string, readBack: (value: unknown) => Promise<unknown>): Promise<string> {
  let text: string | undefined;
  try {
    text = toJson(payload, type);
  } catch (error) {
    if (error instanceof ClientError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ClientError("invalid_payload", `The payload of ${type} is not JSON: ${reason}`, { cause: error });
  }
  if (text === undefined)
    throw new ClientError(
      "invalid_payload",
      `The payload of ${type} cannot be written as JSON: it is undefined, a function or a symbol.`,
    );
  const unstorable = unstorableInJson(text);
  if (unstorable) throw new ClientError("invalid_payload", `The payload of ${type} holds ${unstorable}.`);
  await readBack(JSON.parse(text));
  return text;
}

/** The id, key or topic of an event. */
function nameOf(what: string, text: unknown, type: string): string | null {
  if (text === null) return null;
  if (typeof text !== "string" || text === "")
    throw new ClientError("invalid_input", `The ${what} of ${type} is not a string of at least one character.`);
  const unstorable = unstorableIn(text);
  if (unstorable) throw new ClientError("invalid_input", `The ${what} of ${type} holds ${unstorable}.`);
  return text;
}

function idOf(id: string | undefined, { type, takesUuids }: { type: string; takesUuids: boolean }): string {
  const given = nameOf("id", id ?? null, type);
  if (given === null) return uuidV7();
  if (!takesUuids) return given;
  requireUuid(given);
  // As Postgres shows it, and so as consumers get it.
  return canonicalUuid(given);
}

/** A Map or the Headers of fetch has no members of its own, and would be dropped silently. */
function headersIn({ headers }: AddOptions, type: string): Readonly<Record<string, string>> {
  requirePlainObject(`The headers of ${type}`, headers ?? {});
  return headers ?? {};
}

/** Postgres would refuse it, and with it the whole transaction. */
export function requireUuid(id: string): void {
  if (isUuid(id)) return;
  throw new ClientError(
    "invalid_input",
    `The id ${JSON.stringify(id)} is no UUID, and the column is one. If the column has another type, name it: columns.id = { name, type: "text" }.`,
  );
}

function numberOf(sequence: number | undefined, type: string): Record<string, string> {
  if (sequence === undefined) return {};
  if (Number.isSafeInteger(sequence) && sequence > 0) return { [SEQUENCE_HEADER]: String(sequence) };
  throw new ClientError("invalid_input", `The sequence of ${type} is not a whole number from 1.`);
}

/** An option without a column would be dropped silently. */
function requireColumns({ table, columns }: OutboxLayout, { id, headers, sequence, delay, topic }: AddOptions): void {
  const lacking = (option: string, role: string) =>
    new ClientError(
      "invalid_input",
      `The option ${option} needs a column for the role ${role}, and ${table} has none.`,
    );
  if (id !== undefined && (!columns.id || columns.id.type === "generated")) throw lacking("id", "id");
  if (headers && !columns.headers) throw lacking("headers", "headers");
  if (sequence !== undefined && !columns.headers) throw lacking("sequence", "headers");
  if (delay !== undefined && !columns.availableAt) throw lacking("delay", "availableAt");
  if (topic !== undefined && !columns.topic) throw lacking("topic", "topic");
}
