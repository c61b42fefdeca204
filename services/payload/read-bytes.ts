import type { PayloadNode } from "#contracts/message/payloads.ts";
import { attempt } from "./attempt.ts";
import { MOST_BINARY_BYTES } from "./bounds.ts";
import { utf8Of } from "./byte-reader.ts";
import type { Compression } from "./encodings/decompress.ts";
import { readCompressed } from "./encodings/read-compressed.ts";
import { readWolverine } from "./envelopes/wolverine.ts";
import { readAvroFile } from "./formats/avro-file.ts";
import { readCbor } from "./formats/cbor.ts";
import { behindMessageIndexes, readConfluent } from "./formats/confluent.ts";
import { isEvidence } from "./formats/evidence.ts";
import { readJava } from "./formats/java.ts";
import { readMessagePack } from "./formats/messagepack.ts";
import { readPickle } from "./formats/pickle.ts";
import { readProtobuf } from "./formats/protobuf.ts";
import { isPrintable } from "./formats/text.ts";
import { parseJson } from "./json-slices.ts";
import { type Layer, Unreadable } from "./layer.ts";
import { readPhpBytes } from "./read-text.ts";

const SHORTEST_EVIDENCE = 8;
const NO_SCHEMA = "The bytes parse as protobuf fields. Their names and exact types are in a schema, which is not here.";
const NOT_LOADED = "The pickle was read opcode by opcode and never loaded: only its names and texts are listed.";
const SCANNED = "Only the names and texts that the stream announces are listed; no class was loaded.";

/** Recognises bytes; undefined if no format fits. Throws: TooDeep. */
export async function readBytes(bytes: Uint8Array, declared: Compression | null): Promise<Layer | undefined> {
  const compressed = await readCompressed(bytes, declared);
  if (compressed) return compressed;
  const isShort = bytes.length <= MOST_BINARY_BYTES;
  const marked = isShort ? readMarked(bytes) : undefined;
  if (marked) return marked;
  const text = utf8Of(bytes);
  if (text !== undefined && isPrintable(text)) return { name: [], inner: { kind: "text", text } };
  return isShort ? readUnmarked(bytes) : undefined;
}

/** Formats that begin with a signature. */
function readMarked(bytes: Uint8Array): Layer | undefined {
  return (
    attempt(() => {
      const { root, notices } = readAvroFile(bytes);
      return { name: "Avro object container", notices, body: { kind: "fields", root } };
    }) ??
    attempt(() => ({ name: "Java serialisation", remarks: [SCANNED], body: fields(readJava(bytes)) })) ??
    attempt(() => {
      const { protocol, root } = readPickle(bytes);
      return { name: `Python pickle, protocol ${protocol}`, remarks: [NOT_LOADED], body: fields(root) };
    }) ??
    readPhpBytes(bytes)
  );
}

/** Formats that are only known by parsing to the last byte. Two that both fit are neither. */
function readUnmarked(bytes: Uint8Array): Layer | undefined {
  const enveloped = attempt(() => readWolverine(bytes)) ?? readFramed(bytes);
  if (enveloped || bytes.length < SHORTEST_EVIDENCE) return enveloped;
  const found = [
    attempt(() => selfDescribing("MessagePack", readMessagePack(bytes))),
    attempt(() => selfDescribing("CBOR", readCbor(bytes))),
    attempt(() => protobuf(["protobuf, no schema"], bytes)),
  ].filter((layer) => layer !== undefined);
  const names = found.map(({ name }) => String(name).replace(/,.*$/, ""));
  if (names.length < 2) return found[0];
  const remark = `The bytes parse as ${names.join(" and as ")}, so neither is claimed.`;
  return { name: [], remarks: [remark], body: { kind: "unknown" } };
}

/**
 * Accepts Confluent's wire format only if the rest confirms it, because many bytes begin with a zero byte and a number.
 */
function readFramed(bytes: Uint8Array): Layer | undefined {
  const frame = attempt(() => readConfluent(bytes));
  if (!frame) return undefined;
  const { schemaId, rest } = frame;
  const name = "Confluent wire format";
  const facts = [{ name: "schema id", value: String(schemaId) }];
  const text = utf8Of(rest);
  if (text !== undefined && /^\s*[[{]/.test(text) && parseJson(text))
    return { name, facts, inner: { kind: "json", text } };
  const message = attempt(() => protobuf([name, "protobuf, no schema"], behindMessageIndexes(rest)));
  if (message) return { ...message, facts };
  if (rest.length < SHORTEST_EVIDENCE) return undefined;
  const remark = `The first bytes fit Confluent's wire format with schema id ${schemaId}. Only the schema registry can tell whether that is so, and what the rest is.`;
  return { name: [], remarks: [remark], body: { kind: "unknown" } };
}

function protobuf(name: string[], bytes: Uint8Array): Layer {
  return { name, remarks: [NO_SCHEMA], body: fields(readProtobuf(bytes)) };
}

function selfDescribing(name: string, root: PayloadNode): Layer {
  if (!isEvidence(root)) throw new Unreadable("too little evidence");
  return { name, body: fields(root) };
}

const fields = (root: PayloadNode) => ({ kind: "fields", root }) as const;
