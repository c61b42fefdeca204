const UNTRUSTED = "the certificate is not signed by a trusted authority";
const NO_TLS = "the port answers without TLS";

/** By Node's code, in place of texts that advise options of Node. */
const WORDS: Record<string, string> = {
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed and not trusted",
};
/** Codes whose own text says it well. */
const SAID_WELL = /^(?:CERT_|ERR_TLS_CERT_)/;
/** Number, library, function and reason; around them are a thread's address and the place in OpenSSL's source. */
const OPENSSL = /\b[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*)/i;

/**
 * The words, with their code, for a connection whose TLS failed; null for any other error. They are the same each time.
 */
export function tlsErrorWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const line = error.message.split("\n", 1)[0] ?? "";
  const reason = OPENSSL.exec(line)?.[1];
  const code = codeOf(error, reason);
  const text = WORDS[code] ?? reason ?? (SAID_WELL.test(code) ? line.trim() : null);
  if (text === null) return null;
  return code === "" || text.includes(code) ? text : `${text} (${code})`;
}

/** A failed write has EPROTO in place of the code of its reason. */
function codeOf(error: Error, reason: string | undefined): string {
  const code = "code" in error ? String(error.code ?? "") : "";
  if (reason === undefined || (code !== "" && code !== "EPROTO")) return code;
  return `ERR_SSL_${reason
    .trim()
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")}`;
}
