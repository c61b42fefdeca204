import { inMysql } from "../in-mysql.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, retries: string, expiresAt: string, status: string) =>
  `INSERT INTO "published" ("Id", "Version", "Name", "Content", "Retries", "Added", "ExpiresAt", "StatusName")
   VALUES (${id}, 'v1', 'order.placed', '{}', ${retries}, '2026-01-01', ${expiresAt}, '${status}')`;

const ROW = `"Content" text, "Retries" int NOT NULL, "Added" timestamp NOT NULL, "ExpiresAt" timestamp, "StatusName" varchar(50) NOT NULL`;

const postgres: LibraryCase = {
  slug: "cap",
  ddl: {
    postgres: `
      CREATE TABLE "published" ("Id" bigint PRIMARY KEY NOT NULL, "Version" varchar(20) NOT NULL, "Name" varchar(200) NOT NULL, ${ROW});
      CREATE TABLE "received" ("Id" bigint PRIMARY KEY NOT NULL, "Version" varchar(20) NOT NULL, "Name" varchar(200) NOT NULL, "Group" varchar(200), ${ROW});
      CREATE TABLE "lock" ("Key" varchar(128) PRIMARY KEY NOT NULL, "Instance" varchar(256), "LastLockTime" timestamp NOT NULL);
      CREATE INDEX "idx_published_ExpiresAt_StatusName" ON "published" ("ExpiresAt", "StatusName")`,
  },
  table: '"published"',
  beside: { received: "cap-received", lock: "cap-lock" },
  rows: [
    { key: "1", state: "pending", insert: insert(1, "0", "NULL", "Scheduled") },
    { key: "2", state: "in_flight", insert: insert(2, "0", "'2035-01-01'", "Queued") },
    { key: "3", state: "pending", insert: insert(3, "0", "'2026-01-02'", "Queued") },
    { key: "4", state: "pending", scheduled: true, insert: insert(4, "0", "'2035-01-01'", "Delayed") },
    { key: "5", state: "failed", insert: insert(5, "3", "'2035-01-01'", "Failed") },
    { key: "6", state: "dead", insert: insert(6, "50", "'2035-01-01'", "Failed") },
    { key: "7", state: "published", insert: insert(7, "0", "'2035-01-01'", "Succeeded") },
    { key: "8", state: "unknown", insert: insert(8, "0", "NULL", "Odd") },
  ],
  claims: `SELECT "Id" FROM "published" WHERE "Retries" < 50 AND "Version" = 'v1' AND "StatusName" IN ('Failed', 'Scheduled')
    UNION SELECT "Id" FROM "published" WHERE ("StatusName" = 'Delayed' OR "StatusName" = 'Queued') AND "ExpiresAt" < {utc}`,
  takesRetried: `SELECT "Id" FROM "published"`,
};

const MYSQL = `CREATE TABLE \`cap.published\` (Id bigint NOT NULL PRIMARY KEY, Version varchar(20), Name varchar(200) NOT NULL, Content longtext, Retries int, Added datetime NOT NULL,
    ExpiresAt datetime, StatusName varchar(40) NOT NULL, INDEX IX_ExpiresAt_StatusName (ExpiresAt, StatusName));
  CREATE TABLE \`cap.received\` (Id bigint NOT NULL PRIMARY KEY, Version varchar(20), Name varchar(400) NOT NULL, \`Group\` varchar(200), Content longtext, Retries int,
    Added datetime NOT NULL, ExpiresAt datetime, StatusName varchar(50) NOT NULL);
  CREATE TABLE \`cap.lock\` (\`Key\` varchar(128) NOT NULL PRIMARY KEY, Instance varchar(256), LastLockTime datetime)`;

const mysql = inMysql(postgres, MYSQL, "`cap.published`");

export const capCases: readonly LibraryCase[] = [
  postgres,
  {
    ...mysql,
    beside: { "cap.received": "cap-received", "cap.lock": "cap-lock" },
    rows: [
      ...mysql.rows,
      {
        key: "9",
        state: "unknown",
        insert: insert(9, "NULL", "NULL", "Failed").replaceAll('"published"', "`cap.published`").replaceAll('"', "`"),
      },
    ],
  },
];
