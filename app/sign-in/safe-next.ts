/** Only a path of this console: an address elsewhere would turn the sign-in page into a signpost for strangers. */
export function safeNext(next: string | string[] | undefined): string {
  if (typeof next !== "string" || !next.startsWith("/") || /^\/[/\\]/.test(next)) return "/";
  const url = URL.parse(next, "http://console.invalid");
  if (url === null || url.host !== "console.invalid" || url.pathname === "/sign-in") return "/";
  return url.pathname + url.search;
}
