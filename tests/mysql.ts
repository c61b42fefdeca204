import { randomBytes } from "node:crypto";
import mysql from "mysql2/promise";
import { afterAll, afterEach, beforeAll, beforeEach, inject, TestRunner } from "vitest";
import { migrateStoreSide } from "#db/stores/mysql/own-schema/migrate.ts";
import { MYSQL_FLAVORS, type MysqlFlavor, MysqlUnavailable } from "./mysql-servers/server-program.ts";
import type { MysqlAnswer } from "./mysql-setup.ts";
import { EVERYTHING } from "./test-depth.ts";
import { waitFor } from "./wait-for.ts";

export type { MysqlFlavor } from "./mysql-servers/server-program.ts";

/** A server may have to be downloaded first. */
export const MYSQL_START_TIMEOUT_MS = 240_000;

/** `empty` has none of our own tables, like a user's database that is only observed. */
export type MysqlDatabaseKind = "migrated" | "empty";

type Row = Record<string, string | null>;

export interface MysqlTestDatabase {
  name: string;
  url: string;
  /** The database of our own tables. */
  own: { database: string };
  /** Rows as objects of texts, of the last statement where there are several. */
  query(statement: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The test's own connection, in UTC; closed with the database. */
  connect(): Promise<mysql.Connection>;
  /**
   * Fails when the code under test has left a connection open for longer than `patienceMs`; then drops the database.
   */
  drop(patienceMs?: number): Promise<void>;
  /** Drops the database despite open connections. */
  dropByForce(): Promise<void>;
}

/**
 * The servers of a test: the named one in every run, the other where everything runs, because both run the same code.
 */
export function flavorsFor(everyRun: MysqlFlavor): readonly MysqlFlavor[] {
  return EVERYTHING ? MYSQL_FLAVORS : [everyRun];
}

const found = new Map<MysqlFlavor, Promise<string>>();

/** URL of the superuser of the run's server; its scheme is the flavor. Throws MysqlUnavailable. */
export function mysqlServerUrl(flavor: MysqlFlavor): Promise<string> {
  const known = found.get(flavor) ?? findServer(flavor);
  found.set(flavor, known);
  return known;
}

async function findServer(flavor: MysqlFlavor): Promise<string> {
  const response = await fetch(`${inject("mysqlDeskUrl")}/${flavor}`);
  const answer = (await response.json()) as MysqlAnswer;
  if ("unavailable" in answer) throw new MysqlUnavailable(answer.unavailable);
  if ("failure" in answer) throw new Error(answer.failure);
  return answer.url.replace(/^\w+:/, `${flavor}:`);
}

/** Driver options with which tests get every value as the server prints it. */
function optionsOf(url: string): mysql.ConnectionOptions {
  return {
    uri: url.replace(/^mariadb:/, "mysql:"),
    charset: "UTF8MB4_BIN",
    multipleStatements: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // The driver allocates half a megabyte for its default of 16,000.
    maxPreparedStatements: 1,
    typeCast: (field) => field.buffer()?.toString("utf8") ?? null,
  };
}

/** Marks the test's own connections, to distinguish them from those of the code under test. */
const TEST_SETTINGS = "SET time_zone = '+00:00', @test_connection = 1";

/** A database private to this test. In a test or its hooks it is skipped where there is no such server. */
export function createMysqlDatabase(
  flavor: MysqlFlavor,
  kind: MysqlDatabaseKind = "migrated",
): Promise<MysqlTestDatabase> {
  return skipWithoutServer(async () => {
    const url = await mysqlServerUrl(flavor);
    return handleOn(url, await createDatabase(url, kind));
  });
}

/**
 * The same as a migrated one that is private to this test, in a fifth of MySQL's processor time: `drop` empties it for
 * the next test. For tests that leave the structure of our own tables as it is, and do not depend on their counters.
 */
export function borrowMysqlDatabase(flavor: MysqlFlavor): Promise<MysqlTestDatabase> {
  return skipWithoutServer(async () => {
    const url = await mysqlServerUrl(flavor);
    const name = spare.get(url)?.pop() ?? (await createDatabase(url, "migrated"));
    return handleOn(url, name, async () => {
      await emptyDatabase(url, name);
      spare.set(url, [...(spare.get(url) ?? []), name]);
    });
  });
}

/** Names of empty, migrated databases, by server. Removed after the run. */
const spare = new Map<string, string[]>();

async function skipWithoutServer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const test = TestRunner.getCurrentTest();
    if (error instanceof MysqlUnavailable && test) return test.context.skip(error.message);
    throw error;
  }
}

const ownDatabaseOf = (name: string) => `${name}_own`;
const urlOf = (serverUrl: string, name: string) =>
  Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString();

