import type { PayloadNode } from "#contracts/message/payloads.ts";
import { ByteReader } from "../byte-reader.ts";
import { Unreadable } from "../layer.ts";
import { bytesNode, deeper, FALSE, NodeCollector, NULL, scalar, stringNode, TRUE } from "../nodes.ts";
import { keyOf, numberText } from "./messagepack.ts";

const BREAK = 0xff;
const INDEFINITE = 31;

/** CBOR (RFC 8949): the bytes must be exactly one value. Throws Unreadable. */
export function readCbor(bytes: Uint8Array): PayloadNode {
  const reader = new CborReader(bytes);
  const root = reader.value(0);
  if (!reader.ended) throw new Unreadable("more follows");
  return root;
}

class CborReader {
  readonly #in: ByteReader;
  readonly #nodes = new NodeCollector();

  constructor(bytes: Uint8Array) {
    this.#in = new ByteReader(bytes);
  }

  get ended(): boolean {
    return this.#in.ended;
  }

  value(depth: number): PayloadNode {
    const first = this.#in.uint8();
    const major = first >> 5;
    const info = first & 0x1f;
    if (major === 7) return this.#simple(info);
    if (info === INDEFINITE) return this.#indefinite(major, deeper(depth));
    const argument = this.#argument(info);
    switch (major) {
      case 0:
        return scalar(String(argument));
      case 1:
        return scalar(String(-1n - argument));
      case 2:
        return bytesNode(this.#in.take(Number(argument)));
      case 3:
        return stringNode(this.#in.text(Number(argument)));
      case 4:
        return this.#nodes.list(null, this.#count(argument), () => this.value(deeper(depth)));
      case 5:
        return this.#nodes.object(null, this.#count(argument), () => this.#entry(deeper(depth)));
      default:
        return this.#tagged(argument, deeper(depth));
    }
  }

  #entry(depth: number): { key: string; value: PayloadNode } {
    return { key: keyOf(this.value(depth)), value: this.value(depth) };
  }

  #tagged(tag: bigint, depth: number): PayloadNode {
    // Tag 55799 only says that this is CBOR.
    if (tag === 55_799n) return this.value(depth);
    return this.#nodes.object(`tag ${tag}`, 1, () => ({ key: "value", value: this.value(depth) }));
  }

  #indefinite(major: number, depth: number): PayloadNode {
    if (major === 4) {
      const node = this.#nodes.list(null, 0, () => NULL);
      while (!this.#broken()) this.#nodes.addItem(node, () => this.value(depth));
      return node;
    }
    if (major === 5) {
      const node = this.#nodes.object(null, 0, () => ({ key: "", value: NULL }));
      while (!this.#broken()) this.#nodes.addEntry(node, () => this.#entry(depth));
      return node;
    }
    if (major !== 2 && major !== 3) throw new Unreadable("not CBOR");
    const chunks: Uint8Array[] = [];
    while (!this.#broken()) {
      const first = this.#in.uint8();
      if (first >> 5 !== major) throw new Unreadable("not CBOR");
      const length = Number(this.#argument(first & 0x1f));
      if (length > 0) chunks.push(this.#in.take(length));
    }
    const whole = Buffer.concat(chunks);
    return major === 2 ? bytesNode(whole) : stringNode(new ByteReader(whole).text(whole.length));
  }

  #broken(): boolean {
    if (this.#in.peek() !== BREAK) return false;
    this.#in.uint8();
    return true;
  }

  #simple(info: number): PayloadNode {
    if (info === 20) return FALSE;
    if (info === 21) return TRUE;
    if (info === 22) return NULL;
    if (info === 23) return scalar("undefined");
    if (info === 25) return scalar(numberText(halfFloat(this.#in.uint16())));
    if (info === 26) return scalar(numberText(this.#in.float32()));
    if (info === 27) return scalar(numberText(this.#in.float64()));
    throw new Unreadable("not CBOR");
  }

  #argument(info: number): bigint {
    if (info < 24) return BigInt(info);
    if (info === 24) return BigInt(this.#in.uint8());
    if (info === 25) return BigInt(this.#in.uint16());
    if (info === 26) return BigInt(this.#in.uint32());
    if (info === 27) return this.#in.uint64();
    throw new Unreadable("not CBOR");
  }

  /** Every value takes at least a byte, so no count can exceed the number of bytes left. */
  #count(argument: bigint): number {
    if (argument > BigInt(this.#in.left)) throw new Unreadable("The bytes end too early.");
    return Number(argument);
  }
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
