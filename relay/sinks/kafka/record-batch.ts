import { type CompressionAlgorithmValue, compressionsAlgorithms, crc32c } from "@platformatic/kafka";
import type { Routed } from "../../routing/router.ts";

/** A record encoded for a batch. */
export interface KafkaRecord {
  key: Buffer | null;
  value: string | Buffer | null;
  valueBytes: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** Bytes after the record's length field, without its offset delta. */
  fixedBytes: number;
}

export interface ProducerIdentity {
  readonly producerId: bigint;
  readonly epoch: number;
}

export type Compression = CompressionAlgorithmValue;

const HEAD_BYTES = 61;
/** Start of the checksummed part: the attributes. */
const CHECKED_FROM = 21;

export function toRecord({ key, headers: own, body, contentType }: Routed): KafkaRecord {
  const headers = withEventType(own, contentType);
  const keyBytes = key === null ? null : Buffer.from(key, "utf8");
  const valueBytes = body === null ? -1 : Buffer.byteLength(body);
  let fixedBytes = 2 + bytesOf(keyBytes?.length ?? -1) + bytesOf(valueBytes) + varintBytes(headers.length);
  for (const [name, value] of headers)
    fixedBytes += bytesOf(Buffer.byteLength(name)) + bytesOf(Buffer.byteLength(value));
  return { key: keyBytes, value: body, valueBytes, headers, fixedBytes };
}

/** In the Kafka binding of CloudEvents this header marks an event and names the type of its data. */
function withEventType(headers: KafkaRecord["headers"], contentType: string): KafkaRecord["headers"] {
  const isEvent =
    contentType.startsWith("application/cloudevents") || headers.some(([name]) => name === "ce_specversion");
  if (!isEvent || headers.some(([name]) => name.toLowerCase() === "content-type")) return headers;
  return [...headers, ["content-type", contentType]];
}

/** Size in bytes of a batch with this record alone, which the broker compares with its limit before compression. */
export function loneBatchBytes(record: KafkaRecord): number {
  return HEAD_BYTES + recordBytes(record, 0);
}

/** Most bytes that the record adds to a batch. */
export function recordBytes({ fixedBytes }: KafkaRecord, place: number): number {
  const length = fixedBytes + varintBytes(place);
  return varintBytes(length) + length;
}

/**
 * A record batch of Kafka's message format 2 (https://kafka.apache.org/documentation/#recordbatch). Timestamped now,
 * not with the event's time, by which retention could delete a backlog as soon as it arrives.
 */
export async function encodeBatch(input: {
  records: readonly KafkaRecord[];
  identity: ProducerIdentity;
  sequence: number;
  compression: Compression;
}): Promise<Buffer> {
  const { records, identity, compression } = input;
  let size = HEAD_BYTES;
  for (let place = 0; place < records.length; place += 1) size += recordBytes(records[place]!, place);
  let batch = Buffer.allocUnsafe(size);
  let at = HEAD_BYTES;
  for (let place = 0; place < records.length; place += 1) at = writeRecord(batch, at, records[place]!, place);
  const algorithm = compressionsAlgorithms[compression];
  if (algorithm.bitmask !== 0) {
    const plain = batch.subarray(HEAD_BYTES);
    const packed = "compress" in algorithm ? await algorithm.compress(plain) : algorithm.compressSync(plain);
    batch = Buffer.concat([Buffer.allocUnsafe(HEAD_BYTES), packed]);
  }
  writeHead(batch, { attributes: algorithm.bitmask, count: records.length, identity, sequence: input.sequence });
  return batch;
}

function writeHead(
  batch: Buffer,
  head: { attributes: number; count: number; identity: ProducerIdentity; sequence: number },
): void {
  const now = BigInt(Date.now());
  batch.writeBigInt64BE(0n, 0);
  batch.writeInt32BE(batch.length - 12, 8);
  batch.writeInt32BE(-1, 12);
  batch.writeInt8(2, 16);
  batch.writeInt16BE(head.attributes, 21);
  batch.writeInt32BE(head.count - 1, 23);
  batch.writeBigInt64BE(now, 27);
  batch.writeBigInt64BE(now, 35);
  batch.writeBigInt64BE(head.identity.producerId, 43);
  batch.writeInt16BE(head.identity.epoch, 51);
  batch.writeInt32BE(head.sequence, 53);
  batch.writeInt32BE(head.count, 57);
  batch.writeUInt32BE(crc32c(batch.subarray(CHECKED_FROM)), 17);
}

function writeRecord(batch: Buffer, start: number, record: KafkaRecord, place: number): number {
  const { key, value, valueBytes, headers } = record;
  let at = writeVarint(batch, start, record.fixedBytes + varintBytes(place));
  batch[at] = 0;
  batch[at + 1] = 0;
  at = writeVarint(batch, at + 2, place);
  at = writeVarint(batch, at, key?.length ?? -1);
  if (key !== null) at += key.copy(batch, at);
  at = writeVarint(batch, at, valueBytes);
  if (typeof value === "string") at += batch.write(value, at, "utf8");
  else if (value !== null) at += value.copy(batch, at);
  at = writeVarint(batch, at, headers.length);
  for (const [name, text] of headers) at = writeText(batch, writeText(batch, at, name), text);
  return at;
}

function writeText(batch: Buffer, start: number, text: string): number {
  const at = writeVarint(batch, start, Buffer.byteLength(text));
  return at + batch.write(text, at, "utf8");
}

function bytesOf(length: number): number {
  return varintBytes(length) + Math.max(0, length);
}

function varintBytes(value: number): number {
  const zigzag = ((value << 1) ^ (value >> 31)) >>> 0;
  if (zigzag < 0x80) return 1;
  if (zigzag < 0x4000) return 2;
  if (zigzag < 0x20_0000) return 3;
  return zigzag < 0x1000_0000 ? 4 : 5;
}

function writeVarint(batch: Buffer, start: number, value: number): number {
  let zigzag = ((value << 1) ^ (value >> 31)) >>> 0;
  let at = start;
  while (zigzag > 0x7f) {
    batch[at] = (zigzag & 0x7f) | 0x80;
    zigzag >>>= 7;
    at += 1;
  }
  batch[at] = zigzag;
  return at + 1;
}
