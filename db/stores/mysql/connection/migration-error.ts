import { ConfigError, messageOf } from "#domain/errors.ts";
import { databaseGrantSql } from "./account.ts";
import { addressOf } from "./address-of.ts";
import { databaseOf } from "./connection-string.ts";
import { isForbidden, toDatabaseError } from "./database-error.ts";
import type { OwnPlace } from "./own-place.ts";

/** Error that says why our tables were not created or updated and what to do. `what` names them and the store. */
export function migrationError(
  error: unknown,
  what: string,
  { url, place }: { url: string; place: OwnPlace },
): ConfigError {
  return new ConfigError([sentenceOf(error, what, url, place)]);
}

function sentenceOf(error: unknown, what: string, url: string, place: OwnPlace): string {
  const known = toDatabaseError(error, what);
  if (isForbidden(error) && known.code === "forbidden") {
    const database = "database" in place ? place.database : (databaseOf(url) ?? "…");
    const user = URL.canParse(url) ? decodeURIComponent(new URL(url).username) : "its user";
    return `${what} at ${addressOf(url)}: the database user may not create it. Run it with a URL that may, or: ${databaseGrantSql(database, user)}`;
  }
  return known.code === "internal" ? `${what} at ${addressOf(url)}: ${messageOf(error)}` : known.message;
}
