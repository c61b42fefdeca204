import { cutText } from "#domain/text/cut-text.ts";

/**
 * Variable parts of an error text, most specific first. Each becomes a placeholder so that equal causes share a text.
 */
const VARIABLE_PARTS: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<uuid>"],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?/g, "<time>"],
  [/\bhttps?:\/\/[^\s"']+/gi, "<url>"],
  [/\b[\w.+-]+@[\w-]+\.[\w.]+\b/g, "<email>"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, "<address>"],
  [/\b[0-9a-f]{12,}\b/gi, "<hex>"],
  [/\b[a-z]+[-_]\d+\b/gi, "<id>"],
];

/** Replaced after quoted texts, because a number inside one belongs to it. */
const NUMBER = /\d+(?:\.\d+)?/g;
const QUOTED = /"(?:[^"\\]|\\.){1,200}"|'[^']{1,200}'/g;
/** A token that mixes digits and letters, e.g. `req8fK2x9`. In a JSON body nothing else marks an id. */
const MIXED_TOKEN = /\b(?=\w*\d\w*\d)(?=\w*[a-z])\w{8,40}\b/gi;

/**
 * The first line of an error with its variable parts replaced; at most 200 characters. Status codes at the start stay.
 */
export function normaliseError(error: string): string {
  const line = cutText(firstLine(cutText(error, 2_000)), 500).trim();
  const status = /^(?:HTTP )?([1-5]\d\d)\b/.exec(line);
  const rest = status ? line.slice(status[0].length) : line;
  const text = VARIABLE_PARTS.reduce((current, [pattern, placeholder]) => current.replace(pattern, placeholder), rest)
    .replace(QUOTED, replaceQuoted)
    .replace(NUMBER, "<n>");
  const normal = `${status ? status[0] : ""}${text}`.replace(/\s+/g, " ");
  return cutText(normal, 200);
}

/** The first line. A JSON body printed over several lines is joined, because its first line says nothing. */
function firstLine(error: string): string {
  const line = error.split("\n", 1)[0] ?? "";
  return /[{[]\s*$/.test(line) ? error.replace(/\s+/g, " ") : line;
}

/**
 * A quoted text in a sentence is a variable value or name and is replaced whole. In a JSON body every text is quoted,
 * so only ids inside it are replaced.
 */
function replaceQuoted(quoted: string, offset: number, whole: string): string {
  return isJsonString(quoted, offset, whole) ? quoted.replace(MIXED_TOKEN, "<id>") : "<text>";
}

const BEFORE_STRING = /[{[,:]\s{0,8}$/;
const AFTER_STRING = /^\s{0,8}(?:[:,}\]]|$)/;

function isJsonString(quoted: string, offset: number, whole: string): boolean {
  if (!quoted.startsWith('"')) return false;
  const end = offset + quoted.length;
  const opened = /[{[]/.test(whole.slice(0, offset));
  return (
    opened &&
    BEFORE_STRING.test(whole.slice(Math.max(0, offset - 9), offset)) &&
    AFTER_STRING.test(whole.slice(end, end + 9))
  );
}

/** The longest part of an error's text that its normalised form keeps as it is; empty if none has four characters. */
export function constantPart(error: string): string {
  const parts = normaliseError(error).split(/<[a-z]+>/);
  const kept = parts.map((part) => part.trim()).filter((part) => part.length >= 4 && error.includes(part));
  return kept.toSorted((one, other) => other.length - one.length)[0] ?? "";
}

/** FNV-1a, 32 bits twice with different seeds: stable across processes, browser-safe, no dependency. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value.toString(16).padStart(8, "0");
}

/** The id of a failure group: error code, normalised text and event type. 16 hex digits. */
export function fingerprint(failure: { code: string; error: string; eventType: string | null }): string {
  const text = `${failure.code}\n${normaliseError(failure.error)}\n${failure.eventType ?? ""}`;
  return hash(text, 0x811c9dc5) + hash(text, 0x9747b28c);
}
