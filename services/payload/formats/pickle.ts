import type { PayloadNode } from "#contracts/message/payloads.ts";
import { ByteReader, utf8Of } from "../byte-reader.ts";
import { CharacterBudget } from "../character-budget.ts";
import { Unreadable } from "../layer.ts";
import { NodeCollector, scalar } from "../nodes.ts";

const STOP = 0x2e;
const STACK_GLOBAL = 0x93;
const MEMOIZE = 0x94;
const FRAME = 0x95;
const NO_ARGUMENT = new Set([..."(.012NQRabdelost)u}]", ..."\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x92\x93\x94\x97\x98"]);
const FIXED_ARGUMENT: ReadonlyMap<string, number> = new Map([
  ["K", 1],
  ["\x80", 1],
  ["\x82", 1],
  ["M", 2],
  ["\x83", 2],
  ["J", 4],
  ["\x84", 4],
  ["G", 8],
  ["\x95", 8],
]);
const LINE_ARGUMENT = new Set("FILPSV");
/** Opcodes with a length before their bytes: how many bytes the length takes. */
const COUNTED_ARGUMENT: ReadonlyMap<string, number> = new Map([
  ["U", 1],
  ["C", 1],
  ["\x8a", 1],
  ["\x8c", 1],
  ["T", 4],
  ["X", 4],
  ["B", 4],
  ["\x8b", 4],
  ["\x8d", 8],
  ["\x8e", 8],
  ["\x96", 8],
]);
const TEXTS = new Set("UTX\x8c\x8d");

/**
 * A Python pickle of protocol 2 or later, read opcode by opcode and never loaded: the names that loading it would
 * import, and its texts, both in their order. Throws Unreadable.
 */
export function readPickle(bytes: Uint8Array): { protocol: number; root: PayloadNode } {
  const [first, protocol = 0] = bytes;
  if (first !== 0x80 || protocol < 2 || protocol > 5 || bytes.at(-1) !== STOP) throw new Unreadable("no pickle");
  const reader = new PickleReader(bytes);
  const { names, texts } = reader.read();
  const nodes = new NodeCollector();
  const entries = [
    { key: "protocol", value: scalar(String(protocol)) },
    { key: "names", value: nodes.texts(names) },
    { key: "texts", value: nodes.texts(texts) },
  ];
  return { protocol, root: { kind: "object", type: null, entries, more: 0 } };
}

class PickleReader {
  readonly #in: ByteReader;
  readonly #names: string[] = [];
  readonly #texts: string[] = [];
  readonly #characters = new CharacterBudget();
  readonly #memo = new Map<number, string | null>();
  /** What the last two opcodes that push something pushed; null for anything but a text. */
  #before: string | null = null;
  #top: string | null = null;

  constructor(bytes: Uint8Array) {
    this.#in = new ByteReader(bytes);
  }

  read(): { names: string[]; texts: string[] } {
    for (;;) {
      const code = this.#in.uint8();
      if (code === STOP) break;
      this.#step(code, String.fromCharCode(code));
    }
    if (!this.#in.ended) throw new Unreadable("more follows");
    const spent = new Set(this.#names.flatMap((name) => [name, ...name.split(/\.(?=[^.]*$)/)]));
    return { names: this.#names, texts: this.#texts.filter((text) => !spent.has(text)) };
  }

  #step(code: number, opcode: string): void {
    if (opcode === "c" || opcode === "i") this.#name(this.#line(), this.#line());
    else if (code === STACK_GLOBAL) this.#name(this.#before, this.#top);
    else if (code === MEMOIZE) this.#memo.set(this.#memo.size, this.#top);
    else if ("qrp".includes(opcode)) this.#memo.set(this.#index(opcode), this.#top);
    else if ("hjg".includes(opcode)) this.#push(this.#memo.get(this.#index(opcode)) ?? null);
    else {
      const text = this.#argument(opcode);
      if (text !== null) this.#keep(this.#texts, text);
      // A frame pushes nothing.
      if (code !== FRAME) this.#push(text);
    }
  }

  /** Place in the memo: of one byte, of four, or a line of text. */
  #index(opcode: string): number {
    if (opcode === "q" || opcode === "h") return this.#in.uint8();
    return opcode === "r" || opcode === "j" ? this.#in.uint32(true) : Number(this.#line());
  }

  /** Passes over the opcode's argument; its text, if it is one. */
  #argument(opcode: string): string | null {
    if (NO_ARGUMENT.has(opcode)) return null;
    const fixed = FIXED_ARGUMENT.get(opcode);
    if (fixed !== undefined) {
      this.#in.take(fixed);
      return null;
    }
    if (LINE_ARGUMENT.has(opcode)) {
      const line = this.#line();
      return opcode === "S" || opcode === "V" ? line : null;
    }
    const width = COUNTED_ARGUMENT.get(opcode);
    if (width === undefined) throw new Unreadable("no opcode");
    const bytes = this.#in.take(this.#length(width));
    return TEXTS.has(opcode) ? (utf8Of(bytes) ?? null) : null;
  }

  #length(width: number): number {
    if (width === 1) return this.#in.uint8();
    return width === 4 ? this.#in.uint32(true) : Number(this.#in.uint64(true));
  }

  #name(module: string | null, name: string | null): void {
    this.#keep(this.#names, `${module ?? "(unknown)"}.${name ?? "(unknown)"}`);
    this.#push(null);
  }

  /** The memo lends a text to any number of names. */
  #keep(kept: string[], text: string): void {
    this.#characters.spend(text.length);
    kept.push(text);
  }

  #push(value: string | null): void {
    this.#before = this.#top;
    this.#top = value;
  }

  #line(): string {
    const end = this.#in.bytes.indexOf(0x0a, this.#in.at);
    if (end < 0) throw new Unreadable("a line does not end");
    const text = this.#in.text(end - this.#in.at);
    this.#in.uint8();
    return text;
  }
}
