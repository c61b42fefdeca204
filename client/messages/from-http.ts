import { ClientError } from "../errors.ts";
import { parsePayload } from "./parse-payload.ts";
import { fromStructured, isObject, lowerCased, ofOutbox, type ReaderOptions, readSent, textOf } from "./read-sent.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { requireSignature } from "./signature.ts";

/** A request as Node, Express, Fastify or a fetch handler has it, with the body's bytes as they came. */
export interface HttpRequest {
  headers:
    | Headers
    | Iterable<readonly [string, string]>
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array | string;
}

export interface HttpOptions extends ReaderOptions {
  /** The http sink's secret; several, separated by spaces, while they are rotated. Null reads unsigned requests. */
  secret: string | null;
}

/**
 * The one event of a request. Throws `bad_signature`; `invalid_message` for a batch, which `fromHttpBatch` reads. The
 * signature covers the bytes that were sent, so pass the raw body, not one that a middleware has parsed.
 */
export function fromHttp(request: HttpRequest, options: HttpOptions): ReceivedMessage {
  const [message, ...others] = fromHttpBatch(request, options);
  if (message && others.length === 0) return message;
  throw new ClientError("invalid_message", "The request is a batch: read it with fromHttpBatch.");
}

/**
 * The events of a request in their order: one, or those of a batch (`batch` of the http sink). Answer 2xx only when all
 * of them are processed, because that confirms them all.
 */
export function fromHttpBatch(request: HttpRequest, options: HttpOptions): ReceivedMessage[] {
  requireRequest(request, options);
  const { headers, body } = request;
  const plain = decoded(headers);
  if (options.secret !== null) requireSignature(options.secret, { headers: rawHeaders(headers), body });
  const contentType = plain["content-type"] ?? null;
  const isOfEvents = contentType?.startsWith("application/cloudevents-batch+json") ?? false;
  const isSigned = options.secret !== null;
  const elements = elementsOf(plain["webhook-id"], body);
  if (elements === null && (isSigned || !isOfEvents)) {
    const isTombstone = body.length === 0;
    const message = readSent(
      { headers: plain, body: isTombstone ? null : body, contentType, key: null, cloudEventsPrefix: "ce-" },
      options,
    );
    // No other header is signed: a recorded request that is sent again must not pass for another event.
    return [isSigned ? { ...message, id: plain["webhook-id"] ?? "" } : message];
  }
  const events = elements ?? listIn(body);
  if (events === null)
    throw new ClientError(
      "invalid_message",
      "The request is marked as a batch, but its body is not a JSON list of events.",
    );
  return events.map((element) => (isOfEvents ? fromStructured(element, plain) : fromElement(element, plain)));
}

/** For code without types. */
function requireRequest(request: HttpRequest, options: HttpOptions): void {
  const { headers, body } = (request as Partial<HttpRequest> | undefined) ?? {};
  if (typeof body !== "string" && !(body instanceof Uint8Array))
    throw new ClientError(
      "invalid_input",
      "Pass the raw body, its text or its bytes, and not what a middleware made of it: express.raw({ type: () => true }), or await request.text().",
    );
  if (typeof headers !== "object" || headers === null)
    throw new ClientError("invalid_input", "Pass the request's headers: { headers: request.headers, body }.");
  // Undefined is what an environment variable that is not set gives: no request may pass for signed then.
  if (options?.secret !== null && (typeof options?.secret !== "string" || options.secret === ""))
    throw new ClientError(
      "invalid_input",
      "The reader needs the option secret: the http sink's secret, or null to read unsigned requests.",
    );
}

/** Elements of a batch of the http sink; null for a single event, whose own id may look like a batch's. */
function elementsOf(id: string | undefined, body: Uint8Array | string): Record<string, unknown>[] | null {
  return id !== undefined && /^batch_[0-9a-f]{32}$/.test(id) ? listIn(body) : null;
}

function listIn(body: Uint8Array | string): Record<string, unknown>[] | null {
  const list = parsePayload(textOf(body));
  return Array.isArray(list) && list.every(isObject) ? list : null;
}

/** An event of a batch: `{ id, type, aggregate, createdAt, headers, payload }`. */
function fromElement(element: Record<string, unknown>, request: Record<string, string>): ReceivedMessage {
  const textAt = (name: string, from: Record<string, unknown> = element) =>
    typeof from[name] === "string" ? (from[name] as string) : null;
  const aggregate = isObject(element.aggregate) ? element.aggregate : {};
  const headers = lowerCased(isObject(element.headers) ? (element.headers as Record<string, string>) : {});
  const bytes = textAt("payloadBase64");
  return {
    id: textAt("id") ?? "",
    type: textAt("type"),
    ...ofOutbox({ ...request, ...headers }),
    aggregateType: textAt("type", aggregate),
    aggregateId: textAt("id", aggregate),
    createdAt: textAt("createdAt"),
    payload: bytes === null ? (element.payload ?? null) : Buffer.from(bytes, "base64"),
    text: null,
    headers,
  };
}

function rawHeaders(headers: HttpRequest["headers"]): Record<string, string> {
  // Other libraries have a class Headers of their own.
  const entries: Iterable<readonly [string, unknown]> = Symbol.iterator in headers ? headers : Object.entries(headers);
  return lowerCased(
    Object.fromEntries(
      [...entries].flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
    ),
  );
}

/** The http sink percent-encodes all characters except printable ASCII, and the percent sign. */
function decoded(headers: HttpRequest["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(rawHeaders(headers)).map(([name, value]) => [name, decode(value)]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return value;
    throw error;
  }
}
