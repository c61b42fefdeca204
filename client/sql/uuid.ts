const SPELLED = "(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}";
const UUID = new RegExp(`^(?:\\{${SPELLED}\\}|${SPELLED})$`, "i");

/**
 * In the spellings that Postgres takes: letters of either case, with or without one pair of braces, a hyphen after any
 * four digits.
 */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The spelling in which Postgres shows it. */
export function canonicalUuid(text: string): string {
  const digits = text.replaceAll(/[{}-]/g, "").toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
