import type { PayloadNode } from "#contracts/message/payloads.ts";
import { ByteReader, utf8Of } from "../byte-reader.ts";
import { Unreadable } from "../layer.ts";
import { bytesNode, deeper, FALSE, NodeCollector, NULL, scalar, stringNode, TRUE } from "../nodes.ts";

const QUOTE = 0x22;
const LONGEST_NUMBER = 40;

/**
 * Values of PHP's `serialize()`, read as data: nothing is instantiated. Throws Unreadable for anything else, and for a
 * plain number, boolean or null, whose texts are too short to be sure.
 */
export function readPhp(bytes: Uint8Array): PayloadNode {
  if (!/^[aOCEs]:\d/.test(String.fromCharCode(...bytes.subarray(0, 3)))) throw new Unreadable("not PHP");
  const reader = new PhpReader(bytes);
  const value = reader.value(0);
  if (!reader.ended) throw new Unreadable("more follows");
  return value;
}

/** Undoes PHP's `addslashes()`, which Symfony applies to serialized values. */
export function stripSlashes(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === 0x5c && at + 1 < bytes.length) {
      at += 1;
      byte = bytes[at] === 0x30 ? 0 : (bytes[at] ?? 0);
    }
    plain[length] = byte;
    length += 1;
  }
  return plain.subarray(0, length);
}

class PhpReader {
  readonly #in: ByteReader;
  readonly #nodes = new NodeCollector();

  constructor(bytes: Uint8Array) {
    this.#in = new ByteReader(bytes);
  }

  get ended(): boolean {
    return this.#in.ended;
  }

  value(depth: number): PayloadNode {
    const kind = String.fromCharCode(this.#in.uint8());
    if (kind === "N") return this.#expect(";", NULL);
    this.#expect(":", null);
    switch (kind) {
      case "b":
        return this.#until(";") === "1" ? TRUE : FALSE;
      case "i":
      case "d":
        return scalar(this.#number());
      case "r":
      case "R":
        return scalar(`value ${this.#number()} of this payload`, "reference");
      case "s":
        return this.#expect(";", stringOrBytes(this.#quoted()));
      case "E":
        return this.#expect(";", scalar(asText(this.#quoted()), "enum"));
      case "a":
        return this.#entries(null, deeper(depth));
      case "O":
        return this.#object(deeper(depth));
      case "C":
        return this.#custom();
      default:
        throw new Unreadable("not PHP");
    }
  }

  #object(depth: number): PayloadNode {
    const type = asText(this.#quoted());
    this.#expect(":", null);
    return this.#entries(type, depth);
  }

  /** Arrays with the keys 0, 1, 2… are lists. */
  #entries(type: string | null, depth: number): PayloadNode {
    const count = this.#count();
    this.#expect("{", null);
    let isList = type === null;
    const node = this.#nodes.object(type, count, (index) => {
      const key = this.#key();
      if (key !== String(index)) isList = false;
      return { key, value: this.value(depth) };
    });
    this.#expect("}", null);
    if (!isList || count === 0) return node;
    return { kind: "list", type: null, items: node.entries.map(({ value }) => value), more: node.more };
  }

  /** Keys of private and protected properties begin with their class or an asterisk between zero bytes. */
  #key(): string {
    const kind = String.fromCharCode(this.#in.uint8());
    this.#expect(":", null);
    if (kind === "i") return this.#number();
    if (kind !== "s") throw new Unreadable("not a key");
    const text = asText(this.#quoted());
    this.#expect(";", null);
    return text.startsWith("\0") ? text.slice(text.indexOf("\0", 1) + 1) : text;
  }

  #custom(): PayloadNode {
    const type = asText(this.#quoted());
    this.#expect(":", null);
    const length = this.#count();
    this.#expect("{", null);
    const value = stringOrBytes(this.#in.take(length));
    this.#expect("}", null);
    return this.#nodes.object(type, 1, () => ({ key: "serialized by the class itself", value }));
  }

  #quoted(): Uint8Array {
    const length = this.#count();
    if (this.#in.uint8() !== QUOTE) throw new Unreadable("not a string");
    const bytes = this.#in.take(length);
    if (this.#in.uint8() !== QUOTE) throw new Unreadable("not a string");
    return bytes;
  }

  #count(): number {
    const text = this.#until(":");
    if (!/^\d{1,9}$/.test(text)) throw new Unreadable("not a length");
    return Number(text);
  }

  #number(): string {
    const text = this.#until(";");
    if (!/^(-?\d+(\.\d+)?(E[+-]?\d+)?|-?INF|NAN)$/i.test(text)) throw new Unreadable("not a number");
    return text;
  }

  #until(mark: string): string {
    let text = "";
    for (let count = 0; count < LONGEST_NUMBER; count += 1) {
      const character = String.fromCharCode(this.#in.uint8());
      if (character === mark) return text;
      text += character;
    }
    throw new Unreadable("not a number");
  }

  #expect<Value>(mark: string, value: Value): Value {
    if (this.#in.uint8() !== mark.charCodeAt(0)) throw new Unreadable(`no ${mark}`);
    return value;
  }
}

function asText(bytes: Uint8Array): string {
  const text = utf8Of(bytes);
  if (text === undefined) throw new Unreadable("a name is not UTF-8");
  return text;
}

function stringOrBytes(bytes: Uint8Array): PayloadNode {
  const text = utf8Of(bytes);
  return text === undefined ? bytesNode(bytes) : stringNode(text);
}
