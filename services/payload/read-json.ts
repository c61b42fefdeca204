import { dataReferencesIn, referenceOf, s3PointerOf } from "./claim-check.ts";
import { cap } from "./envelopes/cap.ts";
import { cloudEvents } from "./envelopes/cloudevents.ts";
import { debezium, kafkaConnect } from "./envelopes/debezium.ts";
import { type JsonEnvelope, stringOf } from "./envelopes/json-envelope.ts";
import { laravel } from "./envelopes/laravel.ts";
import { massTransit } from "./envelopes/masstransit.ts";
import { jsonNetType, nServiceBusHeaders, nServiceBusOperation, onlyOperation } from "./envelopes/nservicebus.ts";
import { celery, fastStream } from "./envelopes/python.ts";
import { jsonSlices } from "./json-slices.ts";
import type { Layer } from "./layer.ts";

const ENVELOPES: readonly JsonEnvelope[] = [
  cloudEvents,
  massTransit,
  cap,
  nServiceBusOperation,
  nServiceBusHeaders,
  kafkaConnect,
  debezium,
  celery,
  fastStream,
  laravel,
  jsonNetType,
];

/** Recognises a JSON text. A string is unwrapped, because it may hold JSON once more. */
export function readJson(text: string): Layer {
  const inner = stringOf(text.trim());
  if (inner !== undefined) return { name: "JSON string", inner: { kind: "text", text: inner } };
  const pointer = s3PointerOf(text);
  if (pointer) return { name: "S3 pointer", references: [pointer], body: { kind: "json", text } };
  const operation = onlyOperation(text);
  if (operation !== undefined) return { name: "list of one", inner: { kind: "json", text: operation } };
  const object = jsonSlices(text);
  const envelope = object && firstOf(ENVELOPES, (read) => read(object, text));
  return envelope ?? { name: "JSON", references: dataReferencesIn(text, referenceOf), body: { kind: "json", text } };
}

function firstOf<Item, Result>(items: readonly Item[], ask: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const result = ask(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
