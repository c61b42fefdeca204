import { addressOfUrl } from "#db/stores/shared/connection/address-of-url.ts";

const DEFAULT_PORT = "5432";

/** Host, port and database of a URL, without the user and the password. */
export const addressOf = (url: string): string => addressOfUrl(url, DEFAULT_PORT);
