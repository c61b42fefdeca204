import { inflateRawSync, zstdDecompressSync } from "node:zlib";
import type { PayloadNode } from "#contracts/message/payloads.ts";
import { formatBytes, formatCount } from "#domain/format.ts";
import { MOST_BINARY_BYTES, MOST_COMPRESSED_BLOCKS } from "../bounds.ts";
import { ByteReader, utf8Of } from "../byte-reader.ts";
import { parseJson } from "../json-slices.ts";
import { Unreadable } from "../layer.ts";
import { NodeCollector, NULL, scalar } from "../nodes.ts";
import { AvroValues, blockCount, longOf } from "./avro-values.ts";

const MAGIC = 0x4f626a01;

/** An Avro object container: its schema's name, its codec and its records. Throws Unreadable. */
export function readAvroFile(bytes: Uint8Array): { root: PayloadNode; notices: string[] } {
  const input = new ByteReader(bytes);
  if (input.uint32() !== MAGIC) throw new Unreadable("no Avro file");
  const header = readHeader(input);
  const schema = parseJson(utf8Of(header.get("avro.schema") ?? new Uint8Array()) ?? "");
  if (!schema) throw new Unreadable("no schema");
  const codec = utf8Of(header.get("avro.codec") ?? new Uint8Array()) || "null";
  const sync = input.take(16);
  const nodes = new NodeCollector();
  const records = nodes.list(null, 0, () => NULL);
  const notices: string[] = [];
  try {
    const values = new AvroValues(schema.value, nodes);
    const plain = openCodec(codec);
    while (!input.ended) readBlock({ input, plain, sync, values, add: (read) => nodes.addItem(records, read) });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    notices.push(`The Avro file could be read only in part: ${error.message}`);
  }
  const entries = [
    { key: "schema", value: scalar(nameOf(schema.value)) },
    { key: "codec", value: scalar(codec) },
    { key: "records", value: records },
  ];
  return { root: { kind: "object", type: null, entries, more: 0 }, notices };
}

function readHeader(input: ByteReader): Map<string, Uint8Array> {
  const header = new Map<string, Uint8Array>();
  for (let count = blockCount(input); count > 0; count = blockCount(input)) {
    for (let entry = 0; entry < count; entry += 1) {
      const key = input.text(Number(longOf(input)));
      header.set(key, input.take(Number(longOf(input))));
    }
  }
  return header;
}

interface Block {
  input: ByteReader;
  plain: (bytes: Uint8Array) => Uint8Array;
  sync: Uint8Array;
  values: AvroValues;
  add: (read: () => PayloadNode) => void;
}

function readBlock({ input, plain, sync, values, add }: Block): void {
  const count = Number(longOf(input));
  const block = new ByteReader(plain(input.take(Number(longOf(input)))));
  if (Buffer.compare(input.take(16), sync) !== 0) throw new Unreadable("a block does not end with the file's mark.");
  if (count > MOST_BINARY_BYTES) throw new Unreadable(`a block claims ${count} records.`);
  for (let record = 0; record < count; record += 1) add(() => values.read(block));
  if (!block.ended) throw new Unreadable("a block is longer than its records.");
}

/** Decompresses at most MOST_COMPRESSED_BLOCKS blocks, all of them together to at most MOST_BINARY_BYTES. */
function openCodec(codec: string): Block["plain"] {
  if (codec === "null") return (bytes) => bytes;
  const decompress = codec === "deflate" ? inflateRawSync : codec === "zstandard" ? zstdDecompressSync : undefined;
  if (!decompress) throw new Unreadable(`its blocks are compressed with ${codec}, which the console does not read.`);
  let left = MOST_BINARY_BYTES;
  let blocks = 0;
  return (bytes) => {
    blocks += 1;
    if (blocks > MOST_COMPRESSED_BLOCKS)
      throw new Unreadable(`it has more than ${formatCount(MOST_COMPRESSED_BLOCKS)} compressed blocks.`);
    try {
      const block = decompress(bytes, { maxOutputLength: Math.max(1, left) });
      left -= block.length;
      return block;
    } catch {
      throw new Unreadable(`its blocks do not decompress to at most ${formatBytes(MOST_BINARY_BYTES)}.`);
    }
  };
}

function nameOf(schema: unknown): string {
  if (typeof schema === "string") return schema;
  if (typeof schema !== "object" || schema === null) return "unnamed";
  const { name, namespace, type } = schema as Record<string, unknown>;
  const named = typeof name === "string" ? name : typeof type === "string" ? type : "unnamed";
  return typeof namespace === "string" ? `${namespace}.${named}` : named;
}
