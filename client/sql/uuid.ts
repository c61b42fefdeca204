/** In the spellings that Postgres takes: letters of either case, with hyphens and braces or without. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text.replaceAll(/[{}-]/g, ""));
