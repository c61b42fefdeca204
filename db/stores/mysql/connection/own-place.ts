import { AppError } from "#domain/errors.ts";
import { databaseOf } from "./connection-string.ts";
import { quoteName } from "./literal.ts";

/** Where our own tables live: in a separate database, or with a prefix in the database of the URL. */
export type OwnPlace = { database: string } | { prefix: string };

export const DEFAULT_OWN_DATABASE = "outbox_console";

/**
 * Names of our own tables in the places of this process' stores, and of our databases. The server names in an error the
 * table that it did not find, and not whose it is.
 */
const ownNames = new Set<string>();

export function noteOwnNames(place: OwnPlace, tables: readonly string[]): void {
  if ("database" in place) ownNames.add(place.database);
  for (const table of tables) ownNames.add("database" in place ? `${place.database}.${table}` : table);
}

/**
 * True for a table of our own, or without one for a database. With a prefix our tables are in a database of the team.
 */
export function isOwnName(database: string, table?: string): boolean {
  if (table === undefined) return ownNames.has(database);
  return ownNames.has(`${database}.${table}`) || ownNames.has(table);
}

/** The default is a database of our own. Throws invalid_input for a prefix without a database in the URL. */
export function ownPlaceOf({ url, own }: { url: string; own?: OwnPlace | undefined }): OwnPlace {
  const place = own ?? { database: DEFAULT_OWN_DATABASE };
  if ("prefix" in place && databaseOf(url) === null)
    throw new AppError(
      "invalid_input",
      "The store keeps our tables under a prefix in the database of its URL, and the URL names no database.",
    );
  return place;
}

/** For sentences: the database of our own tables, or their prefix. */
export function nameOfOwn(place: OwnPlace): string {
  return "database" in place ? `the database ${place.database}` : `the tables ${place.prefix}…`;
}

/** The quoted name of one of our own tables, as it stands in a statement. */
export function ownTableName(place: OwnPlace, name: string): string {
  return "database" in place ? `${quoteName(place.database)}.${quoteName(name)}` : quoteName(`${place.prefix}${name}`);
}
