/** Sentence for a database that cannot be reached. Without the host: behind an @ that is not encoded it is a part of the password. */
export function noAnswer(store: string, code = "connection lost"): string {
  const said = `The database of ${store} does not answer (${code})`;
  if (code !== "ENOTFOUND") return `${said}.`;
  return `${said}: the host name in its URL is not known. Correct it, with @ : / ? # % in the user name and password percent-encoded.`;
}
