import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { ConfigError, messageOf } from "#domain/errors.ts";
import { quoteIdentifier } from "../tables/mapping-sql.ts";
import { addressOf } from "./address-of.ts";
import { toDatabaseError, whatWasRefused } from "./database-error.ts";

/** Error that says why a database was not migrated and what to do. `what` names the schema or store concerned. */
export function migrationError(error: unknown, what: string, url: string): ConfigError {
  return new ConfigError([sentenceOf(error, what, url)]);
}

function sentenceOf(error: unknown, what: string, url: string): string {
  if (errorCode(error) === "42501") {
    const database = URL.canParse(url) ? decodeURIComponent(new URL(url).pathname.slice(1)) : "…";
    const user = URL.canParse(url) ? decodeURIComponent(new URL(url).username) : "its user";
    const refused = whatWasRefused(error);
    if (/^must be owner|^permission denied for (?:schema|table|sequence) /.test(refused))
      return `${what} at ${addressOf(url)}: a part of it belongs to another user (${refused}). Run it with the URL of that user.`;
    const grant = `GRANT CREATE ON DATABASE ${quoteIdentifier(database)} TO ${quoteIdentifier(user)};`;
    return `${what} at ${addressOf(url)}: the database user may not create it. Run it with a URL that may, or: ${grant}`;
  }
  const known = toDatabaseError(error, what);
  return known.code === "internal" ? `${what} at ${addressOf(url)}: ${messageOf(error)}` : known.message;
}
