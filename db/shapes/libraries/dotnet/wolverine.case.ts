import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

const POSTGRES = `
  CREATE TABLE wolverine_outgoing_envelopes (id uuid NOT NULL PRIMARY KEY, owner_id integer NOT NULL, destination varchar NOT NULL, deliver_by timestamptz,
    body bytea NOT NULL, attempts integer DEFAULT 0, message_type varchar NOT NULL);
  CREATE TABLE wolverine_incoming_envelopes (id uuid NOT NULL PRIMARY KEY, status varchar NOT NULL, owner_id integer NOT NULL, execution_time timestamptz DEFAULT NULL,
    attempts integer DEFAULT 0, body bytea NOT NULL, message_type varchar NOT NULL, received_at varchar, keep_until timestamptz);
  CREATE TABLE wolverine_dead_letters (id uuid NOT NULL PRIMARY KEY, execution_time timestamptz DEFAULT NULL, body bytea NOT NULL, message_type varchar NOT NULL,
    received_at varchar, source varchar, exception_type varchar, exception_message varchar, sent_at timestamptz, replayable boolean);
  CREATE INDEX idx_wolverine_dead_letters_replayable ON wolverine_dead_letters (replayable) WHERE replayable = true`;
const MYSQL = POSTGRES.replace(/CREATE INDEX.*/, "")
  .replaceAll(" uuid", " char(36)")
  .replaceAll(" varchar", " varchar(500)")
  .replaceAll(" bytea", " longblob")
  .replaceAll(" timestamptz", " datetime(6)");
const ddl = { postgres: POSTGRES, mysql: MYSQL };

const insert = (number: number, owner: number, deliverBy: string, attempts: string) =>
  `INSERT INTO wolverine_outgoing_envelopes VALUES ('${id(number)}', ${owner}, 'kafka://orders', ${deliverBy}, 'x', ${attempts}, 'Placed')`;

const outgoing: LibraryCase = {
  slug: "wolverine",
  ddl,
  table: "wolverine_outgoing_envelopes",
  beside: {
    wolverine_incoming_envelopes: "wolverine-incoming",
    wolverine_dead_letters: "wolverine-dead-letters",
  },
  rows: [
    { key: id(1), state: "pending", insert: insert(1, 0, "NULL", "0") },
    { key: id(2), state: "pending", insert: insert(2, 0, "'2035-01-01'", "2") },
    { key: id(3), state: "in_flight", insert: insert(3, 7, "NULL", "0") },
    { key: id(4), state: "expired", insert: insert(4, 0, "'2026-01-01'", "NULL") },
  ],
  claims:
    "SELECT id FROM wolverine_outgoing_envelopes WHERE owner_id = 0 AND (deliver_by IS NULL OR deliver_by > {now})",
};

const insertDead = (number: number, replayable: string) =>
  `INSERT INTO wolverine_dead_letters VALUES ('${id(number)}', NULL, 'x', 'Placed', 'kafka://orders', 'shop', 'E', 'refused', '2026-01-01', ${replayable})`;

const deadLetters: LibraryCase = {
  slug: "wolverine-dead-letters",
  ddl,
  table: "wolverine_dead_letters",
  rows: [
    { key: id(1), state: "dead", insert: insertDead(1, "false") },
    { key: id(2), state: "dead", insert: insertDead(2, "NULL") },
    { key: id(3), state: "pending", insert: insertDead(3, "true") },
  ],
  claims: "SELECT id FROM wolverine_dead_letters WHERE replayable = true",
};

export const wolverineCases: readonly LibraryCase[] = [outgoing, deadLetters];
