import { utf8Of } from "../byte-reader.ts";
import { parseJson } from "../json-slices.ts";
import type { Compression } from "./decompress.ts";

const ENCODINGS = new Map<string, Compression>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["zstd", "zstd"],
  ["br", "brotli"],
]);

/** The compression that a row's headers name as `content-encoding`, if these are a JSON object. */
export function declaredCompression(headers: Uint8Array | undefined): Compression | null {
  const parsed = parseJson((headers && utf8Of(headers)) ?? "")?.value;
  if (typeof parsed !== "object" || parsed === null) return null;
  const entry = Object.entries(parsed).find(([name]) => /^content[-_]?encoding$/i.test(name));
  const value = entry?.[1];
  return typeof value === "string" ? (ENCODINGS.get(value.trim().toLowerCase()) ?? null) : null;
}
