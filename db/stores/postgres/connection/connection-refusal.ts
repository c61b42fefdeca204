import { basename } from "node:path";
import { isFileError } from "#db/stores/shared/connection/driver-error.ts";
import { capitalize } from "#domain/format.ts";

interface Facts {
  code: string;
  message: string;
  error: NodeJS.ErrnoException;
}

interface Refusal {
  when: (facts: Facts) => boolean;
  /** `of` names the database in a sentence: "the database of store shop". */
  say: (of: string, facts: Facts) => string;
}

const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_SIGNATURE_FAILURE",
]);

/** Failures of a connection before its first query although the server was reachable, each with what to change. */
const REFUSALS: Refusal[] = [
  {
    when: ({ code }) => UNTRUSTED.has(code),
    say: (of, { code }) =>
      `The certificate of ${of} is signed by an authority that is not trusted here (${code}). Name its authority in the URL, sslmode=verify-full&sslrootcert=/path/to/ca.pem, or write sslmode=require, which encrypts and checks nothing.`,
  },
  {
    when: ({ code }) => code === "ERR_TLS_CERT_ALTNAME_INVALID",
    say: (of) =>
      `The certificate of ${of} is for another host name. Write the name that the certificate has into the URL, or sslmode=verify-ca with sslrootcert, which checks the authority and not the name.`,
  },
  {
    when: ({ code }) => code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID",
    say: (of, { code }) =>
      `The certificate of ${of} ${code === "CERT_HAS_EXPIRED" ? "has expired" : "is not valid yet, or this machine's clock is behind"}. Renew it on the server, or write sslmode=require into the URL, which checks nothing.`,
  },
  {
    when: ({ message }) => message.includes("does not support SSL connections"),
    say: (of) =>
      `The server of ${of} offers no TLS. Write sslmode=disable into the URL, or switch TLS on there (ssl = on).`,
  },
  {
    when: ({ message }) => message.includes("sslmode=verify-ca requires"),
    say: (of) =>
      `The URL of ${of} has sslmode=verify-ca and no sslrootcert. Add sslrootcert=/path/to/ca.pem, or write sslmode=verify-full to trust this machine's authorities.`,
  },
  {
    when: ({ error, code }) => isFileError(error) || code.startsWith("ERR_OSSL_PEM"),
    say: (of, { error, code }) =>
      `A certificate file in the URL of ${of} cannot be used (${[error.path ? basename(error.path) : "", code].filter(Boolean).join(": ")}). Correct sslrootcert, sslcert or sslkey: each names a PEM file that this user may read.`,
  },
  {
    when: ({ message }) => message.includes("client password must be"),
    say: (of) =>
      `The server of ${of} asks for a password and the URL has none. Write postgres://user:password@host/database, with @ : / ? # % in the password percent-encoded, or set PGPASSWORD.`,
  },
  {
    when: ({ code, message }) => code === "ERR_INVALID_URL" || message === "URI malformed",
    say: (of) =>
      `The URL of ${of} cannot be read. Percent-encode the user name and the password in it: @ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25.`,
  },
  {
    when: ({ code, message }) => code === "28000" && message.startsWith("pg_hba.conf rejects"),
    say: (of) =>
      `The server of ${of} has a line in pg_hba.conf that rejects this user, database or address, or connections with or without TLS (sslmode of the URL). Change it there and reload.`,
  },
  {
    when: ({ code, message, error }) =>
      code === "42501" && isFatal(error) && message.startsWith("permission denied for database"),
    say: (of) => `The user may not connect to ${of}. Run GRANT CONNECT ON DATABASE … TO … for it there.`,
  },
  {
    when: ({ code, message }) => code === "28000" && /no encryption|SSL off/.test(message),
    say: (of) =>
      `The server of ${of} takes no unencrypted connection from here. Add sslmode=require to the URL; if that is refused too, pg_hba.conf there has no line for this user, database and address.`,
  },
  {
    when: ({ code, message }) => code === "28000" && message.includes("pg_hba.conf"),
    say: (of) =>
      `The server of ${of} has no line in pg_hba.conf that lets this user into this database from this address. Add one there and reload.`,
  },
  {
    when: ({ code, message }) => code === "28000" && message.includes("client certificate"),
    say: (of) =>
      `The server of ${of} asks for a client certificate. Add sslcert=/path/to/client.pem&sslkey=/path/to/client.key to the URL.`,
  },
  {
    when: ({ code, message }) => code === "28000" && message.includes("is not permitted to log in"),
    say: (of) => `The server of ${of} does not let this user log in. Run ALTER ROLE … LOGIN for it there.`,
  },
  {
    when: ({ code, message }) => code === "55000" && message.includes("not currently accepting connections"),
    say: (of) =>
      `${capitalize(of)} is closed to connections on its server. Run ALTER DATABASE … ALLOW_CONNECTIONS true there.`,
  },
  {
    // Failures of other ways to log in: LDAP, GSSAPI, peer, a certificate.
    when: ({ code, message }) => code === "28000" && !/^role ".*" does not exist$/.test(message),
    say: (of) =>
      `The server of ${of} does not let this user in: it authenticates the user by another method than the URL's password, and that failed. Its log and pg_hba.conf say how.`,
  },
  {
    when: ({ code }) => code === "28P01" || code === "28000",
    say: (of) =>
      `The server of ${of} refuses the user name or password. Correct them in the URL, with @ : / ? # % in them percent-encoded; or the password has expired there (VALID UNTIL of the role).`,
  },
  {
    when: ({ message }) => /unsupported startup parameter: replication/.test(message),
    say: (of) =>
      `${capitalize(of)} is reached through a pooler, which passes no replication on. Name the server itself in directUrl.`,
  },
  {
    when: ({ message }) => /unsupported startup parameter/.test(message),
    say: (of) =>
      `${capitalize(of)} is reached through a pooler that refuses session options. Add pgbouncer=true to the query of the URL, and name the server itself in directUrl. The console's own database (console.databaseUrl) needs the server itself.`,
  },
  {
    when: ({ code, message }) => code === "08P01" && message.includes("statement pooling mode"),
    say: (of) =>
      `${capitalize(of)} is reached through a pooler in statement mode, which allows no transactions. Set pool_mode = transaction there, or name the server itself in the URL.`,
  },
  {
    when: ({ code }) => code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO",
    say: (of, { code }) =>
      `The TLS handshake with the server of ${of} failed (${code}). Check that its port speaks Postgres with TLS, and sslcert and sslkey where the URL has them.`,
  },
  {
    when: ({ message }) => message.includes("There was an error establishing an SSL connection"),
    say: (of) =>
      `The server of ${of} did not answer the request for TLS as Postgres does. Check its host and port in the URL.`,
  },
];

/** Sentence: why a database could not be opened and what to change; null for any other error. Contains no secret. */
export function explainRefusal(error: unknown, store: string): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  const facts = { code: typeof code === "string" ? code : "", message: error.message, error };
  const refusal = REFUSALS.find(({ when }) => when(facts));
  return refusal ? refusal.say(`the database of ${store}`, facts) : null;
}

/** The server ended the connection, and not only a statement. */
function isFatal(error: Error): boolean {
  return (error as { severity?: unknown }).severity === "FATAL";
}
