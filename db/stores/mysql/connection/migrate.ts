import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { programFile } from "#db/stores/shared/connection/program-file.ts";
import { AppError } from "#domain/errors.ts";
import { databaseOf } from "./connection-string.ts";
import { errorNumber, LOCK_WAIT_TIMEOUT } from "./database-error.ts";
import { type Link, openLink } from "./link.ts";
import { literalOf, quoteName } from "./literal.ts";
import { nameOfOwn, type OwnPlace, ownTableName } from "./own-place.ts";

export interface MigrationSet {
  /** Folder with the SQL, relative to the program's; its files are applied in the order of their names. */
  folder: string;
  /** Migrations this program knows. */
  known: number;
}

export interface MigrateOptions {
  /** Longest wait for another migration or a lock on one of our tables, ms. */
  lockTimeoutMs?: number;
}

/** State of our own tables: the number of applied migrations, and the database whose outboxes they describe. */
export interface OwnSchemaFacts {
  applied: number;
  /** Null before the first migration is complete. */
  belongsTo: string | null;
}

const LOCK_TIMEOUT_MS = 15_000;
/** Most time for one statement: a table of ours may be long. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** An earlier, interrupted migration has already run the statement: the table, column, index or constraint exists. */
const ALREADY_DONE = new Set([1050, 1060, 1061, 1826]);

/**
 * Applies the missing migrations, under a lock of the server that makes concurrent ones wait. MySQL commits every DDL
 * statement at once, so a migration that is cut short is repeated from its first statement. Refuses tables that are
 * newer than this program or belong to another database. Throws: unavailable; conflict; locked, naming the holder.
 */
export async function applyMigrations(
  url: string,
  place: OwnPlace,
  set: MigrationSet,
  options: MigrateOptions = {},
): Promise<void> {
  const lockTimeoutMs = options.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
  const link = await openLink({
    url,
    applicationName: "outbox-console migrate",
    readOnly: false,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleLimitMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    await link.send(`SET SESSION lock_wait_timeout = ${Math.ceil(lockTimeoutMs / 1000)}`);
    await takeLock(link, lockName(url, place), lockTimeoutMs);
    await applyMissing(link, { place, database: databaseOf(url) ?? "", set });
  } catch (error) {
    throw errorNumber(error) === LOCK_WAIT_TIMEOUT ? tableLockedError(place, lockTimeoutMs) : error;
  } finally {
    // The lock belongs to the connection and ends with it.
    await link.end();
  }
}

/** Names of such locks have at most 64 characters and belong to the whole server. */
function lockName(url: string, place: OwnPlace): string {
  const subject = "database" in place ? place.database : `${databaseOf(url)}.${place.prefix}`;
  return `outbox-console migrate ${createHash("sha256").update(subject).digest("hex").slice(0, 32)}`;
}

async function takeLock(link: Link, name: string, lockTimeoutMs: number): Promise<void> {
  const seconds = Math.ceil(lockTimeoutMs / 1000);
  const [got] = await link.send(`SELECT GET_LOCK(${literalOf(name)}, ${seconds})`);
  if (got?.rows[0]?.[0] === "1") return;
  const [holder] = await link.send(
    `SELECT id, user, command FROM information_schema.processlist WHERE id = IS_USED_LOCK(${literalOf(name)})`,
  );
  throw lockHeldError(holder?.rows[0], lockTimeoutMs);
}

async function applyMissing(
  link: Link,
  { place, database, set }: { place: OwnPlace; database: string; set: MigrationSet },
): Promise<void> {
  const facts = await readOwnSchema(link.send.bind(link), place);
  if (facts.applied > set.known) throw newerSchemaError(place, facts.applied, set.known);
  if (facts.belongsTo !== null && facts.belongsTo !== database) throw otherDatabaseError(place, facts.belongsTo);
  await createBookkeeping(link, place);
  const meta = ownTableName(place, "meta");
  await link.send(`INSERT IGNORE INTO ${meta} (id, belongs_to) VALUES (1, ${literalOf(database)})`);
  const folder = programFile(set.folder);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  for (const [number, file] of files.entries()) {
    if (number < facts.applied) continue;
    const text = await readFile(join(folder, file), "utf8");
    for (const statement of statementsOf(text, place)) await applyStatement(link, statement);
    const hash = createHash("sha256").update(text).digest("hex");
    const migration = ownTableName(place, "migration");
    await link.send(`INSERT INTO ${migration} (number, hash) VALUES (${number + 1}, ${literalOf(hash)})`);
  }
}

/** Creates only missing objects, so that a user without the right to create a database can use an existing one. */
async function createBookkeeping(link: Link, place: OwnPlace): Promise<void> {
  if ("database" in place) {
    const [found] = await link.send(
      `SELECT 1 FROM information_schema.schemata WHERE schema_name = ${literalOf(place.database)}`,
    );
    if (found?.rows.length === 0)
      await link.send(`CREATE DATABASE IF NOT EXISTS ${quoteName(place.database)} CHARACTER SET utf8mb4`);
  }
  const options = "ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
  const at = "`at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)";
  await link.send(
    `CREATE TABLE IF NOT EXISTS ${ownTableName(place, "migration")} (number bigint NOT NULL PRIMARY KEY, hash varbinary(64) NOT NULL, ${at}) ${options}`,
  );
  await link.send(
    `CREATE TABLE IF NOT EXISTS ${ownTableName(place, "meta")} (id bigint NOT NULL PRIMARY KEY, belongs_to varbinary(255) NOT NULL, ${at}) ${options}`,
  );
}

function statementsOf(text: string, place: OwnPlace): string[] {
  return text
    .split("--> statement-breakpoint")
    .map((statement) =>
      statement.replace(/^--.*$/gm, "").replace(/\{\{(\w+)\}\}/g, (_, name) => ownTableName(place, name)),
    )
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "");
}

