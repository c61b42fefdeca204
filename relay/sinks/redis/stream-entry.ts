import type { Routed } from "../../routing/router.ts";

/** Field names that the sink uses: a header with such a name is left out. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["key", "content_type", "payload"]);
/** Redis limits the number of arguments that a script can pass to one command. */
export const MOST_HEADERS = 500;

/**
 * Field names and values alternating, as XADD takes them: the headers, then `key`, `content_type` and `payload`.
 * Entries with the same names in the same order share those names in Redis' memory. A tombstone has no `payload`.
 */
export function streamEntry({ headers, key, contentType, body }: Routed): (string | Buffer)[] {
  const fields: (string | Buffer)[] = [];
  for (const [name, value] of headers) if (!OWN_FIELDS.has(name)) fields.push(name, value);
  if (key !== null) fields.push("key", key);
  if (body === null) return fields;
  fields.push("content_type", contentType, "payload", body);
  return fields;
}

/** Approximate size in bytes, to keep one command small. */
export function sizeOf(entry: readonly (string | Buffer)[]): number {
  return entry.reduce((bytes, part) => bytes + part.length, 0);
}
