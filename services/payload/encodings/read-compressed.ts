import { formatBytes } from "#domain/format.ts";
import { MOST_BYTES } from "../bounds.ts";
import type { Layer } from "../layer.ts";
import { type Compression, canDecompress, type Decompressed, decompress } from "./decompress.ts";

const ZSTD_MAGIC = "28b52ffd";

/** The compression that the first bytes announce. Raw deflate and brotli announce nothing. */
function announced(bytes: Uint8Array): Compression | undefined {
  const [first = 0, second = 0, third = 0, flags = 0] = bytes;
  if (first === 0x1f && second === 0x8b && third === 8 && (flags & 0xe0) === 0) return "gzip";
  if (first === 0x78 && (second & 0x20) === 0 && ((first << 8) | second) % 31 === 0) return "zlib";
  return Buffer.from(bytes.subarray(0, 4)).toString("hex") === ZSTD_MAGIC ? "zstd" : undefined;
}

/**
 * Compressed bytes; undefined for others. `declared`: the encoding that the row's headers name. Two bytes alone make no
 * zlib: its stream must end with the right checksum, or fill the bound.
 */
export async function readCompressed(bytes: Uint8Array, declared: Compression | null): Promise<Layer | undefined> {
  const unmarked = declared === "brotli" || declared === "deflate" ? declared : undefined;
  const kind = announced(bytes) ?? unmarked;
  if (kind === undefined) return undefined;
  if (!canDecompress(kind)) return withoutRuntime(kind);
  const result = await decompress(kind, bytes);
  const isWhole = result.end === "complete" || result.end === "over_bound";
  if (kind !== "gzip" && kind !== "zstd" && (!isWhole || result.unread > 0)) return undefined;
  if (result.bytes.length === 0 && result.end !== "complete") {
    const notice = `The bytes begin like ${kind}, but nothing of them decompresses: they are damaged or cut.`;
    return { name: [], notices: [notice], body: { kind: "unknown" } };
  }
  return { name: kind, notices: noticesOf(kind, result), inner: { kind: "bytes", bytes: result.bytes } };
}

function noticesOf(kind: Compression, { bytes, end, unread }: Decompressed): string[] {
  const size = formatBytes(bytes.length);
  if (end === "over_bound") return [`Decompression stopped at ${formatBytes(MOST_BYTES)}; the content is longer.`];
  if (end === "ends_early") return [`The ${kind} stream ends early: its first ${size} are shown.`];
  if (end === "damaged")
    return [`The ${kind} stream is damaged or followed by other bytes: its first ${size} are shown.`];
  return unread > 0 ? [`Behind the ${kind} stream are ${formatBytes(unread)} that are not shown.`] : [];
}

function withoutRuntime(kind: Compression): Layer {
  const notice = `Node ${process.versions.node}, which runs this console, cannot decompress ${kind}. Run it with Node 24.`;
  return { name: kind, notices: [notice], body: { kind: "unknown" } };
}
