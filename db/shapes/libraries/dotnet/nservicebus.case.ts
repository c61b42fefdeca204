import { inMysql } from "../in-mysql.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const postgres: LibraryCase = {
  slug: "nservicebus",
  ddl: {
    postgres: `CREATE TABLE "Sales_OutboxData" ("MessageId" varchar(200) PRIMARY KEY, "Dispatched" boolean NOT NULL DEFAULT false, "DispatchedAt" timestamp,
        "PersistenceVersion" varchar(23), "Operations" jsonb NOT NULL);
      CREATE INDEX "Index_DispatchedAt" ON "Sales_OutboxData" ("DispatchedAt");
      CREATE INDEX "Index_Dispatched" ON "Sales_OutboxData" ("Dispatched")`,
  },
  table: '"Sales_OutboxData"',
  rows: [
    {
      key: "waiting",
      state: "pending",
      insert: `INSERT INTO "Sales_OutboxData" VALUES ('waiting', false, NULL, '8.0', '[{}]')`,
    },
    {
      key: "sent",
      state: "published",
      insert: `INSERT INTO "Sales_OutboxData" VALUES ('sent', true, '2026-01-01', '8.0', '[]')`,
    },
  ],
  claims: `SELECT "MessageId" FROM "Sales_OutboxData" WHERE "Dispatched" = false`,
  refuses: { "dead-letter": /handling the incoming message twice/ },
};

const MYSQL = `CREATE TABLE Sales_OutboxData (MessageId varchar(200) CHARACTER SET ascii NOT NULL PRIMARY KEY, Dispatched bit(1) NOT NULL DEFAULT 0, DispatchedAt datetime,
  PersistenceVersion varchar(23) CHARACTER SET ascii NOT NULL, Operations json NOT NULL, INDEX Index_DispatchedAt (DispatchedAt))`;

export const nServiceBusCases: readonly LibraryCase[] = [postgres, inMysql(postgres, MYSQL, "Sales_OutboxData")];
