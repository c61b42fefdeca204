const MOST_CHARACTERS = 4000;

/**
 * Foreign text cut to `most` characters, in a form that every text column and JSON takes: text of Postgres has no NUL,
 * and a lone surrogate, which a cut may leave, is no text in JSON. One such error text would block a whole settle or
 * every heartbeat.
 */
export function storableText(text: string, most = MOST_CHARACTERS): string {
  return text.replaceAll("\u0000", "").slice(0, most).toWellFormed();
}
