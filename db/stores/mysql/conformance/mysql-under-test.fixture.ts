import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2/promise";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { Store } from "#db/stores/port/store.ts";
import { borrowMysqlDatabase, flavorsFor, type MysqlFlavor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { startMysqlStatementCutter } from "#tests/mysql-statement-cutter.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import {
  BARE,
  byName,
  CONTRASTS,
  type DatabaseOptions,
  type DatabaseUnderTest,
  DEAD_ATTEMPTS,
  LAYOUTS,
  type Layout,
  type NativeState,
  type NewRow,
  type OutboxUnderTest,
  refuseToCut,
  type StoreUnderTest,
} from "../../conformance/store-under-test.fixture.ts";
import { datetimeOf } from "../connection/instant.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { type Client, column, createInbox, datetime, insertAll } from "./mysql-inbox.fixture.ts";

/** The contrast that the suites of Postgres and DynamoDB leave out. */
const EVERY_RUN = { layouts: [byName("delete")], oneContrast: true, sparing: true };

export const mysqlUnderTest: StoreUnderTest = {
  ...{ kind: "mysql", ...(EVERYTHING ? { layouts: LAYOUTS } : EVERY_RUN) },
  createDatabase: (options) => createDatabase("mysql", options),
};
export const mariadbUnderTest: StoreUnderTest = {
  ...{ kind: "mariadb", ...(EVERYTHING ? { layouts: [...CONTRASTS, BARE] } : EVERY_RUN) },
  createDatabase: (options) => createDatabase("mariadb", options),
};

/**
 * The servers of a suite: the named one in every run, the other where everything runs, because both run the same code.
 */
export function serversFor(everyRun: MysqlFlavor): readonly StoreUnderTest[] {
  return flavorsFor(everyRun).map((flavor) => (flavor === "mysql" ? mysqlUnderTest : mariadbUnderTest));
}

const OUTBOX = "orders_outbox";
const ARCHIVE = "orders_outbox_archive";
const PAYLOAD = "payload";
/** Keeps the text as it is written, which the suites compare. MySQL's json does not; MariaDB's is a text. */
const PAYLOAD_TYPES: Record<MysqlFlavor, string> = { mysql: "longtext", mariadb: "json" };

async function createDatabase(
  flavor: MysqlFlavor,
  { cuttable = false }: DatabaseOptions = {},
): Promise<DatabaseUnderTest> {
  const database = await borrowMysqlDatabase(flavor);
  const url = new URL(database.url);
  const cutter = cuttable ? await startMysqlStatementCutter({ host: url.hostname, port: Number(url.port) }) : null;
  if (cutter) url.port = String(cutter.port);
  const stores: Store[] = [];
  return {
    openStore: () => {
      const store = openMysqlStore({
        name: "shop",
        url: url.toString(),
        applicationName: "outbox-console conformance",
        own: database.own,
      });
      stores.push(store);
      return store;
    },
    cutAt: cutter?.cutAt ?? refuseToCut,
    backdateClaims: async (ms) =>
      void (await database.query(
        `UPDATE ${database.own.database}.claim SET started_at = started_at - INTERVAL ? MICROSECOND`,
        [ms * 1000],
      )),
    backdateHeartbeats: async (ms) =>
      void (await database.query(
        `UPDATE ${database.own.database}.relay_instance SET heartbeat_at = heartbeat_at - INTERVAL ? MICROSECOND`,
        [ms * 1000],
      )),
    stream: { reader: database.name, feed: database.name },
    createOutbox: (layout) => createOutbox(database, layout, PAYLOAD_TYPES[flavor]),
    createInbox: (layout) => createInbox(database, layout),
    drop: async () => {
      for (const store of stores) await store.close();
      await cutter?.close();
      await database.drop();
    },
  };
}

const STATE_COLUMNS: Record<Layout["lifecycle"], string[]> = {
  timestamp: ["published_at timestamp(6) NULL"],
  status: ["status varchar(20) NOT NULL DEFAULT 'PENDING'"],
  flag: ["published tinyint(1) NOT NULL DEFAULT 0"],
  delete: [],
};

