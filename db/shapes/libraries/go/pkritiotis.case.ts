import type { LibraryCase } from "../library-case.fixture.ts";

const COLUMNS =
  "id varchar(100) NOT NULL PRIMARY KEY, data BLOB NOT NULL, state int NOT NULL, created_on DATETIME NOT NULL, locked_by varchar(100) NULL, locked_on DATETIME NULL, processed_on DATETIME NULL, number_of_attempts int NOT NULL, last_attempted_on DATETIME NULL, error varchar(1000) NULL";
const insert = (id: string, state: number, locked: string, rest: string) =>
  `INSERT INTO outbox VALUES ('${id}', 'x', ${state}, '2020-01-01', ${locked}, ${rest})`;

/** The library's own table has no key, so that its rows could only be counted. */
export const pkritiotisCase: LibraryCase = {
  slug: "pkritiotis",
  ddl: {
    postgres: `CREATE TABLE outbox (${COLUMNS.replaceAll("DATETIME", "timestamp").replace("BLOB", "bytea")})`,
    mysql: `CREATE TABLE outbox (${COLUMNS})`,
  },
  table: "outbox",
  rows: [
    { key: "new", state: "pending", insert: insert("new", 0, "NULL, NULL", "NULL, 0, NULL, NULL") },
    { key: "failing", state: "failed", insert: insert("failing", 0, "NULL, NULL", "NULL, 2, '2020-01-02', 'refused'") },
    { key: "locked", state: "in_flight", insert: insert("locked", 0, "'m-1', '2020-01-02'", "NULL, 0, NULL, NULL") },
    { key: "sent", state: "published", insert: insert("sent", 1, "NULL, NULL", "'2020-01-02', 1, '2020-01-02', NULL") },
    {
      key: "sent-late",
      state: "published",
      insert: insert("sent-late", 1, "NULL, NULL", "'2020-01-02', 3, '2020-01-02', 'refused'"),
    },
    { key: "over", state: "dead", insert: insert("over", 2, "NULL, NULL", "NULL, 5, '2020-01-02', 'refused'") },
    { key: "odd", state: "unknown", insert: insert("odd", 9, "NULL, NULL", "NULL, 0, NULL, NULL") },
  ],
  claims: "SELECT id FROM outbox WHERE state = 0",
};
