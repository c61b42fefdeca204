import type { LibraryCase } from "../library-case.fixture.ts";

const OLDER =
  "messageid varchar(255) UNIQUE NOT NULL, topic varchar(255), messagetype varchar(32), timestamp timestamptz, correlationid varchar(255), replyto varchar(255), contenttype varchar(128), partitionkey varchar(128), workflowid varchar(255), jobid varchar(255), dispatched timestamptz, headerbag text, body text";
const CLOUD_EVENTS =
  "source varchar(255), type varchar(255), dataschema varchar(255), subject varchar(255), traceparent varchar(255), tracestate varchar(255), baggage text, dataref varchar(255), causationid varchar(255), specversion varchar(255)";

const insert = (id: number, timestamp: string, dispatched: string) =>
  `INSERT INTO outbox (id, messageid, topic, messagetype, timestamp, dispatched, headerbag, body) VALUES (${id}, 'm${id}', 'orders', 'MT_EVENT', ${timestamp}, ${dispatched}, '{}', '{}')`;

const rows: LibraryCase["rows"] = [
  { key: "1", state: "pending", insert: insert(1, "'2026-01-01'", "NULL") },
  { key: "2", state: "published", insert: insert(2, "'2026-01-01'", "'2026-01-02'") },
  { key: "3", state: "unknown", insert: insert(3, "NULL", "NULL") },
];
const outstanding = "FROM outbox WHERE dispatched IS NULL AND timestamp < {now}";

const current: LibraryCase = {
  slug: "brighter",
  ddl: {
    postgres: `CREATE TABLE outbox (id bigserial PRIMARY KEY, ${OLDER}, ${CLOUD_EVENTS});
      CREATE TABLE inbox (commandid varchar(256) NOT NULL, commandtype varchar(256), commandbody text, timestamp timestamptz, contextkey varchar(256),
        causationid varchar(256), PRIMARY KEY (commandid, contextkey))`,
  },
  table: "outbox",
  beside: { inbox: "brighter-inbox" },
  rows,
  claims: `SELECT id ${outstanding}`,
  takesRetried: "SELECT id FROM outbox",
};

const inMysql = (sql: string) =>
  sql.replaceAll("timestamptz", "timestamp(3) NULL").replace("UNIQUE NOT NULL", "NOT NULL PRIMARY KEY");

const older: LibraryCase = {
  slug: "brighter-before-cloudevents",
  ddl: { postgres: `CREATE TABLE shop_outbox (id bigserial PRIMARY KEY, ${OLDER})` },
  table: "shop_outbox",
  rows: rows.map((row) => ({ ...row, insert: row.insert.replace("outbox", "shop_outbox") })),
  claims: `SELECT id ${outstanding.replace("outbox", "shop_outbox")}`,
  takesRetried: "SELECT id FROM shop_outbox",
};

const mysql: LibraryCase = {
  ...current,
  ddl: {
    mysql: `CREATE TABLE outbox (${inMysql(OLDER)}, ${CLOUD_EVENTS}, Created timestamp(3) NOT NULL DEFAULT NOW(3), CreatedID int NOT NULL AUTO_INCREMENT UNIQUE);
      CREATE TABLE inbox (CommandId varchar(256) NOT NULL, CommandType varchar(256), CommandBody text, Timestamp timestamp(4) NULL, ContextKey varchar(256),
        PRIMARY KEY (CommandId, ContextKey))`,
  },
  rows: rows.map((row) => ({
    ...row,
    key: `m${row.key}`,
    insert: row.insert.replace("(id, ", "(").replace(/VALUES \(\d, /, "VALUES ("),
  })),
  claims: `SELECT messageid ${outstanding}`,
  takesRetried: "SELECT messageid FROM outbox",
};

export const brighterCases: readonly LibraryCase[] = [current, older, mysql];
