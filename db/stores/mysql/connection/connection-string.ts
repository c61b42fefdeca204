import { readFileSync } from "node:fs";
import type { ConnectionOptions, SslOptions } from "mysql2";
import { canDecode, problemOfAddress } from "../../shared/connection/problem-of-address.ts";

/** Accepted values of `ssl-mode`, as the server's own client has them, in lower case. */
const SSL_MODES = ["disabled", "preferred", "required", "verify_ca", "verify_identity"] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Parameters that the URL may have, each under the names that the clients of both worlds use. */
const SPELLINGS = {
  mode: ["ssl-mode", "sslmode"],
  ca: ["ssl-ca", "sslrootcert"],
  cert: ["ssl-cert", "sslcert"],
  key: ["ssl-key", "sslkey"],
  socket: ["socket", "socketPath"],
} as const;

/** libpq's words, for those who write one kind of URL for every store. */
const SYNONYMS: Record<string, SslMode> = {
  disable: "disabled",
  allow: "disabled",
  prefer: "preferred",
  require: "required",
  "no-verify": "required",
  "verify-ca": "verify_ca",
  "verify-full": "verify_identity",
};

export const DEFAULT_PORT = 3306;

/**
 * The driver's options from a URL `mysql://user:password@host:port/database?ssl-mode=…&ssl-ca=…`. `preferred` requires
 * TLS, because the driver cannot fall back. Throws TypeError (ERR_INVALID_URL), URIError, and errors of reading a
 * certificate file.
 */
export function connectionOptions(url: string): ConnectionOptions {
  const parsed = new URL(url);
  const { hostname, port, username, password } = parsed;
  const database = databaseOf(url);
  const socketPath = parameterOf(parsed, "socket");
  const ssl = sslOf(parsed);
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1") || "localhost",
    port: Number(port || DEFAULT_PORT),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...(database === null ? {} : { database }),
    ...(socketPath === null ? {} : { socketPath }),
    ...(ssl === null ? {} : { ssl }),
  };
}

/** The database that the URL names; null without one. */
export function databaseOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  return decodeURIComponent(new URL(url).pathname.slice(1)) || null;
}

/** The mode that a URL asks for; null for an unknown word. */
export function sslModeOf(url: URL): SslMode | null {
  const word = (parameterOf(url, "mode") ?? "disabled").toLowerCase();
  return SSL_MODES.find((mode) => mode === word) ?? SYNONYMS[word] ?? null;
}

function sslOf(url: URL): SslOptions | null {
  const mode = sslModeOf(url) ?? "verify_identity";
  if (mode === "disabled") return null;
  const [ca, cert, key] = (["ca", "cert", "key"] as const).map((name) => pemOf(url, name));
  const verifies = mode === "verify_ca" || mode === "verify_identity";
  return {
    rejectUnauthorized: verifies || ca !== null,
    verifyIdentity: mode === "verify_identity",
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  };
}

function pemOf(url: URL, name: "ca" | "cert" | "key"): string | null {
  const path = parameterOf(url, name);
  // Without the remark Next assumes that any file of the project may be read here, and copies all of them into the
  // build.
  return path === null || path === "system" ? null : readFileSync(/* turbopackIgnore: true */ path, "utf8");
}

function parameterOf(url: URL, name: keyof typeof SPELLINGS): string | null {
  const found = SPELLINGS[name].map((spelling) => url.searchParams.get(spelling)).find((value) => value !== null);
  return found ?? null;
}

/** Clause: why the URL would be misread; null if it would not. Never repeats a part of the URL. */
export function problemOfUrl(url: string): string | null {
  const problem = problemOfAddress(url);
  if (problem !== null) return problem;
  if (!URL.canParse(url)) return "it names no host";
  const parsed = new URL(url);
  if (!canDecode(parsed.pathname)) return "the database's name in it is not percent-encoded";
  if (sslModeOf(parsed) === null) return `its ssl-mode is none of ${SSL_MODES.join(", ").toUpperCase()}`;
  return null;
}
