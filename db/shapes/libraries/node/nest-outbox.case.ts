import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_events", {
    id,
    event_type: "'placed'",
    aggregate_type: "'order'",
    aggregate_id: 1,
    payload: "'{}'",
    status: `'${status}'`,
    ...rest,
  });
const TOKEN = "'00000000-0000-4000-9000-000000000000'";

export const nestOutboxCase: LibraryCase = {
  slug: "nest-outbox",
  ddl: {
    postgres: `CREATE TABLE outbox_events (id bigserial PRIMARY KEY, event_type varchar(128) NOT NULL, aggregate_type varchar(64) NOT NULL, aggregate_id bigint NOT NULL, payload json NOT NULL,
      status varchar(32) NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'processed', 'failed', 'dead_letter')), attempts int NOT NULL DEFAULT 0,
      next_retry_at timestamp(3), processed_at timestamp(3), error text, error_code varchar(128), error_stack text, dead_letter_reason text, lease_owner varchar(128),
      lease_token char(36), lease_expires_at timestamp(3), fencing_token bigint NOT NULL DEFAULT 0, manual_retry_reason text, created_at timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`,
    mysql: `CREATE TABLE outbox_events (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(128) NOT NULL, aggregate_type varchar(64) NOT NULL, aggregate_id bigint unsigned NOT NULL, payload json NOT NULL,
      status enum('pending', 'processing', 'processed', 'failed', 'dead_letter') NOT NULL DEFAULT 'pending', attempts int unsigned NOT NULL DEFAULT 0,
      next_retry_at timestamp(3) NULL, processed_at timestamp(3) NULL, error text NULL, error_code varchar(128) NULL, error_stack text NULL, dead_letter_reason text NULL, lease_owner varchar(128) NULL,
      lease_token char(36) NULL, lease_expires_at timestamp(3) NULL, fencing_token bigint unsigned NOT NULL DEFAULT 0, manual_retry_reason text NULL, created_at timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`,
  },
  table: "outbox_events",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "pending") },
    { key: "2", state: "pending", scheduled: true, insert: insert(2, "pending", { next_retry_at: "'2035-01-01'" }) },
    { key: "3", state: "failed", insert: insert(3, "failed", { attempts: 1, next_retry_at: "'2020-01-01'" }) },
    { key: "4", state: "unknown", insert: insert(4, "failed", { attempts: 1 }) },
    {
      key: "5",
      state: "in_flight",
      insert: insert(5, "processing", { lease_owner: "'w'", lease_token: TOKEN, lease_expires_at: "'2035-01-01'" }),
    },
    { key: "6", state: "pending", insert: insert(6, "processing", { lease_expires_at: "'2020-01-01'" }) },
    { key: "7", state: "in_flight", insert: insert(7, "processing") },
    { key: "8", state: "published", insert: insert(8, "processed", { processed_at: "'2020-01-01'", attempts: 1 }) },
    { key: "9", state: "dead", insert: insert(9, "dead_letter", { attempts: 5, dead_letter_reason: "'gone'" }) },
  ],
  claims: `SELECT id FROM outbox_events WHERE (status = 'pending' AND (next_retry_at IS NULL OR next_retry_at <= {utc})) OR (status = 'failed' AND next_retry_at <= {utc})
    OR (status = 'processing' AND lease_expires_at <= {utc})`,
};