async function createOutbox(
  database: MysqlTestDatabase,
  layout: Layout,
  payloadType: string,
): Promise<OutboxUnderTest> {
  const columns = [
    "id char(36) NOT NULL PRIMARY KEY",
    "seq bigint NOT NULL AUTO_INCREMENT UNIQUE",
    "aggregate_type varchar(255)",
    "aggregate_id varchar(255)",
    "event_type varchar(255)",
    `${PAYLOAD} ${payloadType} NOT NULL`,
    "created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)",
    "available_at datetime(6)",
    ...(layout.bare ? ["status varchar(20)"] : STATE_COLUMNS[layout.lifecycle]),
    ...(layout.attempts ? ["attempts int NOT NULL DEFAULT 0", "last_error text"] : []),
  ];
  await database.query(`CREATE TABLE ${OUTBOX} (${columns.join(", ")})`);
  if (layout.archiveTable) await database.query(`CREATE TABLE ${ARCHIVE} LIKE ${OUTBOX}`);
  const run = async (statement: string, values: unknown[] = []) => void (await database.query(statement, values));
  const hold = (statements: string[], release: string) => holdOpen(database, statements, release);
  return {
    name: "orders",
    mapping: mappingOf(database, layout, payloadType),
    insert: (rows) => insertRows(database, layout, rows),
    beginInsert: async (rows) => {
      const connection = await database.connect();
      await connection.query("BEGIN");
      const client = { query: (text: string, values: readonly unknown[]) => connection.query(text, [...values]) };
      const ids = await insertRows(client, layout, rows);
      const end = (statement: string) => endWith(connection, statement);
      return { ids, commit: () => end("COMMIT"), rollback: () => end("ROLLBACK") };
    },
    fill: async (count) => {
      const digits =
        "(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
      const tens = Math.max(1, Math.ceil(Math.log10(count)));
      const places = Array.from({ length: tens }, (_, place) => `${digits} d${place}`);
      const number = Array.from({ length: tens }, (_, place) => `d${place}.n * ${10 ** place}`).join(" + ");
      await run(
        `INSERT INTO ${OUTBOX} (id, aggregate_type, aggregate_id, event_type, ${PAYLOAD})
         SELECT UUID(), 'order', CONCAT('filler-', (${number}) % 1000), 'order.placed', '{}' FROM ${places.join(", ")} LIMIT ?`,
        [count],
      );
      await run(`ANALYZE TABLE ${OUTBOX}`);
    },
    lockRow: (id) => hold(["BEGIN", `SELECT id FROM ${OUTBOX} WHERE id = '${id}' FOR UPDATE`], "ROLLBACK"),
    publishByOther: (id) => run(`${PUBLISH[layout.lifecycle]} WHERE id = ?`, [id]),
    remove: (id) => run(`DELETE FROM ${OUTBOX} WHERE id = ?`, [id]),
    touch: (id) => run(`UPDATE ${OUTBOX} SET available_at = UTC_TIMESTAMP(6) - INTERVAL 1 DAY WHERE id = ?`, [id]),
    row: async (id, table) =>
      (await database.query(`SELECT * FROM ${table === "archive" ? ARCHIVE : OUTBOX} WHERE id = ?`, [id]))[0] ?? null,
    renamePayloadColumn: () => run(`ALTER TABLE ${OUTBOX} CHANGE ${PAYLOAD} body ${payloadType} NOT NULL`),
    keepRows: () => run(`CREATE TABLE effects (event_id char(36), FOREIGN KEY (event_id) REFERENCES ${OUTBOX} (id))`),
    lockTable: () => hold([`LOCK TABLES ${OUTBOX} WRITE`], "UNLOCK TABLES"),
    withholdFact: async () => ({
      fact: "dead",
      ...(await hold([`LOCK TABLES ${database.own.database}.dead_letter WRITE`], "UNLOCK TABLES")),
    }),
  };
}

/** A connection that holds what its statements took until it is released. */
async function holdOpen(
  database: MysqlTestDatabase,
  statements: readonly string[],
  release: string,
): Promise<{ release(): Promise<void> }> {
  const connection = await database.connect();
  for (const statement of statements) await connection.query(statement);
  return { release: () => endWith(connection, release) };
}

async function endWith(connection: Connection, statement: string): Promise<void> {
  await connection.query(statement);
  await connection.end();
}

