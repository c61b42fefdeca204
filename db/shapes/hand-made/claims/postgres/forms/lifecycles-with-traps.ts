import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose marks mean another thing than their names say at first sight. */
export const CLAIMED_LIFECYCLES_WITH_TRAPS: readonly ClaimedTable[] = [
  // Set while a row waits, and emptied once it is sent.
  claimed(
    stated(
      "CREATE TABLE outbox_unsent_since (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, unsent_since timestamptz DEFAULT now(), attempts int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload attempts=attempts order?=id createdAt?=unsent_since",
      "INSERT INTO outbox_unsent_since (event_type,payload,unsent_since,attempts) VALUES ('a','{}',now(),0),('a','{}',NULL,1),('a','{}',now(),2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_unsent_since WHERE unsent_since IS NOT NULL",
  ),
  // The broker's receipt is the only mark.
  claimed(
    stated(
      "CREATE TABLE outbox_receipts (id bigserial PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL, kafka_partition int, kafka_offset bigint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic payload=payload createdAt=created_at order?=id",
      "INSERT INTO outbox_receipts (topic,payload,kafka_partition,kafka_offset) VALUES ('t','{}',NULL,NULL),('t','{}',3,1812)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM outbox_receipts WHERE kafka_offset IS NULL",
  ),
  // A count of publications is the mark.
  claimed(
    stated(
      "CREATE TABLE outbox_counted (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, times_published int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=times_published",
      "INSERT INTO outbox_counted (event_type,payload,times_published) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 published, 3 published",
    ),
    "SELECT id FROM outbox_counted WHERE times_published = 0",
  ),
  // Every try writes the time, and what is sent is deleted.
  claimed(
    stated(
      "CREATE TABLE outbox_last_sent (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, last_sent_attempt_at timestamptz, send_count int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id attempts?=send_count",
      "INSERT INTO outbox_last_sent (event_type,payload,last_sent_attempt_at,send_count) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',now(),4)",
      "1 pending, 2 failed, 3 failed",
    ),
    "SELECT id FROM outbox_last_sent WHERE true",
  ),
  // The name of the host that sent it is the only mark.
  claimed(
    stated(
      "CREATE TABLE outbox_by_host (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_by text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO outbox_by_host (event_type,payload,published_by) VALUES ('a','{}',NULL),('a','{}','relay-1')",
      "1 pending, 2 published",
    ),
    "SELECT id FROM outbox_by_host WHERE published_by IS NULL",
  ),
  // Deleted softly once it is published.
  claimed(
    stated(
      "CREATE TABLE outbox_soft (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), deleted_at timestamptz); CREATE INDEX ON outbox_soft (id) WHERE deleted_at IS NULL",
      "id=id eventType=event_type payload=payload attempts=attempts createdAt=created_at order?=id publishedAt?=deleted_at",
      "INSERT INTO outbox_soft (event_type,payload,attempts,deleted_at) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',3,NULL)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_soft WHERE deleted_at IS NULL",
  ),
  // A dash for no time.
  claimed(
    stated(
      "CREATE TABLE outbox_dashes (id bigserial PRIMARY KEY, event_type text NOT NULL, payload text NOT NULL, created_at varchar(20) NOT NULL, sent_time varchar(20) NOT NULL DEFAULT '-')",
      "id=id eventType=event_type payload=payload order?=id createdAt?=created_at publishedAt?=sent_time",
      "INSERT INTO outbox_dashes (event_type,payload,created_at,sent_time) VALUES ('a','x','20260101101010','-'),('a','x','20260101101010','20260101101011')",
      "1 pending, 2 published",
    ),
    "SELECT id FROM outbox_dashes WHERE sent_time = '-'",
  ),
  // Archived in the same table: both what was sent, and what was given up.
  claimed(
    stated(
      "CREATE TABLE outbox_kept (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, is_archived boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO outbox_kept (event_type,payload,sent_at,is_archived) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',now(),true),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 published, 4 unknown|dead",
    ),
    "SELECT id FROM outbox_kept WHERE sent_at IS NULL AND NOT is_archived",
  ),
  // Sent after retries, with the due time left as it was.
  claimed(
    stated(
      "CREATE TABLE outbox_left_due (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED')), retry_count int NOT NULL DEFAULT 0, next_retry_at timestamptz, last_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status attempts=retry_count availableAt=next_retry_at lastError=last_error createdAt=created_at order?=id",
      "INSERT INTO outbox_left_due (event_type,payload,status,retry_count,next_retry_at,last_error) VALUES ('a','{}','PENDING',0,NULL,NULL),('a','{}','SENT',2,now()+interval '1 h','x'),('a','{}','PENDING',2,now()+interval '1 h','x'),('a','{}','FAILED',5,now()+interval '1 h','x')",
      "1 pending, 2 published, 3 failed, 4 failed|dead",
    ),
    "SELECT id FROM outbox_left_due WHERE status = 'PENDING' AND (next_retry_at IS NULL OR next_retry_at <= {now})",
  ),
  // Ends of locks in seconds, and in microseconds.
  claimed(
    stated(
      "CREATE TABLE outbox_held_s (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, locked_until bigint, sent_at bigint, created_at bigint NOT NULL)",
      "id=id eventType=event_type payload=payload lockedUntil=locked_until createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO outbox_held_s (event_type,payload,locked_until,sent_at,created_at) VALUES ('a','{}',NULL,NULL,1767225600),('a','{}',4000000000,NULL,1767225600),('a','{}',1767225700,NULL,1767225600),('a','{}',1767225700,1767225650,1767225600)",
      "1 pending, 2 in_flight, 3 pending, 4 published",
    ),
    "SELECT id FROM outbox_held_s WHERE sent_at IS NULL AND (locked_until IS NULL OR locked_until < extract(epoch FROM {now}))",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_held_us (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, lease_expires_us bigint NOT NULL DEFAULT 0, sent boolean NOT NULL DEFAULT false, created_us bigint NOT NULL)",
      "id=id eventType=event_type payload=payload lockedUntil=lease_expires_us createdAt=created_us publishedAt=sent order?=id",
      "INSERT INTO outbox_held_us (event_type,payload,lease_expires_us,sent,created_us) VALUES ('a','{}',0,false,1767225600000000),('a','{}',4000000000000000,false,1767225600000000),('a','{}',1767225700000000,false,1767225600000000),('a','{}',1767225700000000,true,1767225600000000)",
      "1 pending, 2 in_flight, 3 pending, 4 published",
    ),
    "SELECT id FROM outbox_held_us WHERE NOT sent AND lease_expires_us < extract(epoch FROM {now}) * 1000000",
  ),
  // A claim by batch, which is left when a row is sent.
  claimed(
    stated(
      "CREATE TABLE outbox_batches (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, claim_batch uuid, claimed_at timestamptz, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=claim_batch",
      "INSERT INTO outbox_batches (event_type,payload,claim_batch,claimed_at,sent_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}','$1',now(),NULL),('a','{}','$1',now(),now())",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM outbox_batches WHERE claim_batch IS NULL AND sent_at IS NULL",
  ),
  // The version counts changes, not attempts.
  claimed(
    stated(
      "CREATE TABLE outbox_versions (id uuid PRIMARY KEY, aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, opt_lock int NOT NULL DEFAULT 0, row_version bigint NOT NULL DEFAULT 1, published_on timestamptz, created_on timestamptz NOT NULL DEFAULT now())",
      "id=id aggregateId=aggregate_id eventType=event_type payload=payload publishedAt=published_on createdAt=created_on",
      "INSERT INTO outbox_versions (id,aggregate_id,event_type,payload,opt_lock,row_version,published_on) VALUES ('$1','k','a','{}',0,1,NULL),('$2','k','a','{}',1,2,now()),('$3','k','a','{}',4,5,NULL)",
      "$1 pending, $2 published, $3 pending",
    ),
    "SELECT id FROM outbox_versions WHERE published_on IS NULL",
  ),
  // The sentence of the last result is the only sign of a failure that ended.
  claimed(
    stated(
      "CREATE TABLE outbox_results (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed_at timestamptz, result_message text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed_at order?=id lastError?=result_message",
      "INSERT INTO outbox_results (event_type,payload,processed_at,result_message) VALUES ('a','{}',NULL,NULL),('a','{}',now(),'OK'),('a','{}',now(),'ERR connection refused')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_results WHERE processed_at IS NULL",
  ),
  // Tries as a text of two numbers.
  claimed(
    stated(
      "CREATE TABLE outbox_tries_text (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, tries varchar(7) NOT NULL DEFAULT '0/5', status varchar(10) NOT NULL DEFAULT 'open' CHECK (status IN ('open','sent')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_tries_text (event_type,payload,tries,status) VALUES ('a','{}','0/5','open'),('a','{}','1/5','sent'),('a','{}','2/5','open'),('a','{}','5/5','open')",
      "1 pending, 2 published, 3 failed|pending, 4 dead|pending",
    ),
    "SELECT id FROM outbox_tries_text WHERE status = 'open' AND split_part(tries,'/',1)::int < 5",
  ),
  // A partial success is no success.
  claimed(
    stated(
      "CREATE TABLE outbox_partial (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','PARTIALLY_SENT','SENT','PARTIALLY_FAILED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_partial (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','PARTIALLY_SENT'),('a','{}','SENT'),('a','{}','PARTIALLY_FAILED')",
      "1 pending, 2 unknown|in_flight|failed, 3 published, 4 unknown|failed",
    ),
    "SELECT id FROM outbox_partial WHERE status IN ('PENDING','PARTIALLY_SENT','PARTIALLY_FAILED')",
  ),
  // Published ahead of time: the time says when it is to go out.
  claimed(
    stated(
      "CREATE TABLE outbox_goes_out (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publish_on timestamptz NOT NULL DEFAULT now(), done boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at availableAt=publish_on publishedAt=done order?=id",
      "INSERT INTO outbox_goes_out (event_type,payload,publish_on,done) VALUES ('a','{}',now()-interval '1 min',false),('a','{}',now()-interval '1 min',true),('a','{}',now()+interval '1 d',false)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM outbox_goes_out WHERE NOT done AND publish_on <= {now}",
  ),
  // Sent, then taken back.
  claimed(
    stated(
      "CREATE TABLE outbox_rolled_back (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, rolled_back_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO outbox_rolled_back (event_type,payload,sent_at,rolled_back_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),now()),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown|published, 4 unknown",
    ),
    "SELECT id FROM outbox_rolled_back WHERE sent_at IS NULL AND rolled_back_at IS NULL",
  ),
  // The last try is in a list of documents, and nothing else is told.
  claimed(
    stated(
      "CREATE TABLE outbox_with_log (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivery_log jsonb NOT NULL DEFAULT '[]', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      `INSERT INTO outbox_with_log (event_type,payload,delivery_log) VALUES ('a','{}','[]'),('a','{}','[{"ok":true}]'),('a','{}','[{"ok":false}]')`,
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_with_log WHERE NOT delivery_log @> '[{\"ok\":true}]'",
  ),
  // An error is kept for the row that was sent at last, with no count of attempts.
  claimed(
    stated(
      "CREATE TABLE outbox_three_flags (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, is_sent smallint NOT NULL DEFAULT 0 CHECK (is_sent IN (0,1,2)), err text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id lastError=err publishedAt?=is_sent status?=is_sent",
      "INSERT INTO outbox_three_flags (event_type,payload,is_sent,err) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',2,'x'),('a','{}',1,'x')",
      "1 pending, 2 published, 3 failed|dead, 4 published",
    ),
    "SELECT id FROM outbox_three_flags WHERE is_sent = 0",
  ),
  // A circuit or an operator keeps a destination back.
  claimed(
    stated(
      "CREATE TABLE outbox_lanes (id bigserial PRIMARY KEY, lane text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, blocked_by bigint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id aggregateId?=lane topic?=lane",
      "INSERT INTO outbox_lanes (lane,event_type,payload,sent_at,blocked_by) VALUES ('l','a','{}',NULL,NULL),('l','a','{}',now(),NULL),('l','a','{}',NULL,1)",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM outbox_lanes WHERE sent_at IS NULL AND blocked_by IS NULL",
  ),
];
