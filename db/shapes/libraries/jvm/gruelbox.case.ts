import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, values: string) =>
  `INSERT INTO txno_outbox (id, invocation, attempts, version, topic, processed, blocked, nextattempttime) VALUES ('${id}', '{"m":"notify"}', ${values})`;

export const gruelboxCase: LibraryCase = {
  slug: "gruelbox",
  ddl: {
    postgres: `CREATE TABLE txno_outbox (id varchar(36) PRIMARY KEY, invocation text, nextattempttime timestamp(6), attempts int, blocked boolean,
      version int, uniquerequestid varchar(250) UNIQUE, processed boolean, lastattempttime timestamp(6), topic varchar(250) NOT NULL DEFAULT '*', seq bigint);
      CREATE INDEX ix_txno_outbox_1 ON txno_outbox (processed, blocked, nextattempttime);
      CREATE TABLE txno_sequence (topic varchar(250) NOT NULL, seq bigint NOT NULL, PRIMARY KEY (topic, seq));
      CREATE TABLE txno_version (id int DEFAULT 0 PRIMARY KEY, version int)`,
    mysql: `CREATE TABLE txno_outbox (id varchar(36) PRIMARY KEY, invocation mediumtext, nextattempttime timestamp(6) NULL, attempts int, blocked boolean,
      version int, uniquerequestid varchar(250) UNIQUE, processed boolean, lastattempttime timestamp(6) NULL, topic varchar(250) NOT NULL DEFAULT '*', seq bigint)`,
  },
  table: "txno_outbox",
  beside: { txno_sequence: "gruelbox-sequence", txno_version: "gruelbox-version" },
  rows: [
    { key: "new", state: "pending", insert: insert("new", "0, 1, '*', false, false, '2020-01-01'") },
    {
      key: "later",
      state: "pending",
      scheduled: true,
      insert: insert("later", "0, 1, '*', false, false, '2035-01-01'"),
    },
    { key: "failing", state: "failed", insert: insert("failing", "2, 3, '*', false, false, '2020-01-01'") },
    { key: "blocked", state: "dead", insert: insert("blocked", "5, 6, '*', false, true, '2020-01-01'") },
    { key: "sent", state: "published", insert: insert("sent", "1, 2, '*', true, false, '2020-01-01'") },
    { key: "sent-late", state: "published", insert: insert("sent-late", "5, 7, '*', true, true, '2020-01-01'") },
  ],
  claims:
    "SELECT id FROM txno_outbox WHERE nextattempttime < {utc} AND topic = '*' AND blocked = false AND processed = false",
};
