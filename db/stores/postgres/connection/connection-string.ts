import { problemOfAddress } from "../../shared/connection/problem-of-address.ts";

/** Accepted values of `sslmode`; `no-verify` is `pg`'s name for what libpq calls `require`. */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"] as const;

/**
 * Rewrites a URL so that `pg` reads it as libpq and psql do: `require` encrypts and checks nothing, `verify-ca` checks
 * the authority, `verify-full` also the name. Unaided, `pg` checks everything for each of them. `allow` connects
 * without TLS. `prefer` requires TLS, because `pg` cannot fall back; the refusal says what to write.
 */
export function connectionString(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  const { searchParams } = parsed;
  const mode = searchParams.get("sslmode") ?? process.env.PGSSLMODE;
  if (!mode || searchParams.has("uselibpqcompat")) return url;
  searchParams.set("uselibpqcompat", "true");
  if (searchParams.get("sslrootcert") === "system") {
    // In libpq `system` means the machine's authorities, which are the default here. Only verify-full allows it.
    searchParams.delete("sslrootcert");
    searchParams.set("sslmode", "verify-full");
  } else if (mode === "no-verify") {
    searchParams.delete("sslrootcert");
    searchParams.set("sslmode", "require");
  } else {
    searchParams.set("sslmode", mode === "allow" ? "disable" : mode);
  }
  return parsed.toString();
}

/** Clause: why the URL would be misread; null if it would not. Never repeats a part of the URL. */
export function problemOfUrl(url: string): string | null {
  const problem = problemOfAddress(url);
  if (problem !== null) return problem;
  const mode = URL.canParse(url) ? new URL(url).searchParams.get("sslmode") : null;
  if (mode !== null && !SSL_MODES.some((known) => known === mode))
    return `its sslmode is none of ${SSL_MODES.slice(0, -1).join(", ")}`;
  return null;
}
