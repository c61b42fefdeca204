/** Texts with a next step for people, in place of unclear ones of the client. */
const WORDS: Record<string, string> = {
  UND_ERR_SOCKET: "the receiver closed the connection without a complete answer",
  ECONNRESET: "the receiver reset the connection without a complete answer",
  ERR_SSL_WRONG_VERSION_NUMBER: "the port answers without TLS; it may serve plain http",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the port answers without TLS; it may serve plain http",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is not signed by a trusted authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is not signed by a trusted authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is not signed by a trusted authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed and not trusted",
};
/** Thread, number, library, function and reason, and the place in OpenSSL's source. */
const OPENSSL = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*)/i;

/** Node's message for a failed connection contains the address, never a header or a query string. */
export function describeError(error: unknown, code: string): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0], code);
  const text = error instanceof Error && error.message !== "" ? error.message : "the request failed";
  const line = text.split("\n", 1)[0] ?? text;
  // The client gives up on 100 Continue where it has not asked for one.
  if (code === "UND_ERR_SOCKET" && line === "bad response")
    return "the receiver sent 100 Continue without being asked; the connection was closed";
  // Node adds the local end of a connection that was not made.
  const said = WORDS[code] ?? OPENSSL.exec(line)?.[1] ?? line.replace(" - Local (undefined:undefined)", "");
  return code === "" || said.includes(code) ? said : `${said} (${code})`;
}
