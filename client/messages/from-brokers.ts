import { ClientError } from "../errors.ts";
import { isObject, type ReaderOptions, readSent } from "./read-sent.ts";
import type { ReceivedMessage } from "./received-message.ts";

type Bytes = Uint8Array | string;

/**
 * A record of KafkaJS (headers as an object), @platformatic/kafka (as a Map) or node-rdkafka (as a list of objects).
 */
export interface KafkaRecord {
  key?: Bytes | null;
  value?: Bytes | null;
  headers?:
    | ReadonlyMap<Bytes, Bytes>
    | Readonly<Record<string, unknown>>
    | readonly Readonly<Record<string, unknown>>[]
    | null;
}

export function fromKafka(record: KafkaRecord, options?: ReaderOptions): ReceivedMessage {
  requireObject("fromKafka needs the record that your client hands over", record);
  const { key, value, headers } = record;
  if ("message" in record && value === undefined)
    throw new ClientError("invalid_input", "This object contains the Kafka record: pass its message.");
  const entries = Array.isArray(headers) ? headers.flatMap((one) => Object.entries(one)) : entriesOf(headers);
  return readSent(
    {
      headers: toTexts(entries),
      body: value ?? null,
      contentType: null,
      key: key === null || key === undefined ? null : toText(key),
      cloudEventsPrefix: "ce_",
    },
    options,
  );
}

/** A message of rabbitmq-client, or of amqplib (with `content` and `properties`). */
export type RabbitMessage =
  | { body: unknown; messageId?: string; contentType?: string; headers?: Readonly<Record<string, unknown>> }
  | {
      content: Uint8Array;
      properties: { messageId?: unknown; contentType?: unknown; headers?: Readonly<Record<string, unknown>> };
    };

export function fromRabbit(message: RabbitMessage, options?: ReaderOptions): ReceivedMessage {
  requireObject("fromRabbit needs the message that your client hands over", message);
  if ("properties" in message)
    requireObject("fromRabbit needs the message of amqplib with its properties", message.properties);
  const { messageId, contentType, headers } = "properties" in message ? message.properties : message;
  const body = "properties" in message ? message.content : message.body;
  const id = typeof messageId === "string" && messageId !== "" ? [["webhook-id", messageId] as const] : [];
  const isParsed = contentType === "application/json" && !(body instanceof Uint8Array);
  const read = readSent(
    {
      headers: toTexts([...id, ...entriesOf(headers)]),
      body: isParsed ? JSON.stringify(body) : bodyOf(body),
      contentType: typeof contentType === "string" ? contentType : null,
      key: null,
      cloudEventsPrefix: "cloudEvents:",
    },
    options,
  );
  // rabbitmq-client parses JSON before it hands a message over: the sent text is lost.
  return isParsed ? { ...read, text: null } : read;
}

function bodyOf(body: unknown): Bytes | null {
  return body instanceof Uint8Array || typeof body === "string" ? body : null;
}

/** A message of NATS or JetStream. */
export interface NatsMessage {
  data: Uint8Array;
  headers?: Iterable<readonly [string, readonly string[]]> | undefined;
}

export function fromNats(message: NatsMessage, options?: ReaderOptions): ReceivedMessage {
  requireObject("fromNats needs the message that your client hands over", message);
  const { data, headers } = message;
  requireObject("fromNats needs the message that your client hands over, with its data", data);
  const texts = toTexts([...(headers ?? [])].map(([name, values]) => [name, values[0]] as const));
  const id = texts["Nats-Msg-Id"];
  return readSent(
    {
      headers: id === undefined ? texts : { "webhook-id": id, ...texts },
      body: data.length === 0 ? null : data,
      contentType: texts["Content-Type"] ?? null,
      key: null,
      cloudEventsPrefix: "ce-",
    },
    options,
  );
}

/** An entry of a stream: names and values alternating, as Redis has them, or as an object, as node-redis has them. */
export type RedisEntry = readonly Bytes[] | Readonly<Record<string, Bytes>>;

/** Pass the entry's fields: the second element of what XREAD and XREADGROUP give for an entry. */
export function fromRedis(fields: RedisEntry, options?: ReaderOptions): ReceivedMessage {
  requireObject("fromRedis needs the fields of an entry", fields);
  requireFields(fields);
  const { key, content_type: contentType, payload, ...headers } = Object.fromEntries(pairsOf(fields));
  return readSent(
    {
      headers: toTexts(Object.entries(headers)),
      body: payload ?? null,
      contentType: contentType === undefined ? null : toText(contentType),
      key: key === undefined ? null : toText(key),
      cloudEventsPrefix: "ce_",
    },
    options,
  );
}

/** For code without types. */
function requireObject(what: string, given: unknown): void {
  if (typeof given === "object" && given !== null) return;
  throw new ClientError("invalid_input", `${what}, and got ${given === null ? "null" : typeof given}.`);
}

/** For code without types: the id of an entry would be taken for the event's. */
function requireFields(fields: RedisEntry): void {
  const inside: unknown = Array.isArray(fields) ? fields[1] : (fields as Record<string, unknown>).message;
  if (inside instanceof Uint8Array || (!Array.isArray(inside) && !isObject(inside))) return;
  const inner = Array.isArray(fields) ? "second element" : "message";
  throw new ClientError(
    "invalid_input",
    `This is an entry of Redis with its id, and not its fields: pass its ${inner}.`,
  );
}

function pairsOf(fields: RedisEntry): [string, Bytes][] {
  if (!Array.isArray(fields)) return Object.entries(fields);
  const pairs: [string, Bytes][] = [];
  for (let index = 0; index + 1 < fields.length; index += 2)
    pairs.push([toText(fields[index] as Bytes), fields[index + 1] as Bytes]);
  return pairs;
}

function entriesOf(headers: unknown): (readonly [Bytes, unknown])[] {
  if (headers instanceof Map) return [...(headers as Map<Bytes, unknown>)];
  return typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
}

/** The first of a name counts; values that are neither text nor bytes are left out. */
function toTexts(entries: readonly (readonly [Bytes, unknown])[]): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of entries) {
    const one = Array.isArray(value) ? value[0] : value;
    const key = toText(name);
    if ((typeof one === "string" || one instanceof Uint8Array) && !texts.has(key)) texts.set(key, toText(one));
  }
  return Object.fromEntries(texts);
}

function toText(value: Bytes): string {
  return typeof value === "string" ? value : Buffer.from(value).toString("utf8");
}
