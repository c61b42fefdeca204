import { addressOfUrl } from "#db/stores/shared/connection/address-of-url.ts";
import { DEFAULT_PORT } from "./connection-string.ts";

/** Host, port and database of a URL, without the user and the password. */
export const addressOf = (url: string): string => addressOfUrl(url, String(DEFAULT_PORT));
