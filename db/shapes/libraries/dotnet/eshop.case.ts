import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const insert = (number: number, state: number, timesSent: number) =>
  `INSERT INTO "IntegrationEventLog" VALUES ('${id(number)}', 'Placed', ${state}, ${timesSent}, '2026-01-01', '{}', '${id(9)}')`;

export const eShopCase: LibraryCase = {
  slug: "eshop",
  ddl: {
    postgres: `CREATE TABLE "IntegrationEventLog" ("EventId" uuid NOT NULL PRIMARY KEY, "EventTypeName" text NOT NULL, "State" integer NOT NULL, "TimesSent" integer NOT NULL,
      "CreationTime" timestamptz NOT NULL, "Content" text NOT NULL, "TransactionId" uuid NOT NULL)`,
  },
  table: '"IntegrationEventLog"',
  rows: [
    { key: id(1), state: "pending", insert: insert(1, 0, 0) },
    { key: id(2), state: "in_flight", insert: insert(2, 1, 1) },
    { key: id(3), state: "published", insert: insert(3, 2, 1) },
    { key: id(4), state: "dead", insert: insert(4, 3, 1) },
    { key: id(5), state: "pending", insert: insert(5, 0, 2) },
    { key: id(6), state: "unknown", insert: insert(6, 7, 0) },
  ],
  claims: `SELECT "EventId" FROM "IntegrationEventLog" WHERE "State" = 0`,
};
