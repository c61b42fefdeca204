import { DEFAULT_PORT } from "./connection-string.ts";

/** Host, port and database of a URL, without the user and the password. */
export function addressOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || DEFAULT_PORT}${pathname}`;
  } catch (error) {
    if (error instanceof TypeError) return "an address that is not a URL";
    throw error;
  }
}