const PUBLISH: Record<Layout["lifecycle"], string> = {
  timestamp: `UPDATE ${OUTBOX} SET published_at = UTC_TIMESTAMP(6)`,
  status: `UPDATE ${OUTBOX} SET status = 'SENT'`,
  flag: `UPDATE ${OUTBOX} SET published = 1`,
  delete: `DELETE FROM ${OUTBOX}`,
};

function mappingOf(
  { name }: MysqlTestDatabase,
  { lifecycle, bare, attempts, archiveTable }: Layout,
  payloadType: string,
): OutboxMapping {
  const publishedAt = column("published_at", "timestamp(6)", { kind: "timestamptz" });
  const status = { ...column("status", "varchar(20)"), nullable: bare === true };
  const lifecycles: Record<Layout["lifecycle"], OutboxMapping["lifecycle"]> = {
    timestamp: { kind: "timestamp", column: publishedAt },
    status: {
      kind: "status",
      column: status,
      pending: [bare ? null : "PENDING"],
      inFlight: [],
      failed: [],
      published: ["SENT"],
      dead: ["DEAD"],
      expired: ["EXPIRED"],
    },
    flag: { kind: "flag", column: column("published", "tinyint(1)") },
    delete: { kind: "delete" },
  };
  return {
    table: { schema: name, name: OUTBOX },
    primaryKey: [column("id", "char(36)")],
    columns: {
      id: column("id", "char(36)"),
      payload: column(PAYLOAD, payloadType),
      aggregateType: column("aggregate_type", "varchar(255)"),
      aggregateId: column("aggregate_id", "varchar(255)"),
      eventType: column("event_type", "varchar(255)"),
      createdAt: datetime("created_at"),
      availableAt: datetime("available_at"),
      order: column("seq", "bigint"),
      ...(lifecycle === "timestamp" ? { publishedAt } : {}),
      ...(lifecycle === "status" ? { status } : {}),
      ...(attempts ? { attempts: column("attempts", "int"), lastError: column("last_error", "text") } : {}),
    },
    lifecycle: lifecycles[lifecycle],
    deadAttempts: attempts ? DEAD_ATTEMPTS : null,
    archiveTable: archiveTable ? { schema: name, name: ARCHIVE } : null,
    shape: "configured",
  };
}

const now = () => datetimeOf(new Date().toISOString());

/** Values of the columns that express the state. */
function stateOf(
  { lifecycle, bare, attempts }: Layout,
  state: NativeState,
  publishedAt?: string,
): Record<string, unknown> {
  const failures = { failed: DEAD_ATTEMPTS - 1, dead: DEAD_ATTEMPTS, pending: 0, published: 0, expired: 0, unknown: 0 }[
    state
  ];
  const published = state === "published";
  const isWaiting = state === "pending" || state === "failed";
  return {
    ...(attempts && failures > 0 ? { attempts: failures, last_error: "HTTP 500" } : {}),
    ...(lifecycle === "timestamp" && published ? { published_at: publishedAt ? datetimeOf(publishedAt) : now() } : {}),
    ...(lifecycle === "flag" ? { published: published ? 1 : 0 } : {}),
    ...(lifecycle === "status" ? { status: bare && isWaiting ? null : STATUS_WORDS[state] } : {}),
  };
}

const STATUS_WORDS: Record<NativeState, string> = {
  pending: "PENDING",
  failed: "PENDING",
  dead: "DEAD",
  published: "SENT",
  expired: "EXPIRED",
  unknown: "ODD",
};

async function insertRows(client: Client, layout: Layout, rows: readonly NewRow[]): Promise<string[]> {
  const values = rows.map(({ state = "pending", ...row }) => ({
    id: row.id ?? randomUUID(),
    aggregate_type: row.aggregateId === null ? null : "order",
    aggregate_id: row.aggregateId === undefined ? "a" : row.aggregateId,
    event_type: row.eventType === undefined ? "order.placed" : row.eventType,
    [PAYLOAD]: row.payload ?? '{"n":1}',
    created_at: row.createdAt ? datetimeOf(row.createdAt) : now(),
    available_at: row.availableAt ? datetimeOf(row.availableAt) : null,
    ...stateOf(layout, state, row.publishedAt),
  }));
  await insertAll(client, OUTBOX, values);
  return values.map(({ id }) => id);
}
