import { isUuid } from "#domain/uuid.ts";

/** The same for a uuid in lower and in upper case: one table prints it so, another keeps it as text in the other. */
export function comparable(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

/** The other spellings of an id. */
export function otherSpellings(id: string): string[] {
  return isUuid(id) ? [id.toLowerCase(), id.toUpperCase()].filter((text) => text !== id) : [];
}
