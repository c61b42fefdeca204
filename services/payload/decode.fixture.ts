import { expect } from "vitest";
import { type DecodedPayload, decodedPayloadSchema, type PayloadNode } from "#contracts/message/payloads.ts";
import { MOST_BYTES, MOST_DEPTH, MOST_FACT_CHARACTERS, MOST_FACTS, MOST_NODES } from "./bounds.ts";
import { decodePayload, type StoredPayload } from "./decode-payload.ts";

/** Decodes a whole value of a column; bytes unless said otherwise. */
export function decode(value: string | Uint8Array, of: Partial<StoredPayload> = {}): Promise<DecodedPayload> {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  const kind = of.kind ?? (typeof value === "string" ? "text" : "binary");
  return decodePayload({ columnType: "column", bytes, totalBytes: bytes.length, kind, declared: null, ...of });
}

/** The layers without the column. */
export const chainOf = async (value: string | Uint8Array, of: Partial<StoredPayload> = {}) =>
  (await decode(value, of)).chain.slice(1).join(" · ");

export const factsOf = ({ envelopes }: DecodedPayload) =>
  Object.fromEntries(envelopes.flatMap(({ facts }) => facts.map(({ name, value }) => [name, value])));

/** Nodes as plain values, to compare them; a class's name is under its own key. */
export function plain(node: PayloadNode): unknown {
  if (node.kind === "list") return node.items.map(plain);
  if (node.kind === "bytes") return `hex ${node.hex}`;
  if (node.kind === "string") return node.text;
  if (node.kind === "scalar") return { value: node.text };
  const type = node.type === null ? [] : [["class", node.type]];
  return Object.fromEntries([...type, ...node.entries.map(({ key, value }) => [key, plain(value)])]);
}

export function fieldsOf({ body }: DecodedPayload): unknown {
  if (body.kind !== "fields") throw new Error(`no fields: ${body.kind}`);
  return plain(body.root);
}

/** Decodes, and checks every bound that a page relies on. */
export async function decodeWithinBounds(value: string | Uint8Array): Promise<DecodedPayload> {
  const decoded = await decode(value);
  expect(decodedPayloadSchema.safeParse(decoded).success).toBe(true);
  expect(decoded.chain.length).toBeLessThanOrEqual(20);
  for (const { facts } of decoded.envelopes) {
    expect(facts.length).toBeLessThanOrEqual(MOST_FACTS);
    for (const text of facts.flatMap((fact) => [fact.name, fact.value]))
      expect(text.length).toBeLessThanOrEqual(MOST_FACT_CHARACTERS + 1);
  }
  if ("text" in decoded.body) expect(Buffer.byteLength(decoded.body.text)).toBeLessThanOrEqual(MOST_BYTES);
  if (decoded.body.kind === "fields") {
    const { nodes, depth, text } = sizeOf(decoded.body.root);
    expect(nodes).toBeLessThanOrEqual(MOST_NODES + 10);
    expect(depth).toBeLessThanOrEqual(MOST_DEPTH + 4);
    expect(text).toBeLessThanOrEqual(MOST_BYTES);
  }
  return decoded;
}

/** `text`: bytes of all texts, those that several nodes share counted for each. */
function sizeOf(node: PayloadNode): { nodes: number; depth: number; text: number } {
  const entries =
    node.kind === "list" ? node.items.map((value) => ({ key: "", value })) : node.kind === "object" ? node.entries : [];
  const own = node.kind === "bytes" ? node.hex : "text" in node ? node.text : "";
  let [nodes, depth, text] = [1, 0, own.length * 3 + ("type" in node ? (node.type?.length ?? 0) * 3 : 0)];
  for (const { key, value } of entries) {
    const size = sizeOf(value);
    nodes += size.nodes;
    depth = Math.max(depth, size.depth);
    text += size.text + key.length * 3;
  }
  return { nodes, depth: depth + 1, text };
}
