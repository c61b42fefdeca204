import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Only these keep method and body; other redirects turn a POST into a GET. */
export function keepsMethod(status: number): boolean {
  return status === 307 || status === 308;
}

/** Address for display, without user or query. */
export function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Returns a redirect's target, or a sentence that says why it is refused. The configured origin is trusted at any
 * address. Host names are checked when they are resolved for a connection (publicLookup).
 */
export function resolveRedirect(input: {
  from: URL;
  home: URL;
  location: string | undefined;
  privateAllowed: boolean;
}): { url: URL } | { refused: string } {
  const { from, home, location } = input;
  const url = location === undefined ? null : URL.parse(location, from);
  if (!url) return { refused: "The redirect is refused: its location is not a valid URL." };
  const refuse = (why: string) => ({ refused: `The redirect to ${shownAddress(url)} is refused: ${why}.` });
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("it is neither http nor https");
  if (from.protocol === "https:" && url.protocol === "http:") return refuse("it leads from https to http");
  if (url.origin === home.origin || input.privateAllowed) return { url };
  const address = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address)) return refuse(`${address} is not a public address`);
  return { url };
}