/** Returns its name. */
async function createDatabase(serverUrl: string, kind: MysqlDatabaseKind): Promise<string> {
  const name = `${inject("mysqlPrefix")}${randomBytes(5).toString("hex")}`;
  await onServer(serverUrl, (server) => server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`));
  if (kind === "migrated") await migrateStoreSide(urlOf(serverUrl, name), { database: ownDatabaseOf(name) });
  return name;
}

/** As it was when it was created. */
async function emptyDatabase(serverUrl: string, name: string): Promise<void> {
  await onServer(serverUrl, async (server) => {
    const [tables] = await server.query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? AND table_name NOT IN ('meta', 'migration')",
      [ownDatabaseOf(name)],
    );
    const deletes = (tables as Row[]).map((table) => `DELETE FROM ${ownDatabaseOf(name)}.${table.name}`);
    await server.query(
      [`DROP DATABASE ${name}`, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`, ...deletes].join("; "),
    );
  });
}

function handleOn(serverUrl: string, name: string, giveBack?: () => Promise<void>): MysqlTestDatabase {
  const own = { database: ownDatabaseOf(name) };
  const url = urlOf(serverUrl, name);
  const connections = new Set<mysql.Connection>();
  const connect = async () => {
    const connection = await mysql.createConnection(optionsOf(url));
    // A connection that a test kills fails its own statements.
    connection.on("error", () => undefined);
    await connection.query(TEST_SETTINGS);
    connections.add(connection);
    return connection;
  };
  let shared: Promise<mysql.Connection> | null = null;
  const close = async () => {
    for (const connection of connections) connection.destroy();
    connections.clear();
  };
  const dropByForce = async () => {
    await close();
    await onServer(serverUrl, async (server) => {
      await endConnections(server, name);
      await server.query(`DROP DATABASE IF EXISTS ${name}; DROP DATABASE IF EXISTS ${own.database}`);
    });
  };
  return {
    name,
    url,
    own,
    connect,
    query: async (statement, values = []) => {
      shared ??= connect();
      const [rows] = await (await shared).query({ sql: statement, values: [...values] });
      const last: unknown = Array.isArray(rows) && Array.isArray(rows.at(-1)) ? rows.at(-1) : rows;
      return Array.isArray(last) ? (last as Row[]) : [];
    },
    dropByForce,
    drop: async (patienceMs = 10_000) => {
      await close();
      try {
        await onServer(serverUrl, (server) => refuseLeaks(server, name, patienceMs));
      } catch (error) {
        await dropByForce();
        throw error;
      }
      await (giveBack ?? dropByForce)();
    },
  };
}

/**
 * One database for all tests of a file (or a `describe`): created before the first, dropped after the last with a check
 * that no connection was left open. After a failed test the check is skipped, so that it does not hide the failure.
 * Where there is no such server, the tests are skipped with the reason.
 */
export function testMysqlDatabase(flavor: MysqlFlavor, kind: MysqlDatabaseKind = "migrated"): () => MysqlTestDatabase {
  let database: MysqlTestDatabase | null = null;
  let unavailable: string | null = null;
  beforeAll(async () => {
    try {
      database = await createMysqlDatabase(flavor, kind);
    } catch (error) {
      if (!(error instanceof MysqlUnavailable)) throw error;
      unavailable = error.message;
    }
  }, MYSQL_START_TIMEOUT_MS);
  beforeEach(({ skip }) => {
    if (unavailable !== null) skip(unavailable);
  });
  let failed = false;
  afterEach(({ task }) => {
    failed ||= task.result?.state === "fail";
  });
  afterAll(() => (failed ? database?.dropByForce() : database?.drop()));
  return () => {
    if (database === null) throw new Error("The test database is available only inside tests and hooks.");
    return database;
  };
}

/** Runs `work` on a connection of the server's superuser. */
export async function onServer<T>(url: string, work: (server: mysql.Connection) => Promise<T>): Promise<T> {
  const server = await mysql.createConnection(optionsOf(url));
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

async function connectionsTo(server: mysql.Connection, name: string): Promise<Row[]> {
  const [rows] = await server.query(
    "SELECT CAST(id AS CHAR) AS id, info, command FROM information_schema.processlist WHERE db = ?",
    [name],
  );
  return rows as Row[];
}

async function endConnections(server: mysql.Connection, name: string): Promise<void> {
  for (const { id } of await connectionsTo(server, name)) {
    // A connection that has just ended is not an error.
    await server.query(`KILL ${id}`).catch(() => undefined);
  }
}

/** A connection's thread exits shortly after its client, hence the patience. */
async function refuseLeaks(server: mysql.Connection, name: string, patienceMs: number): Promise<void> {
  let leaked: Row[] = [];
  await waitFor(
    async () => {
      leaked = await connectionsTo(server, name);
      return leaked.length === 0;
    },
    { timeoutMs: patienceMs, message: "every connection to the test database is closed" },
  ).catch((cause) => {
    const told = leaked.map(({ command, info }) => `${command} (${info?.slice(0, 120) ?? "idle"})`);
    throw new Error(`${leaked.length} connection(s) were left open: ${told.join("; ")}`, { cause });
  });
}
