import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const columns = `"Id" uuid PRIMARY KEY, "OccurredOn" timestamp NOT NULL, "Type" varchar(255) NOT NULL, "Data" text NOT NULL, "ProcessedDate" timestamp`;
const DDL = `CREATE TABLE "OutboxMessages" (${columns}); CREATE TABLE "InboxMessages" (${columns});
  CREATE TABLE "InternalCommands" ("Id" uuid PRIMARY KEY, "EnqueueDate" timestamp NOT NULL, "Type" varchar(255) NOT NULL, "Data" text NOT NULL, "ProcessedDate" timestamp, "Error" text)`;

const insert = (number: number, processed: string) =>
  `INSERT INTO "OutboxMessages" VALUES ('${id(number)}', '2026-01-01', 'Placed', '{}', ${processed})`;
const insertCommand = (number: number, processed: string, error: string) =>
  `INSERT INTO "InternalCommands" VALUES ('${id(number)}', '2026-01-01', 'Place', '{}', ${processed}, ${error})`;

export const kgrzybekCases: readonly LibraryCase[] = [
  {
    slug: "kgrzybek",
    ddl: { postgres: DDL },
    table: '"OutboxMessages"',
    beside: { InboxMessages: "kgrzybek-inbox", InternalCommands: "kgrzybek-commands" },
    rows: [
      { key: id(1), state: "pending", insert: insert(1, "NULL") },
      { key: id(2), state: "published", insert: insert(2, "'2026-01-02'") },
    ],
    claims: `SELECT "Id" FROM "OutboxMessages" WHERE "ProcessedDate" IS NULL`,
  },
  {
    slug: "kgrzybek-commands",
    ddl: { postgres: DDL },
    table: '"InternalCommands"',
    rows: [
      { key: id(1), state: "pending", insert: insertCommand(1, "NULL", "NULL") },
      { key: id(2), state: "published", insert: insertCommand(2, "'2026-01-02'", "NULL") },
      { key: id(3), state: "dead", insert: insertCommand(3, "'2026-01-02'", "'refused'") },
      { key: id(4), state: "failed", insert: insertCommand(4, "NULL", "'refused'") },
    ],
    claims: `SELECT "Id" FROM "InternalCommands" WHERE "ProcessedDate" IS NULL`,
  },
];
