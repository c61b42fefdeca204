/** What the drivers say of an answer that did not come in time; the connection was not cut. */
const TIMED_OUT = /read timeout|PROTOCOL_SEQUENCE_TIMEOUT|inactivity timeout/i;

/** Sentence for a database that cannot be reached. Without the host: behind an @ that is not encoded it is a part of the password. */
export function noAnswer(store: string, error: unknown, code?: string): string {
  const isLate = error instanceof Error && TIMED_OUT.test(`${error.message} ${code}`);
  const said = `The database of ${store} does not answer (${isLate ? "no answer came in time" : (code ?? "connection lost")})`;
  if (code !== "ENOTFOUND") return `${said}.`;
  return `${said}: the host name in its URL is not known. Correct it, with @ : / ? # % in the user name and password percent-encoded.`;
}
