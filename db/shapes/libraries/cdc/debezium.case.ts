import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const insert = (number: number) =>
  `INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload) VALUES ('${id(number)}', 'order', '7', 'placed', '{}')`;

const router: LibraryCase = {
  slug: "debezium",
  ddl: {
    postgres:
      "CREATE TABLE outboxevent (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb)",
    mysql:
      "CREATE TABLE outboxevent (id char(36) PRIMARY KEY, aggregatetype varchar(255) NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload json)",
  },
  table: "outboxevent",
  rows: [{ key: id(1), state: "unknown", insert: insert(1) }],
  claims: null,
  refuses: { "dead-letter": /replication slot/ },
};

/** With the columns of Quarkus' extension, and the inbox of Debezium's examples. */
const quarkus: LibraryCase = {
  ...router,
  ddl: {
    postgres: `CREATE TABLE outboxevent (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL,
        "timestamp" timestamp NOT NULL DEFAULT now(), payload varchar(8000), tracingspancontext varchar(256));
      CREATE TABLE consumedmessage (eventid uuid PRIMARY KEY, timeofreceiving timestamptz)`,
  },
  beside: { consumedmessage: "debezium-consumed" },
};

export const debeziumCases: readonly LibraryCase[] = [router, quarkus];
