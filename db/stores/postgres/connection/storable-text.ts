const MOST_CHARACTERS = 4000;

/**
 * Makes foreign text storable in Postgres and cuts it to `most` characters. Postgres text has no NUL, and json with a
 * lone surrogate, which a cut may leave, cannot be read as text. One such error text would block a whole settle or
 * every heartbeat.
 */
export function storableText(text: string, most = MOST_CHARACTERS): string {
  return text.replaceAll("\u0000", "").slice(0, most).toWellFormed();
}
