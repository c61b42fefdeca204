import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_messages", {
    id: `'${idOf(n)}'`,
    transaction_id: `'${idOf(1)}'`,
    correlation_id: `'${idOf(1)}'`,
    sequence_number: n,
    type: "'event'",
    aggregate_type: "'order'",
    aggregate_id: "'o-1'",
    message_type: "'placed'",
    payload: "'{}'",
    payload_hash: "'x'",
    status: `'${status}'`,
    available_at: "'2020-01-01'",
    ...rest,
  });
const copy = (n: number, of: number) =>
  insertInto("outbox_dead_letter", {
    id: `'${idOf(n)}'`,
    original_message_id: `'${idOf(of)}'`,
    transaction_id: `'${idOf(1)}'`,
    correlation_id: `'${idOf(1)}'`,
    aggregate_type: "'order'",
    aggregate_id: "'o-1'",
    message_type: "'placed'",
    payload: "'{}'",
    payload_hash: "'x'",
    error: "'refused'",
    stack_trace: "'#0'",
    failed_at: "'2020-01-01'",
  });

const ddlOf = (
  uuid: string,
  time: string,
) => `CREATE TABLE outbox_messages (id ${uuid} PRIMARY KEY, transaction_id ${uuid} NOT NULL, correlation_id ${uuid} NOT NULL, sequence_number integer NOT NULL,
    type varchar(16) NOT NULL, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL, message_type varchar(255) NOT NULL, payload text NOT NULL,
    payload_hash varchar(64) NOT NULL, status varchar(16) NOT NULL DEFAULT 'pending', attempts integer NOT NULL DEFAULT 0, available_at ${time} NOT NULL,
    processing_started_at ${time} NULL, processed_at ${time} NULL, error text, history json, created_at ${time} NULL, updated_at ${time} NULL);
  CREATE TABLE outbox_dead_letter (id ${uuid} PRIMARY KEY, original_message_id ${uuid} NOT NULL, transaction_id ${uuid} NOT NULL, correlation_id ${uuid} NOT NULL,
    aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL, message_type varchar(255) NOT NULL, payload text NOT NULL, payload_hash varchar(64) NOT NULL,
    error text NOT NULL, stack_trace text NOT NULL, metadata json, failed_at ${time} NOT NULL, created_at ${time} NULL, updated_at ${time} NULL)`;
const DDL = { postgres: ddlOf("uuid", "timestamp(0)"), mysql: ddlOf("char(36)", "timestamp") };
const CLAIMS = "SELECT id FROM outbox_messages WHERE status = 'pending' AND available_at <= {utc}";

export const dnakitareCase: LibraryCase = {
  slug: "dnakitare",
  ddl: DDL,
  table: "outbox_messages",
  rows: [
    { key: idOf(1), state: "pending", insert: insert(1, "pending") },
    { key: idOf(2), state: "pending", scheduled: true, insert: insert(2, "pending", { available_at: "'2035-01-01'" }) },
    { key: idOf(3), state: "failed", insert: insert(3, "pending", { attempts: 2, error: "'refused'" }) },
    {
      key: idOf(4),
      state: "in_flight",
      insert: insert(4, "processing", { attempts: 1, processing_started_at: "'2020-01-01'" }),
    },
    { key: idOf(5), state: "published", insert: insert(5, "completed", { attempts: 1, processed_at: "'2020-01-01'" }) },
    { key: idOf(6), state: "dead", insert: insert(6, "failed", { attempts: 5, error: "'refused'" }) },
    { key: idOf(7), state: "unknown", insert: insert(7, "paused") },
  ],
  claims: CLAIMS,
};

export const dnakitareDeadLettersCase: LibraryCase = {
  slug: "dnakitare-dead-letters",
  ddl: DDL,
  table: "outbox_dead_letter",
  rows: [{ key: idOf(9), state: "dead", insert: copy(9, 6) }],
  claims: CLAIMS,
  refuses: { retry: /original_message_id/ },
};
