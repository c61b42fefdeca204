import type { LibraryCase } from "../library-case.fixture.ts";

const UNTOLD = /No row of this table says/;

export const watermillCase: LibraryCase = {
  slug: "watermill",
  ddl: {
    postgres: `CREATE TABLE watermill_orders ("offset" bigserial, uuid varchar(36) NOT NULL, created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
        payload json, metadata json, transaction_id bigint NOT NULL, PRIMARY KEY (transaction_id, "offset"));
      CREATE TABLE watermill_offsets_orders (consumer_group varchar(255) NOT NULL PRIMARY KEY, offset_acked bigint, last_processed_transaction_id bigint NOT NULL)`,
  },
  table: "watermill_orders",
  rows: [
    {
      key: ["7", "1"],
      state: "unknown",
      insert: `INSERT INTO watermill_orders ("offset", uuid, payload, metadata, transaction_id) VALUES (1, 'a', '{}', '{}', 7)`,
    },
  ],
  claims: null,
  refuses: { "dead-letter": UNTOLD },
};

export const watermillMysqlCase: LibraryCase = {
  slug: "watermill",
  ddl: {
    mysql:
      "CREATE TABLE watermill_orders (`offset` bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, uuid varchar(36) NOT NULL, created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, payload json, metadata json)",
  },
  table: "watermill_orders",
  rows: [
    {
      key: "1",
      state: "unknown",
      insert: "INSERT INTO watermill_orders (`offset`, uuid, payload, metadata) VALUES (1, 'a', '{}', '{}')",
    },
  ],
  claims: null,
  refuses: { "dead-letter": UNTOLD },
};

const queued = (offset: number, acked: boolean, later = "NULL") =>
  `INSERT INTO watermill_orders VALUES (${offset}, 'm${offset}', '{}', '{}', ${acked}, '2020-01-01', ${later})`;

export const watermillQueueCase: LibraryCase = {
  slug: "watermill-queue",
  ddl: {
    postgres: `CREATE TABLE watermill_orders ("offset" serial PRIMARY KEY, uuid varchar(36) NOT NULL, payload json, metadata json,
      acked boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP, delayed_until timestamptz)`,
    mysql:
      "CREATE TABLE watermill_orders (`offset` bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, uuid varchar(36) NOT NULL, payload json, metadata json, acked boolean NOT NULL DEFAULT false, created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, delayed_until timestamp NULL)",
  },
  table: "watermill_orders",
  rows: [
    { key: "1", state: "pending", insert: queued(1, false) },
    { key: "2", state: "published", insert: queued(2, true) },
    { key: "3", state: "pending", scheduled: true, insert: queued(3, false, "'2035-01-01'") },
  ],
  claims:
    "SELECT o.offset FROM watermill_orders o WHERE acked = false AND (delayed_until IS NULL OR delayed_until <= {now})",
};
