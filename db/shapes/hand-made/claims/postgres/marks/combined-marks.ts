import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose marks combine or mislead, each with the rows that its own relay would take. */
export const CLAIMED_COMBINED_MARKS: readonly ClaimedTable[] = [
  // Liveness and health in two booleans.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id varchar(36) PRIMARY KEY, topic varchar(100) NOT NULL, event_key varchar(100), payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published boolean NOT NULL DEFAULT false, dead boolean NOT NULL DEFAULT false, fail_count int NOT NULL DEFAULT 0, last_fail_reason text)",
      "id=id topic=topic aggregateId=event_key payload=payload createdAt=created_at publishedAt=published attempts=fail_count lastError=last_fail_reason",
      "INSERT INTO outbox_events (id,topic,payload,published,dead,fail_count) VALUES ('a','t','{}',false,false,0),('b','t','{}',true,false,0),('c','t','{}',false,false,2),('d','t','{}',false,true,9)",
      "a pending, b published, c failed, d dead",
    ),
    "SELECT id FROM outbox_events WHERE NOT published AND NOT dead",
  ),
  // Three times: published, failed and dead.
  claimed(
    stated(
      "CREATE TABLE messaging_outbox (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, failed_at timestamptz, dead_at timestamptz, attempts int NOT NULL DEFAULT 0)",
      "id=id eventType=type payload=payload createdAt=created_at publishedAt=processed_at attempts=attempts",
      "INSERT INTO messaging_outbox (id,type,payload,processed_at,failed_at,dead_at,attempts) VALUES ('$1','a','{}',NULL,NULL,NULL,0),('$2','a','{}',now(),NULL,NULL,1),('$3','a','{}',NULL,now(),NULL,2),('$4','a','{}',NULL,now(),now(),5)",
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    "SELECT id FROM messaging_outbox WHERE processed_at IS NULL AND dead_at IS NULL",
  ),
  // The processed time is set on failure as well; the error tells.
  claimed(
    stated(
      "CREATE TABLE outbox_message (id uuid PRIMARY KEY, occurred_on timestamptz NOT NULL DEFAULT now(), type text NOT NULL, data text NOT NULL, processed_date timestamptz, success boolean)",
      "id=id createdAt=occurred_on eventType=type payload=data publishedAt=processed_date",
      "INSERT INTO outbox_message (id,type,data,processed_date,success) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),true),('$3','a','{}',now(),false)",
      "$1 pending|unknown, $2 published|unknown, $3 failed|dead|unknown",
    ),
    "SELECT id FROM outbox_message WHERE processed_date IS NULL",
  ),
  // Soft delete.
  claimed(
    stated(
      "CREATE TABLE outbox_items (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','done','failed')), deleted_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_items (event_type,payload,status,deleted_at) VALUES ('a','{}','pending',NULL),('a','{}','done',NULL),('a','{}','failed',NULL),('a','{}','pending',now())",
      "1 pending, 2 published, 3 failed|dead, 4 dead|unknown|expired",
    ),
    "SELECT id FROM outbox_items WHERE status = 'pending' AND deleted_at IS NULL",
  ),
  // Composite key of tenant and number.
  claimed(
    stated(
      "CREATE TABLE outbox (tenant_id int NOT NULL, seq bigint NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, PRIMARY KEY (seq, tenant_id))",
      "id=seq order?=seq eventType=event_type payload=payload createdAt=created_at publishedAt=published_at",
      "INSERT INTO outbox VALUES (7,1,'a','{}',now(),NULL),(7,2,'a','{}',now(),now())",
      "1 pending, 2 published",
    ),
    "SELECT seq, tenant_id FROM outbox WHERE published_at IS NULL",
  ),
  // Partitioned by day, uuid v7.
  claimed(
    stated(
      "CREATE TABLE outbox_log (id uuid NOT NULL, day date NOT NULL, topic text NOT NULL, payload bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, PRIMARY KEY (id, day)) PARTITION BY RANGE (day); CREATE TABLE outbox_log_2026 PARTITION OF outbox_log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
      "id=id topic=topic payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox_log VALUES ('$1','2026-05-05','t','x',now(),NULL),('$2','2026-05-05','t','x',now(),now())",
      "$1 pending, $2 published",
    ),
    "SELECT id, day::text FROM outbox_log WHERE sent_at IS NULL",
  ),
  // A claim by a time only, without an end.
  claimed(
    stated(
      "CREATE TABLE outbox_entries (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, picked_at timestamptz, picked_by text, done_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type payload=payload lockedBy=picked_by publishedAt=done_at createdAt=created_at",
      "INSERT INTO outbox_entries (id,type,payload,picked_at,picked_by,done_at) VALUES ('$1','a','{}',NULL,NULL,NULL),('$2','a','{}',now(),'w',now()),('$3','a','{}',now(),'w',NULL)",
      "$1 pending, $2 published, $3 in_flight|pending",
    ),
    "SELECT id FROM outbox_entries WHERE done_at IS NULL AND picked_at IS NULL",
  ),
  // Attempts count down.
  claimed(
    stated(
      "CREATE TABLE outbox_tasks_events (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, remaining_attempts int NOT NULL DEFAULT 5, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO outbox_tasks_events (id,event_type,payload,remaining_attempts,published_at) VALUES ('$1','a','{}',5,NULL),('$2','a','{}',5,now()),('$3','a','{}',0,NULL)",
      "$1 pending, $2 published, $3 dead|failed|pending",
    ),
    "SELECT id FROM outbox_tasks_events WHERE published_at IS NULL AND remaining_attempts > 0",
  ),
  // The status speaks of the order, not of the message.
  claimed(
    stated(
      "CREATE TABLE order_outbox (id uuid PRIMARY KEY, order_id uuid NOT NULL, order_status text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), outbox_status text NOT NULL DEFAULT 'STARTED' CHECK (outbox_status IN ('STARTED','COMPLETED','FAILED')), saga_status text NOT NULL DEFAULT 'STARTED')",
      "id=id aggregateId?=order_id payload=payload createdAt=created_at status=outbox_status",
      "INSERT INTO order_outbox (id,order_id,order_status,payload,outbox_status,saga_status) VALUES ('$1','$1','PAID','{}','STARTED','PROCESSING'),('$2','$1','FAILED','{}','COMPLETED','SUCCEEDED'),('$3','$1','PAID','{}','FAILED','STARTED')",
      "$1 pending|unknown, $2 published|unknown, $3 failed|dead|unknown",
    ),
    "SELECT id FROM order_outbox WHERE outbox_status = 'STARTED'",
  ),
  // ACKED is published, SENT is only on its way.
  claimed(
    stated(
      "CREATE TABLE outbox_acks (id uuid PRIMARY KEY, subject text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','ACKED','NACKED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic?=subject eventType?=subject payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox_acks (id,subject,payload,status) VALUES ('$1','s','{}','NEW'),('$2','s','{}','SENT'),('$3','s','{}','ACKED'),('$4','s','{}','NACKED')",
      "$1 pending, $2 in_flight|unknown, $3 published|unknown, $4 failed|dead|unknown",
    ),
    "SELECT id FROM outbox_acks WHERE status IN ('NEW','NACKED')",
  ),
  // Payload in several columns: the body and its type, the key and the headers.
  claimed(
    stated(
      "CREATE TABLE kafka_outbox (id bigserial PRIMARY KEY, kafka_topic text NOT NULL, kafka_key text, kafka_value bytea NOT NULL, kafka_headers bytea, kafka_partition int, created_at timestamptz NOT NULL DEFAULT now(), kafka_offset bigint, sent_at timestamptz)",
      "id=id topic=kafka_topic aggregateId=kafka_key payload=kafka_value headers?=kafka_headers createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO kafka_outbox (kafka_topic,kafka_value,sent_at) VALUES ('t','x',NULL),('t','x',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM kafka_outbox WHERE sent_at IS NULL",
  ),
  // Nullable boolean: null waits, true is sent, false is refused by the broker.
  claimed(
    stated(
      "CREATE TABLE outbox_flags (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, delivered boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type payload=payload publishedAt=delivered createdAt=created_at order?=id",
      "INSERT INTO outbox_flags (type,payload,delivered) VALUES ('a','{}',NULL),('a','{}',true),('a','{}',false)",
      "1 pending, 2 published, 3 failed|pending|unknown",
    ),
    "SELECT id FROM outbox_flags WHERE delivered IS NULL",
  ),
  // The status is a nullable text: null waits.
  claimed(
    stated(
      "CREATE TABLE outbox_nullable (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, status text CHECK (status IN ('sent','error')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_nullable (type,payload,status) VALUES ('a','{}',NULL),('a','{}','sent'),('a','{}','error')",
      "1 pending|unknown, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_nullable WHERE status IS NULL",
  ),
  // An archive time is no publication; the row's fate is in the status.
  claimed(
    stated(
      "CREATE TABLE outbox_records (record_id uuid PRIMARY KEY, name text NOT NULL, payload text NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), archived_at timestamptz, last_attempt_at timestamptz, handler text)",
      "id=record_id eventType=name payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox_records (record_id,name,payload,status,last_attempt_at) VALUES ('$1','a','{}','PENDING',NULL),('$2','a','{}','SENT',now()),('$3','a','{}','PERMANENTLY_FAILED',now()),('$4','a','{}','TEMPORARILY_FAILED',now())",
      "$1 pending|unknown, $2 published|unknown, $3 dead|unknown, $4 failed|unknown",
    ),
    "SELECT record_id FROM outbox_records WHERE status IN ('PENDING','TEMPORARILY_FAILED')",
  ),
  // Sent to two places, each with its own mark.
  claimed(
    stated(
      "CREATE TABLE fanout_outbox (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), kafka_sent_at timestamptz, webhook_sent_at timestamptz)",
      "id=id eventType=type payload=payload createdAt=created_at publishedAt?=kafka_sent_at",
      "INSERT INTO fanout_outbox (id,type,payload,kafka_sent_at,webhook_sent_at) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),now()),('$3','a','{}',now(),NULL)",
      "$1 pending|unknown, $2 published|unknown, $3 pending|unknown|failed",
    ),
    "SELECT id FROM fanout_outbox WHERE kafka_sent_at IS NULL OR webhook_sent_at IS NULL",
  ),
  // Published is told by an offset.
  claimed(
    stated(
      "CREATE TABLE outbox_v4 (id bigserial PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), broker_message_id text)",
      "id=id topic=topic payload=payload createdAt=created_at order?=id",
      "INSERT INTO outbox_v4 (topic,payload,broker_message_id) VALUES ('t','{}',NULL),('t','{}','m-1')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM outbox_v4 WHERE broker_message_id IS NULL",
  ),
  // Failed for good and failed for now are two words.
  claimed(
    stated(
      "CREATE TABLE outbox_words (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'ready' CHECK (status IN ('ready','claimed','sent','retry','failed')), attempts int NOT NULL DEFAULT 0, claimed_at timestamptz, claimed_by text, claim_expires_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status attempts=attempts lockedBy=claimed_by lockedUntil=claim_expires_at createdAt=created_at",
      "INSERT INTO outbox_words (id,event_type,payload,status,attempts,claimed_by,claim_expires_at) VALUES ('$1','a','{}','ready',0,NULL,NULL),('$2','a','{}','sent',1,NULL,NULL),('$3','a','{}','retry',2,NULL,NULL),('$4','a','{}','failed',9,NULL,NULL),('$5','a','{}','claimed',0,'w',now()+interval '1 hour')",
      "$1 pending, $2 published, $3 failed, $4 dead|failed, $5 in_flight",
    ),
    "SELECT id FROM outbox_words WHERE status IN ('ready','retry')",
  ),
  // A scheduled message waits, it has not failed.
  claimed(
    stated(
      "CREATE TABLE outbox_scheduled (id uuid PRIMARY KEY, kind text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'SCHEDULED' CHECK (status IN ('SCHEDULED','DISPATCHED','SUPPRESSED','DUPLICATE')), deliver_after timestamptz NOT NULL DEFAULT now(), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=kind payload=payload status=status availableAt=deliver_after createdAt=created_at",
      "INSERT INTO outbox_scheduled (id,kind,payload,status,deliver_after) VALUES ('$1','a','{}','SCHEDULED',now()),('$2','a','{}','DISPATCHED',now()),('$3','a','{}','SUPPRESSED',now()),('$4','a','{}','DUPLICATE',now()),('$5','a','{}','SCHEDULED',now()+interval '1 hour')",
      "$1 pending, $2 published, $3 unknown|dead|published, $4 unknown|dead|published, $5 pending",
    ),
    "SELECT id FROM outbox_scheduled WHERE status = 'SCHEDULED' AND deliver_after <= {now}",
  ),
  // Locked for ever unless the lock is cleared.
  claimed(
    stated(
      "CREATE TABLE outbox_v5 (id bigserial PRIMARY KEY, event text NOT NULL, payload jsonb NOT NULL, locked boolean NOT NULL DEFAULT false, processed boolean NOT NULL DEFAULT false, attempts int NOT NULL DEFAULT 0, last_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event payload=payload publishedAt=processed attempts=attempts lastError=last_error createdAt=created_at order?=id",
      "INSERT INTO outbox_v5 (event,payload,locked,processed,attempts,last_error) VALUES ('a','{}',false,false,0,NULL),('a','{}',false,true,1,NULL),('a','{}',false,false,2,'x'),('a','{}',true,false,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 in_flight|pending|unknown",
    ),
    "SELECT id FROM outbox_v5 WHERE NOT processed AND NOT locked",
  ),
  // The due time's end of days means dead.
  claimed(
    stated(
      "CREATE TABLE outbox_parked (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, next_attempt_at timestamptz NOT NULL DEFAULT now(), attempts int NOT NULL DEFAULT 0, published_at timestamptz, parked_at timestamptz, parked_reason text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload availableAt=next_attempt_at attempts=attempts publishedAt=published_at lastError?=parked_reason createdAt=created_at order?=id",
      "INSERT INTO outbox_parked (event_type,payload,attempts,published_at,parked_at,next_attempt_at) VALUES ('a','{}',0,NULL,NULL,now()),('a','{}',1,now(),NULL,now()),('a','{}',2,NULL,NULL,now()+interval '1 hour'),('a','{}',9,NULL,now(),now())",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM outbox_parked WHERE published_at IS NULL AND parked_at IS NULL AND next_attempt_at <= {now}",
  ),
];
