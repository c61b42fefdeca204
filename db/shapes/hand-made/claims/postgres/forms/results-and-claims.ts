import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Columns that most of them have, and their roles. */
const E =
  "id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()";
const R = "id=id eventType=event_type payload=payload createdAt=created_at order?=id";

/** Outboxes whose rows were given up, claimed, versioned or kept back by a column beside the published mark. */
export const CLAIMED_RESULTS_AND_CLAIMS: readonly ClaimedTable[] = [
  claimed(
    stated(
      `CREATE TABLE outbox_dest (${E}, status text NOT NULL DEFAULT 'FANNED_OUT' CHECK (status IN ('NEW','FANNED_OUT','DONE'))); CREATE TABLE outbox_dest_rows (outbox_id bigint REFERENCES outbox_dest, destination text, status text NOT NULL DEFAULT 'PENDING', sent_at timestamptz, PRIMARY KEY (outbox_id, destination))`,
      `${R} status=status`,
      "INSERT INTO outbox_dest (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','FANNED_OUT'),('a','{}','DONE')",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM outbox_dest WHERE status = 'NEW'",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_multi (${E}); CREATE TABLE outbox_multi_offsets (consumer text PRIMARY KEY, last_id bigint NOT NULL)`,
      R,
      "INSERT INTO outbox_multi (event_type,payload) VALUES ('a','{}'),('a','{}'); INSERT INTO outbox_multi_offsets VALUES ('k',1)",
      "1 published, 2 pending",
    ),
    "SELECT id FROM outbox_multi WHERE id > 1",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_prev (${E}, state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING','SENT','FAILED')), previous_state text)`,
      `${R} status=state`,
      "INSERT INTO outbox_prev (event_type,payload,state,previous_state) VALUES ('a','{}','PENDING',NULL),('a','{}','SENT','PENDING'),('a','{}','FAILED','PENDING'),('a','{}','PENDING','FAILED')",
      "1 pending, 2 published, 3 failed|dead, 4 pending|failed",
    ),
    "SELECT id FROM outbox_prev WHERE state = 'PENDING'",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_test_rows (${E}, is_test boolean NOT NULL DEFAULT false, sent_at timestamptz)`,
      `${R} publishedAt=sent_at`,
      "INSERT INTO outbox_test_rows (event_type,payload,is_test,sent_at) VALUES ('a','{}',false,NULL),('a','{}',false,now()),('a','{}',true,NULL)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM outbox_test_rows WHERE sent_at IS NULL AND NOT is_test",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_exp (${E}, expires_at timestamptz, sent_at timestamptz)`,
      `${R} publishedAt=sent_at expiresAt=expires_at`,
      "INSERT INTO outbox_exp (event_type,payload,expires_at,sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',now()-interval '1 d',now()-interval '2 d'),('a','{}',now()-interval '1 d',NULL),('a','{}',now()+interval '1 d',NULL)",
      "1 pending, 2 published, 3 expired, 4 pending",
    ),
    "SELECT id FROM outbox_exp WHERE sent_at IS NULL AND (expires_at IS NULL OR expires_at > {now})",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_claim_ms (${E}, claim_expires_ms bigint, claimed_by text, sent boolean NOT NULL DEFAULT false)`,
      `${R} publishedAt=sent lockedUntil=claim_expires_ms lockedBy=claimed_by`,
      "INSERT INTO outbox_claim_ms (event_type,payload,claim_expires_ms,claimed_by,sent) VALUES ('a','{}',NULL,NULL,false),('a','{}',4000000000000,'w',false),('a','{}',1767225600000,'w',false),('a','{}',1767225600000,'w',true)",
      "1 pending, 2 in_flight, 3 pending, 4 published",
    ),
    "SELECT id FROM outbox_claim_ms WHERE NOT sent AND (claim_expires_ms IS NULL OR claim_expires_ms < extract(epoch FROM {now}) * 1000)",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_resp (${E}, http_code int, delivered_on timestamptz)`,
      `${R} publishedAt=delivered_on`,
      "INSERT INTO outbox_resp (event_type,payload,http_code,delivered_on) VALUES ('a','{}',NULL,NULL),('a','{}',202,now()),('a','{}',503,NULL),('a','{}',503,now())",
      "1 pending, 2 published, 3 failed, 4 failed|unknown",
    ),
    "SELECT id FROM outbox_resp WHERE delivered_on IS NULL",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_sched (${E}, publish_at timestamptz NOT NULL DEFAULT now(), published boolean NOT NULL DEFAULT false, paused boolean NOT NULL DEFAULT false)`,
      `${R} publishedAt=published availableAt=publish_at`,
      "INSERT INTO outbox_sched (event_type,payload,publish_at,published,paused) VALUES ('a','{}',now(),false,false),('a','{}',now(),true,false),('a','{}',now()+interval '1 d',false,false),('a','{}',now(),false,true)",
      "1 pending, 2 published, 3 pending, 4 unknown",
    ),
    "SELECT id FROM outbox_sched WHERE NOT published AND NOT paused AND publish_at <= {now}",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_seq_done (${E}, done_seq bigint)`,
      R,
      "INSERT INTO outbox_seq_done (event_type,payload,done_seq) VALUES ('a','{}',NULL),('a','{}',7)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM outbox_seq_done WHERE done_seq IS NULL",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_neg (${E}, attempts smallint NOT NULL DEFAULT 0, sent_at timestamptz)`,
      `${R} attempts=attempts publishedAt=sent_at`,
      "INSERT INTO outbox_neg (event_type,payload,attempts,sent_at) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',-1,NULL),('a','{}',2,NULL)",
      "1 pending, 2 published, 3 dead, 4 failed",
    ),
    "SELECT id FROM outbox_neg WHERE sent_at IS NULL AND attempts >= 0",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_routing (${E}, route text NOT NULL DEFAULT 'kafka' CHECK (route IN ('kafka','none')), sent_at timestamptz)`,
      `${R} publishedAt=sent_at topic?=route`,
      "INSERT INTO outbox_routing (event_type,payload,route,sent_at) VALUES ('a','{}','kafka',NULL),('a','{}','kafka',now()),('a','{}','none',NULL)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM outbox_routing WHERE sent_at IS NULL AND route = 'kafka'",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_fail_proc (${E}, processed_at timestamptz, failed_reason text, retry_count int NOT NULL DEFAULT 0)`,
      `${R} publishedAt=processed_at lastError=failed_reason attempts=retry_count`,
      "INSERT INTO outbox_fail_proc (event_type,payload,processed_at,failed_reason,retry_count) VALUES ('a','{}',NULL,NULL,0),('a','{}',now(),NULL,0),('a','{}',now(),'x',5),('a','{}',NULL,'x',2)",
      "1 pending, 2 published, 3 dead|failed, 4 failed",
    ),
    "SELECT id FROM outbox_fail_proc WHERE processed_at IS NULL",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_window_d (${E}, valid_during daterange NOT NULL DEFAULT daterange(current_date, NULL), sent_on timestamptz)`,
      `${R} publishedAt=sent_on`,
      "INSERT INTO outbox_window_d (event_type,payload,valid_during,sent_on) VALUES ('a','{}',daterange(current_date,NULL),NULL),('a','{}',daterange(current_date,NULL),now()),('a','{}',daterange(current_date-5,current_date-2),NULL)",
      "1 pending, 2 published, 3 expired|dead",
    ),
    "SELECT id FROM outbox_window_d WHERE sent_on IS NULL AND valid_during @> current_date",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_stage (${E}, stage int NOT NULL DEFAULT 1, CHECK (stage BETWEEN 1 AND 4)); COMMENT ON COLUMN outbox_stage.stage IS '1 = created, 2 = picked, 3 = acknowledged, 4 = rejected'`,
      `${R} status=stage`,
      "INSERT INTO outbox_stage (event_type,payload,stage) VALUES ('a','{}',1),('a','{}',2),('a','{}',3),('a','{}',4)",
      "1 pending, 2 in_flight, 3 published, 4 dead|failed|unknown",
    ),
    "SELECT id FROM outbox_stage WHERE stage = 1",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_ver (${E}, version int NOT NULL DEFAULT 0, sent_version int)`,
      R,
      "INSERT INTO outbox_ver (event_type,payload,version,sent_version) VALUES ('a','{}',0,NULL),('a','{}',1,1),('a','{}',2,1)",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM outbox_ver WHERE sent_version IS NULL OR sent_version < version",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_ack2 (${E}, sent_at timestamptz, nacked_at timestamptz, acked_at timestamptz)`,
      `${R} publishedAt?=sent_at`,
      "INSERT INTO outbox_ack2 (event_type,payload,sent_at,nacked_at,acked_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,now()),('a','{}',now(),now(),NULL),('a','{}',now(),NULL,NULL)",
      "1 pending, 2 published, 3 failed|unknown, 4 in_flight|unknown",
    ),
    "SELECT id FROM outbox_ack2 WHERE sent_at IS NULL",
  ),
];
