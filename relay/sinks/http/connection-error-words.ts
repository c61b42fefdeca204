import { tlsErrorWords } from "../tls-error-words.ts";

/** Texts with a next step for people, in place of unclear ones of the client. */
const WORDS: Record<string, string> = {
  UND_ERR_SOCKET: "the receiver closed the connection without a complete answer",
  ECONNRESET: "the receiver reset the connection without a complete answer",
};

/** Node's message for a failed connection contains the address, never a header or a query string. */
export function describeError(error: unknown, code: string): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0], code);
  const ofTls = tlsErrorWords(error);
  if (ofTls !== null) return ofTls;
  const text = error instanceof Error && error.message !== "" ? error.message : "the request failed";
  const line = text.split("\n", 1)[0] ?? text;
  // The client gives up on 100 Continue where it has not asked for one.
  if (code === "UND_ERR_SOCKET" && line === "bad response")
    return "the receiver sent 100 Continue without being asked; the connection was closed";
  // Node adds the local end of a connection that was not made.
  const said = WORDS[code] ?? line.replace(" - Local (undefined:undefined)", "");
  return code === "" || said.includes(code) ? said : `${said} (${code})`;
}
