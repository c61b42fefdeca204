import { attempt } from "./attempt.ts";
import { MOST_BINARY_BYTES } from "./bounds.ts";
import { referenceOf } from "./claim-check.ts";
import { readPhp, stripSlashes } from "./formats/php.ts";
import { parseJson } from "./json-slices.ts";
import type { Layer } from "./layer.ts";

/** A number or a word alone is JSON too, but as much plain text. */
const JSON_START = /^\s*[[{"]/;
const PHP_START = /^[aOCEs]:\d/;
const BYTE_ORDER_MARK = "\uFEFF";

/** Recognises a text; undefined for ordinary text, which may be base64. */
export function readText(text: string): Layer | undefined {
  if (text.startsWith(BYTE_ORDER_MARK))
    return { name: "byte order mark", inner: { kind: "text", text: text.slice(1) } };
  if (JSON_START.test(text) && parseJson(text)) return { name: [], inner: { kind: "json", text } };
  const reference = referenceOf(text);
  if (reference) return { name: "reference", references: [reference], body: { kind: "text", text } };
  return PHP_START.test(text) ? readPhpBytes(Buffer.from(text)) : undefined;
}

/** PHP's serialisation, plain or with slashes as Symfony stores it; undefined for other bytes. Throws: TooDeep. */
export function readPhpBytes(bytes: Uint8Array): Layer | undefined {
  if (bytes.length > MOST_BINARY_BYTES) return undefined;
  return phpLayer("PHP serialize", () => bytes) ?? phpLayer("PHP serialize, with slashes", () => stripSlashes(bytes));
}

function phpLayer(name: string, bytes: () => Uint8Array): Layer | undefined {
  return attempt(() => ({ name, inner: { kind: "node", root: readPhp(bytes()) } }));
}
