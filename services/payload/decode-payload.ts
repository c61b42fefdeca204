import { setImmediate } from "node:timers/promises";
import type { DecodedPayload } from "#contracts/message/payloads.ts";
import { formatBytes, formatCount, formatPlural } from "#domain/format.ts";
import { MOST_BINARY_BYTES, MOST_FACT_CHARACTERS, MOST_FACTS, MOST_HEAD_BYTES, MOST_STEPS } from "./bounds.ts";
import { utf8Of } from "./byte-reader.ts";
import { bytesOfBase64 } from "./encodings/base64.ts";
import type { Compression } from "./encodings/decompress.ts";
import { readSymfony } from "./envelopes/symfony.ts";
import { type Content, type Fact, type Layer, type Reference, TooDeep } from "./layer.ts";
import { readBytes } from "./read-bytes.ts";
import { readJson } from "./read-json.ts";
import { readText } from "./read-text.ts";

/** Shorter texts may be words. */
const SHORTEST_BASE64 = 16;
/** Shorter texts come out of words that happen to be base64. */
const SHORTEST_TEXT_IN_BASE64 = 24;

const NO_ENVELOPE = { envelope: [], cut: [] };
const EMPTY = { chain: [], envelopes: [], references: [], notices: [], remarks: [] };

export type Veil = (text: string) => string;

export interface StoredPayload {
  /** The column's type as its database calls it. */
  columnType: string;
  /** The value's first bytes, at most MOST_BYTES; of a text column its UTF-8. */
  bytes: Uint8Array;
  totalBytes: number;
  /** `binary`: a column of bytes; `json`: the database itself guarantees JSON. */
  kind: "binary" | "text" | "json";
  /** Compression that the row's headers name, if any. */
  declared: Compression | null;
}

/**
 * Unfolds a stored payload layer by layer. Nothing in it is run, loaded or fetched; content of no known format is
 * `unknown`. Never throws; its body has at most MOST_BYTES of text in at most MOST_NODES values, and each envelope at
 * most MOST_FACTS facts of MOST_FACT_CHARACTERS. References, notices and remarks differ from one another. `veil`: the
 * text of each layer as it may be seen, applied before the layer is read, while the places of its values are whole.
 */
export async function decodePayload(stored: StoredPayload, veil: Veil = (text) => text): Promise<DecodedPayload> {
  const unfolding = new Unfolding(stored.declared, veil);
  const isCut = stored.bytes.length < stored.totalBytes;
  const decoded = await unfolding.unfold(contentOf(stored, isCut), 0);
  const notices = isCut ? [`Only the first ${cutWords(stored)} were decoded.`] : [];
  return {
    ...decoded,
    chain: [stored.columnType, ...decoded.chain],
    notices: [...notices, ...decoded.notices],
  };
}

/** "5 MB of 6 MB"; in bytes where both would read the same. */
function cutWords({ bytes, totalBytes }: StoredPayload): string {
  const [read, total] = [formatBytes(bytes.length), formatBytes(totalBytes)];
  return read === total ? `${formatPlural(bytes.length, "byte")} of ${formatCount(totalBytes)}` : `${read} of ${total}`;
}

function contentOf({ bytes, kind }: StoredPayload, isCut: boolean): Content {
  if (kind === "binary") return { kind: "bytes", bytes };
  const text = isCut ? firstTextOf(bytes) : utf8Of(bytes);
  // A database without an encoding keeps any bytes as text.
  if (text === undefined) return { kind: "bytes", bytes };
  return { kind: kind === "json" && !isCut ? "json" : "text", text };
}

/** Of a text that was cut inside a character, the part before it. */
function firstTextOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

class Unfolding {
  readonly #declared: Compression | null;
  readonly #veil: Veil;

  constructor(declared: Compression | null, veil: Veil) {
    this.#declared = declared;
    this.#veil = veil;
  }

