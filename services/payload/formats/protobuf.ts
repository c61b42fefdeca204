import type { PayloadNode } from "#contracts/message/payloads.ts";
import { ByteReader, utf8Of } from "../byte-reader.ts";
import { Unreadable } from "../layer.ts";
import { bytesNode, deeper, NodeCollector, scalar, stringNode } from "../nodes.ts";
import { isPrintable } from "./text.ts";

const HIGHEST_FIELD = 2_000n;
const SHORTEST_TEXT = 4;

/**
 * Fields of a protobuf message without its schema: number, wire type, value. Many bytes that are no protobuf parse as
 * such fields; this is only said of bytes that are two fields or more, a quarter of them readable text. Throws
 * Unreadable.
 */
export function readProtobuf(bytes: Uint8Array): PayloadNode {
  const reader = new ProtobufReader();
  const root = reader.message(bytes, 0);
  if (reader.fields < 2 || reader.textBytes < SHORTEST_TEXT || reader.textBytes * 4 < bytes.length)
    throw new Unreadable("too little evidence");
  return root;
}

class ProtobufReader {
  readonly #nodes = new NodeCollector();
  fields = 0;
  /** Bytes of texts that are long enough to be no coincidence. */
  textBytes = 0;

  message(bytes: Uint8Array, depth: number): PayloadNode {
    const input = new ByteReader(bytes);
    const node = this.#nodes.object(null, 0, () => ({ key: "", value: scalar("") }));
    while (!input.ended) this.#nodes.addEntry(node, () => this.#field(input, depth));
    return node;
  }

  #field(input: ByteReader, depth: number): { key: string; value: PayloadNode } {
    const tag = input.varint();
    const number = tag >> 3n;
    if (number < 1n || number > HIGHEST_FIELD) throw new Unreadable("not a field");
    this.fields += 1;
    return { key: String(number), value: this.#value(Number(tag & 7n), input, depth) };
  }

  #value(wireType: number, input: ByteReader, depth: number): PayloadNode {
    if (wireType === 0) return scalar(String(input.varint()), "varint");
    if (wireType === 1) return scalar(String(input.uint64(true)), "fixed64");
    if (wireType === 5) return scalar(String(input.uint32(true)), "fixed32");
    if (wireType === 2) return this.#delimited(input.take(Number(input.varint())), depth);
    throw new Unreadable("not a field");
  }

  #delimited(bytes: Uint8Array, depth: number): PayloadNode {
    const text = utf8Of(bytes);
    if (text !== undefined && isPrintable(text)) {
      if (text.length >= SHORTEST_TEXT) this.textBytes += bytes.length;
      return stringNode(text);
    }
    const [fields, textBytes] = [this.fields, this.textBytes];
    try {
      return this.message(bytes, deeper(depth));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      [this.fields, this.textBytes] = [fields, textBytes];
      return bytesNode(bytes);
    }
  }
}
