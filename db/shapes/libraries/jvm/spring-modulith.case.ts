import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const first = "id, listener_id, event_type, serialized_event, publication_date, completion_date";
const insert = (number: number, columns: string, values: string) =>
  `INSERT INTO event_publication (${columns}) VALUES ('${id(number)}', 'listener', 'Placed', '{}', '2026-01-01', ${values})`;

const POSTGRES = `id uuid NOT NULL PRIMARY KEY, listener_id text NOT NULL, event_type text NOT NULL, serialized_event text NOT NULL, publication_date timestamptz NOT NULL,
  completion_date timestamptz`;
const MYSQL = `id varchar(36) NOT NULL PRIMARY KEY, listener_id varchar(512) NOT NULL, event_type varchar(512) NOT NULL, serialized_event varchar(4000) NOT NULL,
  publication_date timestamp(6) NOT NULL, completion_date timestamp(6) NULL`;

const both = (columns: string) =>
  `CREATE TABLE event_publication (${columns}); CREATE TABLE event_publication_archive (${columns})`;
const beside = { event_publication_archive: "spring-modulith-archive" };

export const springModulith1Case: LibraryCase = {
  slug: "spring-modulith-1",
  ddl: { postgres: both(POSTGRES), mysql: both(MYSQL) },
  table: "event_publication",
  beside,
  rows: [
    { key: id(1), state: "pending", insert: insert(1, first, "NULL") },
    { key: id(2), state: "published", insert: insert(2, first, "'2026-01-02'") },
  ],
  claims: "SELECT id FROM event_publication WHERE completion_date IS NULL",
};

const insert2 = (number: number, values: string) =>
  insert(number, `${first}, status, completion_attempts, last_resubmission_date`, values);

export const springModulith2Case: LibraryCase = {
  slug: "spring-modulith-2",
  ddl: {
    postgres: both(`${POSTGRES}, status text, completion_attempts int, last_resubmission_date timestamptz`),
    mysql: both(`${MYSQL}, status varchar(20), completion_attempts int, last_resubmission_date timestamp(6) NULL`),
  },
  table: "event_publication",
  beside,
  rows: [
    { key: id(1), state: "pending", insert: insert2(1, "NULL, 'PUBLISHED', 1, NULL") },
    { key: id(2), state: "pending", insert: insert2(2, "NULL, NULL, NULL, NULL") },
    { key: id(3), state: "in_flight", insert: insert2(3, "NULL, 'PROCESSING', 1, NULL") },
    { key: id(4), state: "in_flight", insert: insert2(4, "NULL, 'RESUBMITTED', 2, '2026-01-01'") },
    { key: id(5), state: "failed", insert: insert2(5, "NULL, 'FAILED', 2, '2026-01-01'") },
    { key: id(6), state: "published", insert: insert2(6, "'2026-01-02', 'COMPLETED', 1, NULL") },
    { key: id(7), state: "published", insert: insert2(7, "'2026-01-02', NULL, NULL, NULL") },
    { key: id(8), state: "unknown", insert: insert2(8, "NULL, 'PENDING', 1, NULL") },
  ],
  claims: "SELECT id FROM event_publication WHERE completion_date IS NULL AND status = 'FAILED'",
  takesRetried: "SELECT id FROM event_publication WHERE completion_date IS NULL",
};
