/** The drivers' errors for an answer that did not come in time, over a connection that was not cut. */
const TIMED_OUT = /read timeout|PROTOCOL_SEQUENCE_TIMEOUT|inactivity timeout/i;

/**
 * Sentence for a database that cannot be reached. Omits the host, which is part of the password if an @ in it is not
 * encoded.
 */
export function noAnswer(store: string, error: unknown, code?: string): string {
  if (code === "EMFILE" || code === "ENFILE")
    return `This process has too many open files to reach the database of ${store} (${code}). Raise its limit (LimitNOFILE of its unit, ulimit -n)${code === "ENFILE" ? ", or that of the machine (fs.file-max)," : ""} and restart it: the database is not to blame.`;
  const isLate = error instanceof Error && TIMED_OUT.test(`${error.message} ${code}`);
  const said = `The database of ${store} does not answer (${isLate ? "no answer came in time" : (code ?? "connection lost")})`;
  if (code === "EAI_AGAIN")
    return `${said}: the DNS did not resolve the host name in its URL. Repair the DNS that this machine asks; the database may be running.`;
  if (code !== "ENOTFOUND") return `${said}.`;
  return `${said}: the host name in its URL is not known. If it was right before, repair the DNS that this machine asks. Otherwise correct it, with @ : / ? # % in the user name and password percent-encoded.`;
}
