import { ByteReader } from "../byte-reader.ts";
import { Unreadable } from "../layer.ts";

const HIGHEST_SCHEMA_ID = 100_000_000;
const MOST_INDEXES = 16;

export interface ConfluentFrame {
  schemaId: number;
  rest: Uint8Array;
}

/** Bytes that begin like Confluent's wire format: a zero byte and a schema id. Many other bytes begin so too. */
export function readConfluent(bytes: Uint8Array): ConfluentFrame {
  const input = new ByteReader(bytes);
  const magic = input.uint8();
  const schemaId = input.uint32();
  if (magic !== 0 || schemaId === 0 || schemaId > HIGHEST_SCHEMA_ID || input.ended) throw new Unreadable("not framed");
  return { schemaId, rest: input.take(input.left) };
}

/** A protobuf message in that format follows the place of its type in the schema: a list of indexes. */
export function behindMessageIndexes(bytes: Uint8Array): Uint8Array {
  const input = new ByteReader(bytes);
  const count = Number(input.varint() >> 1n);
  if (count > MOST_INDEXES) throw new Unreadable("not indexes");
  for (let index = 0; index < count; index += 1) input.varint();
  return input.take(input.left);
}
