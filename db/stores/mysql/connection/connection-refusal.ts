import { basename } from "node:path";
import { isFileError } from "#db/stores/shared/connection/driver-error.ts";

interface Facts {
  code: string;
  number: number;
  message: string;
  error: NodeJS.ErrnoException;
}

interface Refusal {
  when: (facts: Facts) => boolean;
  /** `of` names the database in a sentence: "the database of store shop". */
  say: (of: string, facts: Facts) => string;
}

/** The driver replaces the code of a failed handshake, so its words are all there is. */
const UNTRUSTED =
  /self-signed certificate|unable to verify the first certificate|unable to get (local )?issuer|certificate signature failure/i;

/** The server names the user and host that it refuses in these; they are left out. */
const WRONG_PASSWORD = new Set([1045, 1698]);
const WRONG_HOST = new Set([1129, 1130]);
/** MySQL's number and MariaDB's. */
const LOCKED_ACCOUNT = new Set([3118, 4151]);
const EXPIRED_PASSWORD = new Set([1820, 1862]);
const OFFLINE = 3032;
/** Sent in answer to the first statement of a connection. */
const INIT_CONNECT_FAILED = 1184;

/** Failures of a connection before its first query although the server was reachable, each with what to change. */
const REFUSALS: Refusal[] = [
  {
    when: ({ message }) => UNTRUSTED.test(message),
    say: (of, { message }) =>
      `The certificate of ${of} is signed by an authority that is not trusted here (${message}). Name its authority in the URL, ssl-mode=VERIFY_IDENTITY&ssl-ca=/path/to/ca.pem, or write ssl-mode=REQUIRED, which encrypts and checks nothing.`,
  },
  {
    when: ({ code, message }) => code === "ERR_TLS_CERT_ALTNAME_INVALID" || message.includes("certificate's altnames"),
    say: (of) =>
      `The certificate of ${of} is for another host name. Write the name that the certificate has into the URL, or ssl-mode=VERIFY_CA with ssl-ca, which checks the authority and not the name.`,
  },
  {
    when: ({ message }) => /certificate (has expired|is not yet valid)/i.test(message),
    say: (of, { message }) =>
      `The certificate of ${of} ${message.includes("expired") ? "has expired" : "is not valid yet, or this machine's clock is behind"}. Renew it on the server, or write ssl-mode=REQUIRED into the URL, which checks nothing.`,
  },
  {
    when: ({ code, message }) => code === "HANDSHAKE_NO_SSL_SUPPORT" || /does not support secure conn/i.test(message),
    say: (of) =>
      `The server of ${of} offers no TLS. Write ssl-mode=DISABLED into the URL, or give the server a certificate.`,
  },
  {
    when: ({ error, code }) => isFileError(error) || code.startsWith("ERR_OSSL_PEM"),
    say: (of, { error, code }) =>
      `A certificate file in the URL of ${of} cannot be used (${[error.path ? basename(error.path) : "", code].filter(Boolean).join(": ")}). Correct ssl-ca, ssl-cert or ssl-key: each names a PEM file that this user may read.`,
  },
  {
    when: ({ code, message }) => code === "ERR_INVALID_URL" || message === "URI malformed",
    say: (of) =>
      `The URL of ${of} cannot be read. Percent-encode the user name and the password in it: @ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25.`,
  },
  {
    when: ({ number }) => number === 3159,
    say: (of) => `The server of ${of} takes no unencrypted connection. Add ssl-mode=REQUIRED to the URL.`,
  },
  {
    when: ({ number }) => LOCKED_ACCOUNT.has(number),
    say: (of) => `The server of ${of} has locked this user's account. Run ALTER USER … ACCOUNT UNLOCK for it there.`,
  },
  {
    when: ({ number }) => EXPIRED_PASSWORD.has(number),
    say: (of) =>
      `The password of this user of ${of} has expired. Set a new one there, or run ALTER USER … PASSWORD EXPIRE NEVER, and correct the URL.`,
  },
  {
    when: ({ number }) => number === OFFLINE,
    say: (of) =>
      `The server of ${of} is in offline mode and lets only administrators in (SET GLOBAL offline_mode = OFF).`,
  },
  {
    when: ({ number, message }) => number === INIT_CONNECT_FAILED && message.includes("init_connect"),
    say: (of) =>
      `The server of ${of} ends each new connection of this user, because its setting init_connect fails. Correct it there: an administrator, who is let in, reads it with SELECT @@GLOBAL.init_connect.`,
  },
  {
    when: ({ number }) => WRONG_HOST.has(number),
    say: (of) =>
      `The server of ${of} lets no user in from this address, or has blocked it after failed attempts. Create the user for this host there, or run FLUSH HOSTS.`,
  },
  {
    when: ({ number, error }) => WRONG_PASSWORD.has(number) && refusals.has(error),
    say: (of) =>
      `The server of ${of} refuses the user name or password, or has no such user for this address. Correct them in the URL, with @ : / ? # % in them percent-encoded; or, if the account has REQUIRE SSL or X509, add ssl-mode=REQUIRED, or ssl-cert and ssl-key.`,
  },
  {
    when: ({ code, message }) => code === "AUTH_SWITCH_PLUGIN_ERROR" || message.includes("authentication plugin"),
    say: (of) =>
      `The server of ${of} authenticates this user by a plugin that is not supported here. Create a user with caching_sha2_password, mysql_native_password or ed25519.`,
  },
  {
    when: ({ code }) => code === "HANDSHAKE_SSL_ERROR" || code.startsWith("ERR_SSL_") || code === "EPROTO",
    say: (of, { code }) =>
      `The TLS handshake with the server of ${of} failed (${code}). Check that its port speaks MySQL with TLS, and ssl-cert and ssl-key where the URL has them.`,
  },
];

/** Errors that refused a connection. Kept here because a later refusal of a table has the same number. */
const refusals = new WeakSet<Error>();

/** Marks an error that came before the first statement. */
export function markRefusal(error: unknown): void {
  if (error instanceof Error) refusals.add(error);
}

/** Sentence: why a database could not be opened and what to change; null for any other error. Contains no secret. */
export function explainRefusal(error: unknown, store: string): string | null {
  if (!(error instanceof Error)) return null;
  const { code, errno } = error as NodeJS.ErrnoException;
  const facts = {
    code: typeof code === "string" ? code : "",
    number: typeof errno === "number" ? errno : 0,
    message: error.message,
    error,
  };
  const refusal = REFUSALS.find(({ when }) => when(facts));
  return refusal ? refusal.say(`the database of ${store}`, facts) : null;
}
