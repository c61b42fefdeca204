const MOST_CHARACTERS = 4000;

/**
 * What someone else has said, as Postgres can keep it and not more of it than anyone reads: no text holds a NUL, and json
 * with half a character, which a cut may leave, becomes no text. One such error would keep a whole settle or every
 * heartbeat from being written.
 */
export function storableText(text: string, most = MOST_CHARACTERS): string {
  return text.replaceAll("\u0000", "").slice(0, most).toWellFormed();
}
