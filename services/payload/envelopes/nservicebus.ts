import { bytesOfBase64 } from "../encodings/base64.ts";
import { jsonItems, jsonSlices } from "../json-slices.ts";
import type { Layer } from "../layer.ts";
import { factsOf, type JsonEnvelope, type JsonObject, stringOf } from "./json-envelope.ts";

const PREFIX = "NServiceBus.";
const FACTS = [
  ["NServiceBus.EnclosedMessageTypes", "type"],
  ["NServiceBus.MessageId", "id"],
  ["NServiceBus.TimeSent", "time"],
  ["NServiceBus.CorrelationId", "correlation"],
  ["NServiceBus.ConversationId", "conversation"],
  ["NServiceBus.RelatedTo", "caused by"],
  ["NServiceBus.MessageIntent", "intent"],
  ["NServiceBus.OriginatingEndpoint", "from"],
  ["NServiceBus.ReplyToAddress", "reply to"],
  ["NServiceBus.ContentType", "content type"],
] as const;

/** NServiceBus headers in their own column; they stay listed below their facts. */
export const nServiceBusHeaders: JsonEnvelope = (object, text) => {
  if (!looksLikeHeaders(object)) return undefined;
  return {
    name: ["NServiceBus headers", "JSON"],
    facts: factsOf(object, FACTS),
    body: { kind: "json", text: text },
  };
};

/** One operation of NServiceBus' outbox table: headers, and a body in base64. */
export const nServiceBusOperation = (object: JsonObject): Layer | undefined => {
  const headers = jsonSlices(object.get("Headers") ?? "");
  const base64 = stringOf(object.get("Body")) ?? null;
  const body = base64 === null ? null : bytesOfBase64(base64);
  if (!headers || !looksLikeHeaders(headers) || !body || !object.has("MessageId")) return undefined;
  return {
    name: "NServiceBus operation",
    facts: factsOf(headers, FACTS),
    inner: { kind: "bytes", bytes: body },
  };
};

/** The only operation in a list of operations; several stay a list. */
export function onlyOperation(json: string): string | undefined {
  const [operation, ...more] = jsonItems(json, 2) ?? [];
  const slices = operation !== undefined && more.length === 0 ? jsonSlices(operation) : undefined;
  return slices && nServiceBusOperation(slices) ? operation : undefined;
}

/** Json.NET's mark of a type, as NServiceBus and others write it: `{"$type": "Acme.Order, Acme", …}`. */
export const jsonNetType: JsonEnvelope = (object, text) => {
  const type = stringOf(object.get("$type"));
  if (type === undefined || [...object.keys()][0] !== "$type" || !/^[^,]+,\s*[\w.]+/.test(type)) return undefined;
  return {
    name: ["Json.NET type", "JSON"],
    facts: [{ name: "type", value: type }],
    body: { kind: "json", text: text },
  };
};

function looksLikeHeaders(object: JsonObject): boolean {
  return object.has("NServiceBus.MessageId") || [...object.keys()].filter((key) => key.startsWith(PREFIX)).length > 1;
}
