import { isLosslessNumber, parse } from "lossless-json";
import type { PayloadNode } from "#contracts/message/payloads.ts";
import { formatBytes } from "#domain/format.ts";

/**
 * A value of a payload: parsed JSON, whose numbers keep their text, so 9007199254740993 and 1.10 stay what they are; or
 * a DecodedNode.
 */
export type PayloadValue = unknown;

/** A value that the server read in another format, so that it cannot be taken for a JSON object. */
export class DecodedNode {
  readonly node: PayloadNode;

  constructor(node: PayloadNode) {
    this.node = node;
  }
}

interface Container {
  kind: "object" | "array";
  size: number;
  /** Entries that were read but are not listed. */
  more?: number;
  /** Name of a class or the like. */
  type?: string | undefined;
}
interface Scalar {
  kind: "string" | "number" | "literal";
  text: string;
  type?: string | undefined;
}
export type Described = Container | Scalar;

/** undefined when the text is not JSON or has duplicate keys; then only the stored text is shown. */
export function readPayload(text: string): { value: PayloadValue } | undefined {
  try {
    return { value: parse(text) };
  } catch {
    // Not an error: a payload may be anything, and its raw text is always available.
    return undefined;
  }
}

export function describeValue(value: PayloadValue): Described {
  if (value instanceof DecodedNode) return describeNode(value.node);
  if (isLosslessNumber(value)) return { kind: "number", text: value.value };
  if (Array.isArray(value)) return { kind: "array", size: value.length };
  if (typeof value === "string") return { kind: "string", text: value };
  if (typeof value === "object" && value !== null) return { kind: "object", size: Object.keys(value).length };
  return { kind: "literal", text: String(value) };
}

function describeNode(node: PayloadNode): Described {
  switch (node.kind) {
    case "object":
      return { kind: "object", size: node.entries.length, more: node.more, type: node.type ?? undefined };
    case "list":
      return { kind: "array", size: node.items.length, more: node.more, type: node.type ?? undefined };
    case "string":
      return { kind: "string", text: node.text };
    case "scalar":
      return { kind: "number", text: node.text, type: node.type ?? undefined };
    case "bytes":
      return {
        kind: "literal",
        text: node.hex === "" ? "no bytes" : node.hex + (node.hex.length < node.size * 2 ? "…" : ""),
        type: `bytes, ${formatBytes(node.size)}`,
      };
  }
}

function childrenOfNode(node: PayloadNode, limit: number): { key: string | undefined; value: PayloadValue }[] {
  if (node.kind === "object")
    return node.entries.slice(0, limit).map(({ key, value }) => ({ key, value: new DecodedNode(value) }));
  if (node.kind !== "list") return [];
  return node.items.slice(0, limit).map((item) => ({ key: undefined, value: new DecodedNode(item) }));
}

/** Children in order, `limit` at most; array items have no key. */
export function childrenOf(value: PayloadValue, limit: number): { key: string | undefined; value: PayloadValue }[] {
  if (value instanceof DecodedNode) return childrenOfNode(value.node, limit);
  if (Array.isArray(value)) return value.slice(0, limit).map((item: unknown) => ({ key: undefined, value: item }));
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return [];
  return Object.entries(value)
    .slice(0, limit)
    .map(([key, item]) => ({ key, value: item as PayloadValue }));
}

/** Number of values, counted up to `stop`; decides whether everything starts expanded. */
export function countValues(value: PayloadValue, stop: number): number {
  let count = 0;
  const open: PayloadValue[] = [value];
  while (open.length > 0 && count < stop) {
    const next = open.pop();
    count += 1;
    for (const child of childrenOf(next, stop)) open.push(child.value);
  }
  return count;
}
