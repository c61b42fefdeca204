import { addressOf } from "#db/stores/mysql/connection/address-of.ts";
import { databaseOf } from "#db/stores/mysql/connection/connection-string.ts";
import { errorNumber, isForbidden, toDatabaseError } from "#db/stores/mysql/connection/database-error.ts";
import { type Link, openLink } from "#db/stores/mysql/connection/link.ts";
import { literalOf, quoteName } from "#db/stores/mysql/connection/literal.ts";
import { AppError } from "#domain/errors.ts";

const TIMEOUT_MS = 10_000;
const IDLE_LIMIT_MS = 20_000;
const DATABASE_EXISTS = 1007;
/** A table of this name and comment shows that the demo has created the database. */
const MARKER = { table: "demo_marker", comment: "This database was created by the demo of Outbox Console." };

/**
 * Checks that the server of the URL answers and can be used, and that its database is the demo's or does not exist.
 * Throws AppError with a sentence. Changes nothing.
 */
export function checkServer(url: string): Promise<void> {
  return onServer(url, async (link, name) => {
    if ((await ownerOf(link, name)) === "other") throw foreignDatabase(url, name);
  });
}

/** Creates the database of the URL with its marker, unless the demo has done so before. Throws as `checkServer`. */
export function createOwnDatabase(url: string): Promise<void> {
  return onServer(url, async (link, name) => {
    const owner = await ownerOf(link, name);
    if (owner === "other") throw foreignDatabase(url, name);
    if (owner === "demo") return;
    const database = quoteName(name);
    await link
      .send(
        `CREATE DATABASE ${database} CHARACTER SET utf8mb4;
         CREATE TABLE ${database}.${MARKER.table} (id int NOT NULL PRIMARY KEY) COMMENT = ${literalOf(MARKER.comment)}`,
      )
      .catch((error: unknown) => {
        // Databases that this user may not see look as if they did not exist.
        if (errorNumber(error) === DATABASE_EXISTS) throw foreignDatabase(url, name);
        if (isForbidden(error)) throw forbidden(url, name);
        throw error;
      });
  });
}

async function onServer<T>(url: string, work: (link: Link, name: string) => Promise<T>): Promise<T> {
  let link: Link | null = null;
  try {
    link = await openLink({
      url: withoutDatabase(url),
      applicationName: "demo",
      readOnly: false,
      statementTimeoutMs: TIMEOUT_MS,
      idleLimitMs: IDLE_LIMIT_MS,
    });
    return await work(link, databaseOf(url) ?? "");
  } catch (error) {
    const explained = toDatabaseError(error, `the demo (${serverOf(url)}, from MYSQL_URL)`);
    throw explained.code === "internal" ? error : explained;
  } finally {
    await link?.end();
  }
}

/** Host and port. */
function serverOf(url: string): string {
  return addressOf(withoutDatabase(url)).replace(/\/$/, "");
}

function withoutDatabase(url: string): string {
  const server = new URL(url);
  server.pathname = "/";
  return server.toString();
}

async function ownerOf(link: Link, name: string): Promise<"demo" | "other" | "none"> {
  const [found] = await link.send(
    `SELECT (SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = ${literalOf(name)}),
      (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ${literalOf(name)}
        AND table_name = ${literalOf(MARKER.table)} AND table_comment = ${literalOf(MARKER.comment)})`,
  );
  const [databases, markers] = found?.rows[0] ?? [];
  if (databases === "0") return "none";
  return markers === "0" ? "other" : "demo";
}

function foreignDatabase(url: string, name: string): AppError {
  return new AppError(
    "conflict",
    `The database ${name} at ${serverOf(url)} exists and was not created by this demo: nothing in it is touched. Name another server in MYSQL_URL, or rename or drop that database.`,
  );
}

function forbidden(url: string, name: string): AppError {
  return new AppError(
    "forbidden",
    `The user of MYSQL_URL may not create the database ${name} at ${serverOf(url)}. Let it: GRANT ALL ON \`${name}\`.* TO this user.`,
  );
}
