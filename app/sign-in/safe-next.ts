const BASE = "http://console.invalid";

/**
 * The page of this console to open after signing in, as path and query; "/" for anything that leads elsewhere. Checks
 * the parsed URL, because only the parser gives dots, backslashes and tabs their meaning.
 */
export function safeNext(next: string | string[] | undefined): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/";
  const url = URL.parse(next, BASE);
  if (url === null || url.origin !== BASE || url.pathname === "/sign-in") return "/";
  // A path that starts with two slashes names another host when a browser resolves it: `/..//host` parses to `//host`.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search;
}