  async unfold(found: Content, depth: number, sizeBefore = 0): Promise<DecodedPayload> {
    // Each step may take tens of milliseconds; other requests go on between them.
    await setImmediate();
    const size = sizeOf(found) ?? sizeBefore;
    const content = "text" in found ? { ...found, text: this.#veil(found.text) } : found;
    const end = (...notices: string[]) => ending({ content, size, notices, isStored: depth === 0 });
    if (depth >= MOST_STEPS) return end("The content has further layers, which are not unfolded.");
    try {
      const layer = await this.#recognise(content);
      if (!layer) return (await this.#base64(content, depth)) ?? end(...noticesOfUnknown(content));
      if ("inner" in layer) return joined(layer, await this.unfold(layer.inner, depth + 1, size));
      const { body } = layer;
      return joined(layer, body.kind === "unknown" ? end() : { ...EMPTY, bytes: size, body });
    } catch (error) {
      if (error instanceof TooDeep) return end(`${error.message} It is shown as it is.`);
      throw error;
    }
  }

  async #recognise(content: Content): Promise<Layer | undefined> {
    if (content.kind === "bytes") return readBytes(content.bytes, this.#declared);
    if (content.kind === "text") return readText(content.text);
    if (content.kind === "json") return readJson(content.text);
    return readSymfony(content.root);
  }

  /** Base64 only where something is recognised in its bytes: many words and ids are made of its letters. */
  async #base64(content: Content, depth: number): Promise<DecodedPayload | undefined> {
    const isLong = content.kind === "text" && content.text.length >= SHORTEST_BASE64;
    const bytes = isLong ? bytesOfBase64(content.text) : undefined;
    if (!bytes) return undefined;
    const inner = await this.unfold({ kind: "bytes", bytes }, depth + 1);
    const isWords = inner.body.kind === "text" && inner.chain.length === 1 && bytes.length < SHORTEST_TEXT_IN_BASE64;
    if (isWords || inner.chain.length === 0) return undefined;
    return { ...inner, chain: ["base64", ...inner.chain] };
  }
}

function joined(layer: Layer, inner: DecodedPayload): DecodedPayload {
  const names = [layer.name].flat();
  const { envelope, cut } = layer.facts ? envelopeOf(names[0] ?? "", layer.facts) : NO_ENVELOPE;
  return {
    ...inner,
    chain: [...names, ...inner.chain],
    envelopes: [...envelope, ...inner.envelopes],
    references: distinct([...(layer.references ?? []), ...inner.references]),
    notices: [...new Set([...(layer.notices ?? []), ...cut, ...inner.notices])],
    remarks: [...new Set([...(layer.remarks ?? []), ...inner.remarks])],
  };
}

/** The envelope as shown; `cut` has a notice if facts were left out. */
function envelopeOf(name: string, facts: Fact[]) {
  const shown = facts
    .slice(0, MOST_FACTS)
    .map((fact) => ({ name: shortened(fact.name), value: shortened(fact.value) }));
  const isCut = facts.length > MOST_FACTS;
  const cut = isCut ? [`${name} has ${formatCount(facts.length)} facts; the first ${MOST_FACTS} are shown.`] : [];
  return { envelope: [{ name, facts: shown }], cut };
}

const shortened = (text: string): string =>
  text.length > MOST_FACT_CHARACTERS ? `${text.slice(0, MOST_FACT_CHARACTERS)}…` : text;

/** One reference for each address: that of the outermost layer, which knows most about it. */
function distinct(references: Reference[]): Reference[] {
  const seen = new Set<string>();
  return references.filter(({ address }) => !seen.has(address) && seen.add(address));
}

/** Content in which nothing further was recognised. `isStored`: it is the stored value itself. */
function ending(of: { content: Content; size: number; notices: string[]; isStored: boolean }): DecodedPayload {
  const { content, size, notices, isStored } = of;
  const base = { ...EMPTY, bytes: size, notices };
  if (content.kind === "node") return { ...base, body: { kind: "fields", root: content.root } };
  if (content.kind === "bytes") {
    const head = isStored ? null : Buffer.from(content.bytes.subarray(0, MOST_HEAD_BYTES)).toString("base64");
    return { ...base, body: { kind: "unknown", head } };
  }
  return { ...base, chain: ["text"], body: { kind: "text", text: content.text } };
}

function noticesOfUnknown(content: Content): string[] {
  if (content.kind !== "bytes" || content.bytes.length <= MOST_BINARY_BYTES) return [];
  const [most, all] = [formatBytes(MOST_BINARY_BYTES), formatBytes(content.bytes.length)];
  return [`Binary formats are recognised up to ${most}; these are ${all}.`];
}

function sizeOf(content: Content): number | undefined {
  if (content.kind === "bytes") return content.bytes.length;
  return content.kind === "node" ? undefined : Buffer.byteLength(content.text);
}
