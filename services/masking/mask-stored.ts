import type { StoredBytes, StoredText } from "#db/stores/port/message-detail.ts";
import { decodeBase64 } from "#domain/masking/base64.ts";
import { maskJson } from "#domain/masking/mask-json.ts";
import { type Masked, type MaskRules, needsStructure } from "#domain/masking/mask-rules.ts";
import { maskFreeText, maskPatterns } from "#domain/masking/patterns.ts";
import { utf8Of } from "../payload/byte-reader.ts";

/** `hidden`: a sentence, why nothing of it is shown. */
export type MaskedContent = { text: string; count: number; values: string[] } | { hidden: string };

const BYTES = "The stored bytes are hidden: only what is decoded from them can be masked.";
const NO_JSON = "The stored text is hidden: it cannot be read as JSON, so the values to mask cannot be found in it.";
const ENCODED = "The stored text is hidden: it is an encoding of something that has values to mask.";

/** Of JSON, what paths and patterns cover is masked; another text comes back as it is. `cut`: as for `maskContent`. */
export function maskWhereJson(text: string, rules: MaskRules, cut: boolean): string {
  return jsonOf(text, { ...rules, maskedByDefault: false }, cut)?.text ?? text;
}

function jsonOf(text: string, rules: MaskRules, cut: boolean): Masked | null {
  return /^\s*(?:[[{"\d-]|true|false|null)/.test(text) ? maskJson(text, rules, { cut }) : null;
}

/** A stored text as it may be shown. `cut`: it is the beginning of a longer one. */
export function maskContent(text: string, rules: MaskRules, cut: boolean): MaskedContent {
  if (rules.hidden !== null) return { hidden: rules.hidden };
  if (text.trim() === "") return { text, count: 0, values: [] };
  const json = jsonOf(text, rules, cut);
  if (json !== null) return json;
  if (needsStructure(rules)) return { hidden: NO_JSON };
  const encoded = decodeBase64(text);
  if (encoded !== null && (encoded.compressed || maskPatterns(encoded.text, rules.patterns).found.length > 0))
    return { hidden: ENCODED };
  return maskFreeText(text, rules, []);
}

export function maskStoredText(stored: StoredText, rules: MaskRules): MaskedContent {
  if (rules.hidden !== null) return { hidden: rules.hidden };
  if (stored.format === "base64" && stored.totalBytes > 0) return { hidden: BYTES };
  return maskContent(stored.text, rules, stored.shownBytes < stored.totalBytes);
}

export function maskStoredBytes({ bytes, totalBytes, kind }: StoredBytes, rules: MaskRules): MaskedContent {
  if (rules.hidden !== null) return { hidden: rules.hidden };
  const text = kind === "binary" ? utf8Of(bytes) : Buffer.from(bytes).toString("utf8");
  if (text === undefined) return { hidden: BYTES };
  return maskContent(text, rules, bytes.length < totalBytes);
}
