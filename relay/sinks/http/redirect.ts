import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Only these keep the method and the body; the others would turn a POST into a GET. */
export function keepsMethod(status: number): boolean {
  return status === 307 || status === 308;
}

/** For people: no user, no query. */
export function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Where a redirect leads, or in a sentence why it is not followed. The configured origin is trusted, whatever its
 * address. Names are checked when they are resolved for a connection, see publicLookup.
 */
export function resolveRedirect(input: {
  from: URL;
  home: URL;
  location: string | undefined;
  privateAllowed: boolean;
}): { url: URL } | { refused: string } {
  const { from, home, location } = input;
  const url = location === undefined ? null : URL.parse(location, from);
  if (!url) return { refused: "The redirect is refused: it names no address that can be read." };
  const refuse = (why: string) => ({ refused: `The redirect to ${shownAddress(url)} is refused: ${why}.` });
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("it is neither http nor https");
  if (from.protocol === "https:" && url.protocol === "http:") return refuse("it leads from https to http");
  if (url.origin === home.origin || input.privateAllowed) return { url };
  const address = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address)) return refuse(`${address} is no public address`);
  return { url };
}
