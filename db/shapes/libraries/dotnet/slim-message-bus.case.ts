import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const insert = (number: number, values: string) =>
  `INSERT INTO smb_outbox VALUES ('${id(number)}', '2026-01-01', 'bus', 'Placed', 'x', '{}', 'orders', ${values})`;

export const slimMessageBusCase: LibraryCase = {
  slug: "slimmessagebus",
  ddl: {
    postgres: `CREATE TABLE smb_outbox (id uuid NOT NULL PRIMARY KEY, "timestamp" timestamptz NOT NULL, bus_name varchar(64), message_type varchar(256),
      message_payload bytea NOT NULL, headers jsonb, path varchar(128), lock_instance_id varchar(128), lock_expires_on timestamptz NOT NULL, delivery_attempt int NOT NULL,
      delivery_complete boolean NOT NULL, delivery_aborted boolean DEFAULT false NOT NULL)`,
  },
  table: "smb_outbox",
  rows: [
    { key: id(1), state: "pending", insert: insert(1, "NULL, '1970-01-01', 0, false, false") },
    { key: id(2), state: "failed", insert: insert(2, "'a', '2026-01-01', 2, false, false") },
    { key: id(3), state: "in_flight", insert: insert(3, "'a', '2035-01-01', 0, false, false") },
    { key: id(4), state: "in_flight", insert: insert(4, "NULL, '2035-01-01', 0, false, false") },
    { key: id(5), state: "pending", insert: insert(5, "'a', '2026-01-01', 0, false, false") },
    { key: id(6), state: "dead", insert: insert(6, "'a', '2026-01-01', 9, false, true") },
    { key: id(7), state: "dead", insert: insert(7, "'a', '2026-01-01', 9, true, true") },
    { key: id(8), state: "published", insert: insert(8, "'a', '2026-01-01', 1, true, false") },
  ],
  claims:
    "SELECT id FROM smb_outbox WHERE delivery_complete = false AND delivery_aborted = false AND lock_expires_on < now() at time zone 'UTC'",
};
