import { jsonItems, jsonSlices, parseJson } from "./json-slices.ts";
import type { Reference } from "./layer.ts";

const LONGEST_ADDRESS = 2_000;
const POINTER_CLASSES = [
  "software.amazon.payloadoffloading.PayloadS3Pointer",
  "com.amazon.sqs.javamessaging.MessageS3Pointer",
];
const MESSAGE_DATA = "MassTransit message data";
const PLACES: readonly (readonly [place: string, address: RegExp])[] = [
  ["Amazon S3", /^s3:\/\/[^\s/]+\/\S+$/],
  ["Google Cloud Storage", /^gs:\/\/[^\s/]+\/\S+$/],
  ["Azure Blob Storage", /^https:\/\/[\w-]+\.blob\.core\.(windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)\/\S+$/],
  [MESSAGE_DATA, /^urn:(msgdata|file):\S+$/],
];
const DATA_REFERENCE = /"data-ref"\s*:\s*("(?:[^"\\]|\\.){1,2000}")/g;
const MOST_REFERENCES = 20;

/** The reference, if the text consists of an address only; content is never fetched. */
export function referenceOf(text: string): Reference | undefined {
  const address = text.trim();
  if (address.length > LONGEST_ADDRESS) return undefined;
  const place = PLACES.find(([, pattern]) => pattern.test(address))?.[0];
  return place === undefined ? undefined : { place, address };
}

/** The S3 pointer of the AWS extended clients, which is the whole of a message. The text must be valid JSON. */
export function s3PointerOf(json: string): Reference | undefined {
  const [name, pointer, ...more] = jsonItems(json, 3) ?? [];
  if (name === undefined || pointer === undefined || more.length > 0) return undefined;
  if (!POINTER_CLASSES.some((known) => name === JSON.stringify(known))) return undefined;
  const slices = jsonSlices(pointer);
  const bucket = textOf(slices?.get("s3BucketName"));
  const key = textOf(slices?.get("s3Key"));
  if (bucket === undefined || key === undefined) return undefined;
  return { place: "Amazon S3", address: `s3://${bucket}/${key}` };
}

/**
 * References in the values of `data-ref`, MassTransit's key of message data; at most MOST_REFERENCES. `read` returns
 * undefined for a value that is no reference.
 */
export function dataReferencesIn(json: string, read: (address: string) => Reference | undefined): Reference[] {
  const references = new Map<string, Reference>();
  for (const [, literal] of json.matchAll(DATA_REFERENCE)) {
    const address = textOf(literal);
    const reference = address === undefined || references.has(address) ? undefined : read(address);
    if (reference) references.set(reference.address, reference);
    if (references.size === MOST_REFERENCES) break;
  }
  return [...references.values()];
}

/** The reference of a `data-ref` inside a MassTransit message, for an address of any form. */
export const messageDataAt = (address: string): Reference => ({ place: MESSAGE_DATA, address });

function textOf(literal: string | undefined): string | undefined {
  const value = literal === undefined ? undefined : parseJson(literal)?.value;
  return typeof value === "string" ? value : undefined;
}
