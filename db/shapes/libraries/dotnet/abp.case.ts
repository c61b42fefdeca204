import { inMysql } from "../in-mysql.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const OUTBOX = `CREATE TABLE "AbpEventOutbox" ("Id" uuid PRIMARY KEY, "ExtraProperties" text NOT NULL, "EventName" varchar(256) NOT NULL, "EventData" bytea NOT NULL,
    "CreationTime" timestamp NOT NULL);`;
const INBOX = `CREATE TABLE "AbpEventInbox" ("Id" uuid PRIMARY KEY, "ExtraProperties" text NOT NULL, "MessageId" varchar(256), "EventName" varchar(256) NOT NULL,
    "EventData" bytea NOT NULL, "CreationTime" timestamp NOT NULL`;

const postgres: LibraryCase = {
  slug: "abp",
  ddl: {
    postgres: `${OUTBOX} ${INBOX}, "Status" integer NOT NULL, "HandledTime" timestamp, "RetryCount" integer NOT NULL, "NextRetryTime" timestamp)`,
  },
  table: '"AbpEventOutbox"',
  beside: { AbpEventInbox: "abp-inbox" },
  rows: [1, 2].map((number) => ({
    key: id(number),
    state: "pending",
    insert: `INSERT INTO "AbpEventOutbox" VALUES ('${id(number)}', '{}', 'Placed', '{}', '2026-01-0${number}')`,
  })),
  claims: `SELECT "Id" FROM "AbpEventOutbox" ORDER BY "CreationTime"`,
};

const before9: LibraryCase = {
  ...postgres,
  ddl: { postgres: `${OUTBOX} ${INBOX}, "Processed" boolean NOT NULL, "ProcessedTime" timestamp)` },
  beside: { AbpEventInbox: "abp-inbox-8" },
};

const MYSQL = OUTBOX.replaceAll('"', "")
  .replace(" uuid", " char(36)")
  .replace("ExtraProperties text", "ExtraProperties longtext")
  .replace(" bytea", " longblob")
  .replace(" timestamp", " datetime(6)");
const { beside: _none, ...outboxOnly } = postgres;

export const abpCases: readonly LibraryCase[] = [postgres, before9, inMysql(outboxOnly, MYSQL, "AbpEventOutbox")];