async function applyStatement(link: Link, statement: string): Promise<void> {
  try {
    await link.send(statement);
  } catch (error) {
    if (!ALREADY_DONE.has(errorNumber(error) ?? 0)) throw error;
  }
}

/** Returns 0 applied if our tables are missing or the user may not read them. `send` sends to one server. */
export async function readOwnSchema(
  send: (text: string) => Promise<{ rows: (string | null)[][] }[]>,
  place: OwnPlace,
): Promise<OwnSchemaFacts> {
  const of = (name: string) => {
    const schema = "database" in place ? literalOf(place.database) : "DATABASE()";
    return `table_schema = ${schema} AND table_name = ${literalOf("database" in place ? name : place.prefix + name)}`;
  };
  const [found] = await send(
    `SELECT COUNT(*) FROM information_schema.tables WHERE (${of("migration")}) OR (${of("meta")})`,
  );
  if (found?.rows[0]?.[0] !== "2") return { applied: 0, belongsTo: null };
  const [read] = await send(
    `SELECT (SELECT COUNT(*) FROM ${ownTableName(place, "migration")}), (SELECT belongs_to FROM ${ownTableName(place, "meta")} WHERE id = 1)`,
  );
  const [applied, belongsTo = null] = read?.rows[0] ?? [];
  return { applied: Number(applied ?? 0), belongsTo };
}

function lockHeldError(holder: (string | null)[] | undefined, lockTimeoutMs: number): AppError {
  const [id, user, command] = holder ?? [];
  const who = holder
    ? `the connection ${id} (user ${user}, ${command === "Sleep" ? "idle" : "at work"})`
    : "another connection, which has just ended or is not visible to this user";
  const end = holder ? ` Wait until it is done, or end it with KILL ${id};` : " Run it again.";
  return new AppError(
    "locked",
    `The migration lock was not free within ${lockTimeoutMs / 1000} s: ${who} holds it.${end}`,
  );
}

function tableLockedError(place: OwnPlace, lockTimeoutMs: number): AppError {
  return new AppError(
    "locked",
    `A table of ${nameOfOwn(place)} was locked by another connection for ${lockTimeoutMs / 1000} s. Stop the workers, or end the transaction that holds it (SHOW PROCESSLIST), and run it again.`,
  );
}

function newerSchemaError(place: OwnPlace, applied: number, known: number): AppError {
  return new AppError(
    "unavailable",
    `Our tables in ${nameOfOwn(place)} are newer (migration ${applied}) than this program knows (${known}). Update Outbox Console.`,
  );
}

function otherDatabaseError(place: OwnPlace, belongsTo: string): AppError {
  const other = belongsTo === "" ? "a store whose URL names no database" : `the database ${belongsTo}`;
  return new AppError(
    "conflict",
    `Our tables in ${nameOfOwn(place)} hold the records of ${other}; two stores must not share them. Set ownDatabase of this store to another name.`,
  );
}
