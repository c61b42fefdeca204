import type { Routed } from "../../routing/router.ts";

/** Fields of an entry that are the sink's own: a header of such a name is left out. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["key", "content_type", "payload"]);
/** What a script can hand to one command is limited. */
export const MOST_HEADERS = 500;

/**
 * Names and values in turn, as XADD takes them: the headers under their names, then `key`, `content_type` and
 * `payload`. Entries with the same names in the same order share them in Redis' memory. Without `payload`: a tombstone.
 */
export function streamEntry({ headers, key, contentType, body }: Routed): (string | Buffer)[] {
  const fields: (string | Buffer)[] = [];
  for (const [name, value] of headers) if (!OWN_FIELDS.has(name)) fields.push(name, value);
  if (key !== null) fields.push("key", key);
  if (body === null) return fields;
  fields.push("content_type", contentType, "payload", body);
  return fields;
}

/** Bytes, near enough for keeping one command small. */
export function sizeOf(entry: readonly (string | Buffer)[]): number {
  return entry.reduce((bytes, part) => bytes + part.length, 0);
}
