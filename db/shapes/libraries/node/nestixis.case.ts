import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const YEAR_2020 = 1_577_836_800_000;
const YEAR_2035 = 2_051_222_400_000;
const MS = { postgres: "extract(epoch FROM {now}) * 1000", mysql: "UNIX_TIMESTAMP(NOW(6)) * 1000" };

const sent = (id: number, retryAfter: number | string, expireAt = YEAR_2035) =>
  insertInto("inbox_outbox_transport_event", {
    id,
    event_name: "'placed'",
    event_payload: "'{}'",
    expire_at: expireAt,
    ready_to_retry_after: retryAfter,
    inserted_at: YEAR_2020,
    delived_to_listeners: "'[]'",
  });

const NESTIXIS_ROWS: LibraryCase["rows"] = [
  { key: "1", state: "pending", insert: sent(1, YEAR_2020) },
  { key: "2", state: "pending", scheduled: true, insert: sent(2, YEAR_2035) },
  { key: "3", state: "unknown", insert: sent(3, "NULL") },
  { key: "4", state: "expired", insert: sent(4, YEAR_2020, YEAR_2020) },
];

export const nestixisCases: readonly LibraryCase[] = (["postgres", "mysql"] as const).map((engine) => ({
  slug: "nestixis",
  ddl: {
    [engine]: `CREATE TABLE inbox_outbox_transport_event (id ${engine === "mysql" ? "int AUTO_INCREMENT" : "serial"} PRIMARY KEY, event_name varchar(255) NOT NULL, event_payload json NOT NULL,
      expire_at bigint NOT NULL, ready_to_retry_after bigint, inserted_at bigint NOT NULL, delived_to_listeners json NOT NULL)`,
  },
  table: "inbox_outbox_transport_event",
  rows: NESTIXIS_ROWS,
  claims: `SELECT id FROM inbox_outbox_transport_event WHERE ready_to_retry_after <= ${MS[engine]}`,
}));

const queued = (id: number, status: string, attemptAt: number | string, retries = 0) =>
  insertInto("outbox_transport_event", {
    id,
    event_name: "'placed'",
    event_payload: "'{}'",
    delivered_to_listeners: "'[]'",
    attempt_at: attemptAt,
    expire_at: YEAR_2020,
    inserted_at: YEAR_2020,
    retry_count: retries,
    status: `'${status}'`,
  });

export const fullstackhouseCases: readonly LibraryCase[] = (["postgres", "mysql"] as const).map((engine) => ({
  slug: "fullstackhouse",
  ddl: {
    [engine]: `CREATE TABLE outbox_transport_event (id ${engine === "mysql" ? "bigint AUTO_INCREMENT" : "bigserial"} PRIMARY KEY, event_name varchar(255) NOT NULL, event_payload json NOT NULL,
      delivered_to_listeners json NOT NULL, attempt_at bigint, expire_at bigint NOT NULL, inserted_at bigint NOT NULL, retry_count int NOT NULL DEFAULT 0, status varchar(20) NOT NULL DEFAULT 'pending')`,
  },
  table: "outbox_transport_event",
  rows: [
    { key: "1", state: "pending", insert: queued(1, "pending", YEAR_2020) },
    { key: "2", state: "pending", scheduled: true, insert: queued(2, "pending", YEAR_2035) },
    { key: "3", state: "failed", scheduled: true, insert: queued(3, "pending", YEAR_2035, 2) },
    { key: "4", state: "unknown", insert: queued(4, "pending", "NULL") },
    { key: "5", state: "dead", insert: queued(5, "failed", "NULL", 6) },
  ],
  claims: `SELECT id FROM outbox_transport_event WHERE attempt_at <= ${MS[engine]} AND status = 'pending'`,
}));
