/** In the spellings that Postgres takes: letters of either case, with hyphens and braces or without. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text.replaceAll(/[{}-]/g, ""));

/** The spelling in which Postgres shows it. */
export function canonicalUuid(text: string): string {
  const digits = text.replaceAll(/[{}-]/g, "").toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
