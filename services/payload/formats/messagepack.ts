import type { PayloadNode } from "#contracts/message/payloads.ts";
import { ByteReader } from "../byte-reader.ts";
import { Unreadable } from "../layer.ts";
import { bytesNode, deeper, FALSE, hexOf, NodeCollector, NULL, scalar, stringNode, TRUE } from "../nodes.ts";

type Read = (input: ByteReader) => PayloadNode;

/** Values of the first bytes 0xc0 to 0xdf that hold no further values. */
const SCALARS: ReadonlyMap<number, Read> = new Map<number, Read>([
  [192, () => NULL],
  [194, () => FALSE],
  [195, () => TRUE],
  [196, (input) => bytesNode(input.take(input.uint8()))],
  [197, (input) => bytesNode(input.take(input.uint16()))],
  [198, (input) => bytesNode(input.take(input.uint32()))],
  [199, (input) => extension(input, input.uint8())],
  [200, (input) => extension(input, input.uint16())],
  [201, (input) => extension(input, input.uint32())],
  [202, (input) => scalar(numberText(input.float32()))],
  [203, (input) => scalar(numberText(input.float64()))],
  [204, (input) => scalar(String(input.uint8()))],
  [205, (input) => scalar(String(input.uint16()))],
  [206, (input) => scalar(String(input.uint32()))],
  [207, (input) => scalar(String(input.uint64()))],
  [208, (input) => scalar(String(input.int8()))],
  [209, (input) => scalar(String(input.int16()))],
  [210, (input) => scalar(String(input.int32()))],
  [211, (input) => scalar(String(input.int64()))],
  [212, (input) => extension(input, 1)],
  [213, (input) => extension(input, 2)],
  [214, (input) => extension(input, 4)],
  [215, (input) => extension(input, 8)],
  [216, (input) => extension(input, 16)],
  [217, (input) => stringNode(input.text(input.uint8()))],
  [218, (input) => stringNode(input.text(input.uint16()))],
  [219, (input) => stringNode(input.text(input.uint32()))],
]);

/** MessagePack: the bytes must be exactly one value. Throws Unreadable. */
export function readMessagePack(bytes: Uint8Array): PayloadNode {
  const input = new ByteReader(bytes);
  const nodes = new NodeCollector();

  function value(depth: number): PayloadNode {
    const first = input.uint8();
    if (first < 0x80) return scalar(String(first));
    if (first < 0x90) return map(first & 0x0f, deeper(depth));
    if (first < 0xa0) return list(first & 0x0f, deeper(depth));
    if (first < 0xc0) return stringNode(input.text(first & 0x1f));
    if (first >= 0xe0) return scalar(String(first - 256));
    if (first === 0xdc) return list(input.uint16(), deeper(depth));
    if (first === 0xdd) return list(input.uint32(), deeper(depth));
    if (first === 0xde) return map(input.uint16(), deeper(depth));
    if (first === 0xdf) return map(input.uint32(), deeper(depth));
    const read = SCALARS.get(first);
    if (!read) throw new Unreadable("not MessagePack");
    return read(input);
  }
  const list = (count: number, depth: number) => nodes.list(null, count, () => value(depth));
  const map = (count: number, depth: number) =>
    nodes.object(null, count, () => ({ key: keyOf(value(depth)), value: value(depth) }));

  const root = value(0);
  if (!input.ended) throw new Unreadable("more follows");
  return root;
}

/** Text of a float: the shortest that stands for the same number. */
export const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

export function keyOf(key: PayloadNode): string {
  if (key.kind === "string" || key.kind === "scalar") return key.text;
  if (key.kind === "bytes") return `bytes ${key.hex}`;
  throw new Unreadable("a key is not a plain value");
}

function extension(input: ByteReader, length: number): PayloadNode {
  const type = input.int8();
  const data = input.take(length);
  if (type === -1 && (length === 4 || length === 8 || length === 12)) return timestamp(data);
  return scalar(hexOf(data.subarray(0, 64)), `extension ${type}, ${length} bytes`);
}

/** Seconds since 1970, and nanoseconds. */
function timestamp(data: Uint8Array): PayloadNode {
  const input = new ByteReader(data);
  if (data.length === 4) return scalar(`${input.uint32()} s`, "timestamp");
  if (data.length === 8) {
    const both = input.uint64();
    return scalar(`${both & 0x3ffffffffn} s ${both >> 34n} ns`, "timestamp");
  }
  const nanoseconds = input.uint32();
  return scalar(`${input.int64()} s ${nanoseconds} ns`, "timestamp");
}
