const BASE = "http://console.invalid";

/**
 * A page of this console to go to after signing in, as path and query; anything that leads elsewhere becomes "/". The
 * checks read what the URL parser made of the text, because dots, backslashes and tabs mean something only to the parser.
 */
export function safeNext(next: string | string[] | undefined): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/";
  const url = URL.parse(next, BASE);
  if (url === null || url.origin !== BASE || url.pathname === "/sign-in") return "/";
  // A path that starts with two slashes names another host when a browser resolves it: `/..//host` parses to `//host`.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search;
}
