import { AppError } from "#domain/errors.ts";

const PLAIN = /^[A-Za-z0-9_-]{1,200}$/;
const PACKED_PREFIX = "~";

/**
 * Encodes a primary key for URLs; opaque to callers. A single safe value (a uuid, a number) is used as it is. Any
 * other key is a tilde and the base64url of the JSON array of the key's texts.
 */
export function encodeMessageId(values: readonly string[]): string {
  const [first] = values;
  if (values.length === 1 && first !== undefined && PLAIN.test(first)) return first;
  return PACKED_PREFIX + Buffer.from(JSON.stringify(values), "utf8").toString("base64url");
}

/** The key's values in key order. Throws not_found if the id does not encode a key of this length. */
export function decodeMessageId(id: string, keyLength: number): string[] {
  const values = id.startsWith(PACKED_PREFIX) ? unpack(id) : PLAIN.test(id) ? [id] : undefined;
  if (values?.length !== keyLength) throw new AppError("not_found", "There is no message with this id.");
  return values;
}

/** False for an id that is itself the value of its key. */
export function isPacked(id: string): boolean {
  return id.startsWith(PACKED_PREFIX);
}

/**
 * One array of texts per key column, from ids that a store returned. Ids of a single safe value are not checked,
 * because there are thousands a second and only ids from a request need a check.
 */
export function keyColumns(ids: readonly string[], keyLength: number): string[][] {
  if (keyLength === 1) return [ids.map((id) => (isPacked(id) ? (decodeMessageId(id, 1)[0] ?? "") : id))];
  const keys = ids.map((id) => decodeMessageId(id, keyLength));
  return Array.from({ length: keyLength }, (_, index) => keys.map((key) => key[index] ?? ""));
}

function unpack(id: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(id.slice(PACKED_PREFIX.length), "base64url").toString("utf8"));
    return Array.isArray(parsed) && parsed.every((value) => typeof value === "string") ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
