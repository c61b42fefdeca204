import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes of public repositories, with the rows that the relay beside each would take. */
export const CLAIMED_REPOSITORIES: readonly ClaimedTable[] = [
  // The first try counts as 1 before it is made.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), topic varchar(255) NOT NULL, payload jsonb NOT NULL, headers jsonb DEFAULT '{}', attempt integer DEFAULT 1, relayed_at timestamp, failed_at timestamp, last_error varchar(255), inserted_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now())",
      "id=id topic=topic payload=payload headers=headers attempts?=attempt publishedAt=relayed_at lastError=last_error createdAt=inserted_at",
      "INSERT INTO outbox_messages (id,topic,payload,attempt,relayed_at,failed_at,last_error) VALUES ('$1','t','{}',1,NULL,NULL,NULL),('$2','t','{}',1,now(),NULL,NULL),('$3','t','{}',3,NULL,NULL,'x'),('$4','t','{}',6,NULL,now(),'x')",
      "$1 pending, $2 published, $3 failed, $4 dead|failed",
    ),
    "SELECT id FROM outbox_messages WHERE relayed_at IS NULL AND failed_at IS NULL",
  ),
  // The same beside a status.
  claimed(
    stated(
      "CREATE TABLE outbox_items (id uuid PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','sent','dead')), attempt int NOT NULL DEFAULT 1, enabled boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox_items (id,topic,payload,status,attempt,enabled) VALUES ('$1','t','{}','pending',1,true),('$2','t','{}','sent',1,true),('$3','t','{}','pending',3,true),('$4','t','{}','dead',6,true),('$5','t','{}','pending',1,false)",
      "$1 pending, $2 published, $3 failed, $4 dead, $5 unknown",
    ),
    "SELECT id FROM outbox_items WHERE status = 'pending' AND enabled",
  ),
  // A flag, a lease, and the time at which it is given up.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), order_id uuid NOT NULL, payload jsonb NOT NULL, topic varchar(100) NOT NULL, processed boolean DEFAULT false, attempts integer NOT NULL DEFAULT 0, next_attempt_at timestamptz NOT NULL DEFAULT now(), lease_until timestamptz, last_error text, dead_at timestamptz, created_at timestamptz DEFAULT now())",
      "id=id aggregateId?=order_id payload=payload topic=topic attempts=attempts availableAt=next_attempt_at lockedUntil=lease_until lastError=last_error createdAt=created_at publishedAt?=processed",
      "INSERT INTO outbox (id,order_id,payload,topic,processed,attempts,next_attempt_at,lease_until,last_error,dead_at) VALUES ('$1','$1','{}','t',false,0,now(),NULL,NULL,NULL),('$2','$1','{}','t',true,1,now(),NULL,NULL,NULL),('$3','$1','{}','t',false,2,now()+interval '1 hour',NULL,'x',NULL),('$4','$1','{}','t',false,1,now(),now()+interval '1 hour',NULL,NULL),('$5','$1','{}','t',false,9,now(),NULL,'x',now())",
      "$1 pending, $2 published, $3 failed, $4 in_flight, $5 dead",
    ),
    "SELECT id FROM outbox WHERE processed = false AND dead_at IS NULL AND next_attempt_at <= {now} AND (lease_until IS NULL OR lease_until < {now})",
  ),
  // Three words, of which the first means that it waits, and a version for the lock.
  claimed(
    stated(
      "CREATE TYPE outbox_status AS ENUM ('STARTED','COMPLETED','FAILED'); CREATE TABLE user_plan_subscription_event_outbox (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, processed_at timestamptz, payload jsonb NOT NULL, outbox_status outbox_status NOT NULL, version integer NOT NULL)",
      "id=id createdAt=created_at publishedAt?=processed_at payload=payload status=outbox_status",
      "INSERT INTO user_plan_subscription_event_outbox VALUES ('$1',now(),NULL,'{}','STARTED',0),('$2',now(),now(),'{}','COMPLETED',1),('$3',now(),now(),'{}','FAILED',1)",
      "$1 pending|unknown, $2 published, $3 failed|dead|unknown",
    ),
    "SELECT id FROM user_plan_subscription_event_outbox WHERE outbox_status = 'STARTED'",
  ),
  // An earlier state and the present one are the payload's, not the row's.
  claimed(
    stated(
      "CREATE TABLE camera_health_transition_outbox (transition_id text PRIMARY KEY, camera_id uuid NOT NULL, checkpoint_revision bigint NOT NULL, previous_state text, current_state text NOT NULL CHECK (current_state IN ('healthy','degraded','unavailable','unknown')), transition_type text NOT NULL, payload jsonb NOT NULL, delivery_state text NOT NULL DEFAULT 'pending' CHECK (delivery_state IN ('pending','submitting','retryable_failure','materialized')), attempt_count integer NOT NULL DEFAULT 0, claim_token uuid, lease_until timestamptz, last_attempt_at timestamptz, acknowledged_at timestamptz, error_code text, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), updated_at timestamptz NOT NULL DEFAULT clock_timestamp(), UNIQUE (camera_id, checkpoint_revision)); CREATE INDEX ON camera_health_transition_outbox (delivery_state, created_at)",
      "id=transition_id eventType?=transition_type aggregateId?=camera_id payload=payload status=delivery_state attempts=attempt_count lockedUntil=lease_until lockedBy?=claim_token lastError?=error_code createdAt=created_at publishedAt?=acknowledged_at",
      "INSERT INTO camera_health_transition_outbox (transition_id,camera_id,checkpoint_revision,current_state,transition_type,payload,delivery_state,attempt_count,claim_token,lease_until,acknowledged_at,error_code) VALUES ('a','$1',1,'unavailable','x','{}','pending',0,NULL,NULL,NULL,NULL),('b','$1',2,'healthy','x','{}','submitting',1,'$1',now()+interval '1 hour',NULL,NULL),('c','$1',3,'healthy','x','{}','retryable_failure',2,NULL,NULL,NULL,'E'),('d','$1',4,'degraded','x','{}','materialized',1,NULL,NULL,now(),NULL)",
      "a pending, b in_flight|unknown, c failed|unknown, d published|unknown",
    ),
    "SELECT transition_id FROM camera_health_transition_outbox WHERE delivery_state IN ('pending','retryable_failure') AND (lease_until IS NULL OR lease_until <= {now})",
  ),
  // The words are the repository's own, and the table has a receipt beside the time.
  claimed(
    stated(
      "CREATE TABLE signal_operator_alert_outbox (id text PRIMARY KEY, source_id text NOT NULL, external_message_id text NOT NULL, token_address text NOT NULL, payload jsonb NOT NULL, delivery_state text NOT NULL DEFAULT 'PENDING' CHECK (delivery_state IN ('PENDING','DELIVERED')), transport_receipt text, delivered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), CHECK (delivery_state <> 'DELIVERED' OR delivered_at IS NOT NULL))",
      "id=id payload=payload status=delivery_state publishedAt=delivered_at createdAt=created_at aggregateId?=source_id",
      "INSERT INTO signal_operator_alert_outbox (id,source_id,external_message_id,token_address,payload,delivery_state,delivered_at) VALUES ('a','s','1','t','{}','PENDING',NULL),('b','s','2','t','{}','DELIVERED',now())",
      "a pending, b published",
    ),
    "SELECT id FROM signal_operator_alert_outbox WHERE delivery_state = 'PENDING'",
  ),
  // What points at the changed row stands for the payload.
  claimed(
    stated(
      "CREATE TABLE provider_outbox (id bigserial PRIMARY KEY, event_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE, provider text NOT NULL, object_kind text NOT NULL, canonical_object_id uuid NOT NULL, external_object_id text NOT NULL, operation text NOT NULL CHECK (operation IN ('upsert','delete')), canonical_revision bigint NOT NULL, canonical_content_hash text NOT NULL, delivery_state text NOT NULL DEFAULT 'pending' CHECK (delivery_state IN ('pending','processing','delivered','failed')), available_at timestamptz NOT NULL DEFAULT now(), attempt_count integer NOT NULL DEFAULT 0, last_error_digest text, locked_by text, lease_expires_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), delivered_at timestamptz)",
      "id=id status=delivery_state publishedAt=delivered_at createdAt=created_at availableAt=available_at attempts=attempt_count lockedBy=locked_by lockedUntil=lease_expires_at eventType?=operation aggregateType?=object_kind aggregateId?=canonical_object_id order?=id lastError?=last_error_digest payload?=canonical_content_hash",
      "INSERT INTO provider_outbox (provider,object_kind,canonical_object_id,external_object_id,operation,canonical_revision,canonical_content_hash,delivery_state,delivered_at) VALUES ('p','entity','$1','x','upsert',1,'h','pending',NULL),('p','entity','$1','x','upsert',2,'h','delivered',now()),('p','entity','$1','x','upsert',3,'h','failed',NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM provider_outbox WHERE delivery_state = 'pending' AND available_at <= {now}",
  ),
  // A whole envelope; what failed is tried again by hand only.
  claimed(
    stated(
      "CREATE TABLE outbox (outbox_id text PRIMARY KEY, envelope jsonb NOT NULL, status text NOT NULL CHECK (status IN ('PENDING','PUBLISHING','PUBLISHED','FAILED')), attempts integer NOT NULL DEFAULT 0, last_error text, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON outbox (status, created_at)",
      "id=outbox_id payload=envelope status=status attempts=attempts lastError=last_error createdAt=created_at",
      "INSERT INTO outbox (outbox_id,envelope,status,attempts,last_error) VALUES ('a','{}','PENDING',0,NULL),('b','{}','PUBLISHING',1,NULL),('c','{}','PUBLISHED',1,NULL),('d','{}','FAILED',5,'x'),('e','{}','PENDING',1,'x')",
      "a pending, b in_flight, c published, d failed|dead, e failed|pending",
    ),
    "SELECT outbox_id FROM outbox WHERE status = 'PENDING'",
  ),
  // Lease, partition key and bytes.
  claimed(
    stated(
      "CREATE TABLE domain_event_outbox (event_id varchar(255) PRIMARY KEY, aggregate_type varchar(100) NOT NULL, aggregate_id varchar(255) NOT NULL, event_type varchar(255) NOT NULL, schema_version integer NOT NULL, partition_key varchar(255) NOT NULL, payload bytea NOT NULL, occurred_at timestamptz NOT NULL, status varchar(32) NOT NULL, next_attempt_at timestamptz NOT NULL, lease_owner varchar(255), lease_until timestamptz, attempt_count integer NOT NULL DEFAULT 0, last_error varchar(2000), published_at timestamptz); CREATE INDEX ON domain_event_outbox (status, next_attempt_at, occurred_at)",
      "id=event_id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=payload createdAt=occurred_at status=status availableAt=next_attempt_at lockedBy=lease_owner lockedUntil=lease_until attempts=attempt_count lastError=last_error publishedAt=published_at",
      "INSERT INTO domain_event_outbox VALUES ('a','o','1','t',1,'1','x',now(),'PENDING',now(),NULL,NULL,0,NULL,NULL),('b','o','1','t',1,'1','x',now(),'PUBLISHED',now(),NULL,NULL,1,NULL,now()),('c','o','1','t',1,'1','x',now(),'PENDING',now()+interval '1 hour',NULL,NULL,2,'x',NULL),('d','o','1','t',1,'1','x',now(),'IN_PROGRESS',now(),'w',now()+interval '1 hour',1,NULL,NULL),('e','o','1','t',1,'1','x',now(),'DEAD_LETTER',now(),NULL,NULL,9,'x',NULL)",
      "a pending, b published, c failed|pending, d in_flight|unknown, e dead|unknown",
    ),
    "SELECT event_id FROM domain_event_outbox WHERE status = 'PENDING' AND next_attempt_at <= {now}",
  ),
  // Times for the end of each way, beside a status.
  claimed(
    stated(
      "CREATE TABLE domain_event_outbox (id uuid PRIMARY KEY, event_type varchar(160) NOT NULL, event_version integer NOT NULL, occurred_at timestamptz NOT NULL, subject varchar(140) NOT NULL, subject_sequence bigint NOT NULL, correlation_id varchar(100) NOT NULL, visibility varchar(20) NOT NULL, data_json jsonb NOT NULL, actor_type varchar(30) NOT NULL, source varchar(40) NOT NULL, status varchar(20) NOT NULL, attempt_count integer NOT NULL DEFAULT 0, available_at timestamptz NOT NULL, lease_owner varchar(100), lease_expires_at timestamptz, delivered_at timestamptz, dead_lettered_at timestamptz, created_at timestamptz NOT NULL)",
      "id=id eventType=event_type aggregateId?=subject topic?=subject payload=data_json status=status attempts=attempt_count availableAt=available_at lockedBy=lease_owner lockedUntil=lease_expires_at publishedAt=delivered_at createdAt=created_at order?=subject_sequence",
      "INSERT INTO domain_event_outbox (id,event_type,event_version,occurred_at,subject,subject_sequence,correlation_id,visibility,data_json,actor_type,source,status,attempt_count,available_at,delivered_at,dead_lettered_at,created_at) VALUES ('$1','t',1,now(),'s',1,'c','INTERNAL','{}','USER','web','PENDING',0,now(),NULL,NULL,now()),('$2','t',1,now(),'s',2,'c','INTERNAL','{}','USER','web','DELIVERED',1,now(),now(),NULL,now()),('$3','t',1,now(),'s',3,'c','INTERNAL','{}','USER','web','DEAD_LETTER',9,now(),NULL,now(),now())",
      "$1 pending, $2 published, $3 dead",
    ),
    "SELECT id FROM domain_event_outbox WHERE status = 'PENDING' AND available_at <= {now}",
  ),
  // A time of completion, another of the first completion of death, and three columns of the last error.
  claimed(
    stated(
      "CREATE TABLE outbox_event (event_id uuid PRIMARY KEY, event_type varchar(160) NOT NULL, event_version int NOT NULL, aggregate_type varchar(80) NOT NULL, aggregate_id uuid NOT NULL, aggregate_version bigint NOT NULL, occurred_at timestamptz NOT NULL, request_id varchar(64) NOT NULL, payload_json jsonb NOT NULL, status varchar(20) NOT NULL, attempt_count integer NOT NULL DEFAULT 0, next_attempt_at timestamptz, lease_owner varchar(80), lease_token uuid, lease_until timestamptz, last_error_consumer varchar(120), last_error_code varchar(80), last_error_type varchar(160), created_at timestamptz NOT NULL, completed_at timestamptz, dead_at timestamptz, CONSTRAINT s CHECK (status IN ('PENDING','PROCESSING','COMPLETED','DEAD')))",
      "id=event_id eventType=event_type aggregateType=aggregate_type aggregateId=aggregate_id payload=payload_json status=status attempts=attempt_count availableAt=next_attempt_at lockedBy=lease_owner lockedUntil=lease_until lastError?=last_error_code createdAt=created_at publishedAt=completed_at order?=aggregate_version",
      "INSERT INTO outbox_event (event_id,event_type,event_version,aggregate_type,aggregate_id,aggregate_version,occurred_at,request_id,payload_json,status,attempt_count,next_attempt_at,lease_owner,lease_until,created_at,completed_at,dead_at) VALUES ('$1','t',1,'o','$1',1,now(),'r','{}','PENDING',0,NULL,NULL,NULL,now(),NULL,NULL),('$2','t',1,'o','$1',2,now(),'r','{}','COMPLETED',1,NULL,NULL,NULL,now(),now(),NULL),('$3','t',1,'o','$1',3,now(),'r','{}','DEAD',9,NULL,NULL,NULL,now(),NULL,now()),('$4','t',1,'o','$1',4,now(),'r','{}','PROCESSING',1,NULL,'w',now()+interval '1 hour',now(),NULL,NULL)",
      "$1 pending, $2 published, $3 dead, $4 in_flight",
    ),
    "SELECT event_id FROM outbox_event WHERE status = 'PENDING' AND (next_attempt_at IS NULL OR next_attempt_at <= {now})",
  ),
  // An error column that is never null.
  claimed(
    stated(
      `CREATE TABLE "OutboxMessages" ("Id" bigserial PRIMARY KEY, "EventType" text NOT NULL, "Event" text NOT NULL, "OccuredOn" timestamptz NOT NULL, "IsIntegrationEvent" boolean NOT NULL, "ProcessedOn" timestamptz, "Error" text NOT NULL)`,
      "id=Id eventType=EventType payload=Event createdAt=OccuredOn publishedAt=ProcessedOn lastError?=Error order?=Id",
      `INSERT INTO "OutboxMessages" ("EventType","Event","OccuredOn","IsIntegrationEvent","ProcessedOn","Error") VALUES ('a','{}',now(),true,NULL,''),('a','{}',now(),true,now(),''),('a','{}',now(),false,NULL,'')`,
      "1 pending, 2 published, 3 pending",
    ),
    `SELECT "Id" FROM "OutboxMessages" WHERE "ProcessedOn" IS NULL`,
  ),
  // Deleted softly: an inactive row is not sent.
  claimed(
    stated(
      `CREATE TABLE "OutboxMessages" ("Id" bigserial PRIMARY KEY, "Type" varchar(50) NOT NULL, "Payload" text NOT NULL, "RetryCount" int NOT NULL DEFAULT 0, "CreatedAt" timestamptz NOT NULL DEFAULT now(), "CreatedBy" bigint NOT NULL DEFAULT 1, "IsProcessed" boolean NOT NULL DEFAULT false, "ProcessedAt" timestamptz, "NextAttemptAt" timestamptz, "IsActive" boolean NOT NULL DEFAULT true)`,
      "id=Id eventType=Type payload=Payload attempts=RetryCount createdAt=CreatedAt publishedAt=ProcessedAt availableAt=NextAttemptAt order?=Id",
      `INSERT INTO "OutboxMessages" ("Type","Payload","RetryCount","IsProcessed","ProcessedAt","NextAttemptAt","IsActive") VALUES ('a','{}',0,false,NULL,NULL,true),('a','{}',0,true,now(),NULL,true),('a','{}',2,false,NULL,now()+interval '1 hour',true),('a','{}',0,false,NULL,NULL,false)`,
      "1 pending|unknown, 2 published, 3 failed|unknown, 4 unknown|expired|dead",
    ),
    `SELECT "Id" FROM "OutboxMessages" WHERE NOT "IsProcessed" AND "IsActive" AND ("NextAttemptAt" IS NULL OR "NextAttemptAt" <= {now})`,
  ),
  // A number for the state, a flag, and a lease.
  claimed(
    stated(
      `CREATE TABLE "Outbox" ("Id" uuid PRIMARY KEY, "Topic" varchar(255) NOT NULL, "Payload" text NOT NULL, "CreatedAt" timestamptz NOT NULL DEFAULT now(), "Status" smallint NOT NULL DEFAULT 0, "LockedUntil" timestamptz, "OwnerToken" uuid, "IsProcessed" boolean NOT NULL DEFAULT false, "ProcessedAt" timestamptz, "ProcessedBy" varchar(100), "RetryCount" int NOT NULL DEFAULT 0, "LastError" text, "NextAttemptAt" timestamptz NOT NULL DEFAULT now())`,
      "id=Id topic=Topic payload=Payload createdAt=CreatedAt status?=Status lockedUntil=LockedUntil lockedBy?=OwnerToken publishedAt=ProcessedAt attempts=RetryCount lastError=LastError availableAt=NextAttemptAt",
      `INSERT INTO "Outbox" ("Id","Topic","Payload","Status","LockedUntil","OwnerToken","IsProcessed","ProcessedAt","RetryCount","LastError") VALUES ('$1','t','x',0,NULL,NULL,false,NULL,0,NULL),('$2','t','x',1,now()+interval '1 hour','$1',false,NULL,0,NULL),('$3','t','x',2,NULL,NULL,true,now(),0,NULL),('$4','t','x',3,NULL,NULL,false,NULL,9,'x')`,
      "$1 pending|unknown, $2 in_flight|unknown, $3 published, $4 dead|failed|unknown",
    ),
    `SELECT "Id" FROM "Outbox" WHERE "Status" = 0 AND "NextAttemptAt" <= {now}`,
  ),
  // Sent rows leave for an archive, so that no word says sent.
  claimed(
    stated(
      "CREATE TYPE outbox_event_status AS ENUM ('pending','processing','failed'); CREATE TABLE outbox_events (id uuid PRIMARY KEY, trace_id uuid NOT NULL, event text NOT NULL, payload jsonb NOT NULL, status outbox_event_status NOT NULL, retry_count integer NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz)",
      "id=id traceId=trace_id eventType=event payload=payload status=status attempts=retry_count createdAt=created_at",
      "INSERT INTO outbox_events (id,trace_id,event,payload,status,retry_count) VALUES ('$1','$1','e','{}','pending',0),('$2','$1','e','{}','processing',0),('$3','$1','e','{}','failed',3)",
      "$1 pending, $2 in_flight, $3 failed|dead",
    ),
    "SELECT id FROM outbox_events WHERE status IN ('pending')",
  ),
  // In words of ours: what is skipped or archived, a flag of what waits, and a count that goes down.
  claimed(
    stated(
      "CREATE TABLE outbox_u (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, skip boolean NOT NULL DEFAULT false, on_hold boolean NOT NULL DEFAULT false, archived boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox_u (id,event_type,payload,sent_at,skip,on_hold,archived) VALUES ('$1','e','{}',NULL,false,false,false),('$2','e','{}',now(),false,false,false),('$3','e','{}',NULL,true,false,false),('$4','e','{}',NULL,false,true,false),('$5','e','{}',NULL,false,false,true)",
      "$1 pending, $2 published, $3 unknown, $4 unknown, $5 unknown",
    ),
    "SELECT id FROM outbox_u WHERE sent_at IS NULL AND NOT skip AND NOT on_hold AND NOT archived",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_y (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), pending boolean NOT NULL DEFAULT true, sent_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=sent_at",
      "INSERT INTO outbox_y (event_type,payload,pending,sent_at) VALUES ('e','{}',true,NULL),('e','{}',false,now()),('e','{}',false,NULL)",
      "1 pending|unknown, 2 published|unknown, 3 unknown|published",
    ),
    "SELECT id FROM outbox_y WHERE pending",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_w (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), retry_count int NOT NULL DEFAULT 3, sent boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id attempts?=retry_count",
      "INSERT INTO outbox_w (event_type,payload,retry_count,sent) VALUES ('e','{}',3,false),('e','{}',3,true),('e','{}',1,false),('e','{}',0,false)",
      "1 pending, 2 published, 3 failed|unknown, 4 dead|failed|unknown",
    ),
    "SELECT id FROM outbox_w WHERE NOT sent AND retry_count > 0",
  ),
];
