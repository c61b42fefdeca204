import type { PayloadNode } from "#contracts/message/payloads.ts";
import { MOST_DEPTH, MOST_HEX_BYTES, MOST_NODES } from "./bounds.ts";
import { CharacterBudget } from "./character-budget.ts";
import { TooDeep } from "./layer.ts";

type ObjectNode = Extract<PayloadNode, { kind: "object" }>;
type ListNode = Extract<PayloadNode, { kind: "list" }>;

export const scalar = (text: string, type: string | null = null): PayloadNode => ({ kind: "scalar", type, text });
export const NULL = scalar("null");
export const TRUE = scalar("true");
export const FALSE = scalar("false");

export const stringNode = (text: string): PayloadNode => ({ kind: "string", text });

export const bytesNode = (bytes: Uint8Array): PayloadNode => ({
  kind: "bytes",
  hex: hexOf(bytes.subarray(0, MOST_HEX_BYTES)),
  size: bytes.length,
});

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/**
 * Collects the values of one payload; past MOST_NODES they are counted instead of kept. Every method throws Unreadable
 * where the kept ones have more than MOST_CHARACTERS.
 */
export class NodeCollector {
  #left = MOST_NODES;
  readonly #characters = new CharacterBudget();

  /** Fills an object by `read`, called `count` times; `type` is a class's name, if there is one. */
  object(type: string | null, count: number, read: (index: number) => { key: string; value: PayloadNode }): ObjectNode {
    const node: ObjectNode = { kind: "object", type, entries: [], more: 0 };
    for (let index = 0; index < count; index += 1) this.addEntry(node, () => read(index));
    return node;
  }

  list(type: string | null, count: number, read: () => PayloadNode): ListNode {
    const node: ListNode = { kind: "list", type, items: [], more: 0 };
    for (let index = 0; index < count; index += 1) this.addItem(node, read);
    return node;
  }

  /** A list of texts. */
  texts(values: readonly string[]): ListNode {
    const rest = values.values();
    return this.list(null, values.length, () => stringNode(rest.next().value ?? ""));
  }

  addEntry(node: ObjectNode, read: () => { key: string; value: PayloadNode }): void {
    const kept = this.#take();
    const entry = read();
    if (!kept) {
      node.more += 1;
      return;
    }
    this.#characters.spend(entry.key.length + charactersOf(entry.value));
    node.entries.push(entry);
  }

  addItem(node: ListNode, read: () => PayloadNode): void {
    const kept = this.#take();
    const item = read();
    if (!kept) {
      node.more += 1;
      return;
    }
    this.#characters.spend(charactersOf(item));
    node.items.push(item);
  }

  #take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/** Without the values inside it. */
function charactersOf(node: PayloadNode): number {
  if (node.kind === "string") return node.text.length;
  if (node.kind === "bytes") return node.hex.length;
  return (node.type?.length ?? 0) + (node.kind === "scalar" ? node.text.length : 0);
}

/** The next level. Throws: TooDeep. */
export function deeper(depth: number): number {
  if (depth >= MOST_DEPTH) throw new TooDeep(`The content nests deeper than ${MOST_DEPTH} levels.`);
  return depth + 1;
}
