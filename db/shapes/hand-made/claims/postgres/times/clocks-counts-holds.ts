import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with clocks, counts, holds and flags of many kinds. */
export const CLAIMED_CLOCKS_COUNTS_HOLDS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE crm_erp_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, crm_sent_at timestamptz, erp_sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO crm_erp_outbox (event_type,payload,crm_sent_at,erp_sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),now()),('a','{}',now(),NULL),('a','{}',NULL,now())",
      "1 pending|unknown, 2 published|unknown, 3 unknown|pending, 4 unknown|pending",
    ),
    "SELECT id FROM crm_erp_outbox WHERE crm_sent_at IS NULL OR erp_sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE edi_outbox (id bigserial PRIMARY KEY, doc_type text NOT NULL, payload text NOT NULL, sent_at timestamptz, acked_at timestamptz, nacked_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO edi_outbox (doc_type,payload,sent_at,acked_at,nacked_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',now(),now(),NULL),('a','{}',now(),NULL,now())",
      "1 pending, 2 published|in_flight|unknown, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM edi_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE ride_outbox (id bigint GENERATED ALWAYS AS IDENTITY, event_type text NOT NULL, payload jsonb NOT NULL, state smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at); CREATE TABLE ride_outbox_d PARTITION OF ride_outbox DEFAULT; COMMENT ON COLUMN ride_outbox.state IS '0=to send; 1=sent; 2=gave up'",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO ride_outbox (event_type,payload,state) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 published, 3 dead|failed",
    ),
    "SELECT id FROM ride_outbox WHERE state=0",
  ),
  claimed(
    stated(
      "CREATE TABLE base_entity (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL DEFAULT now(), deleted boolean NOT NULL DEFAULT false); CREATE TABLE child_outbox (event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, PRIMARY KEY (id)) INHERITS (base_entity)",
      "id=id createdAt=created_at eventType=event_type payload=payload publishedAt=published_at",
      "INSERT INTO child_outbox (id,event_type,payload,published_at,deleted) VALUES ('$1','a','{}',NULL,false),('$2','a','{}',now(),false),('$3','a','{}',NULL,true)",
      "$1 pending, $2 published, $3 unknown",
    ),
    "SELECT id FROM child_outbox WHERE published_at IS NULL AND NOT deleted",
  ),
  claimed(
    stated(
      "CREATE TABLE gen_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, error text, state text GENERATED ALWAYS AS (CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN error IS NOT NULL THEN 'failed' ELSE 'pending' END) STORED, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lastError=error order?=id",
      "INSERT INTO gen_outbox (event_type,payload,sent_at,error) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM gen_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE claims_evt_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'CREATED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO claims_evt_outbox (event_type,payload,status) VALUES ('a','{}','CREATED'),('a','{}','SUBMITTED'),('a','{}','CONFIRMED'),('a','{}','REJECTED')",
      "1 pending, 2 in_flight|published|unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM claims_evt_outbox WHERE status='CREATED'",
  ),
  claimed(
    stated(
      "CREATE TABLE hold_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'READY', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO hold_outbox (event_type,payload,status) VALUES ('a','{}','READY'),('a','{}','ON_HOLD'),('a','{}','DONE'),('a','{}','SUPERSEDED'),('a','{}','RETRY')",
      "1 pending, 2 unknown, 3 published, 4 unknown, 5 failed|pending",
    ),
    "SELECT id FROM hold_outbox WHERE status IN ('READY','RETRY')",
  ),
  claimed(
    stated(
      "CREATE TABLE worker_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, worker_id int, picked_at timestamptz, done_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=done_at order?=id",
      "INSERT INTO worker_outbox (event_type,payload,worker_id,picked_at,done_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',7,now(),NULL),('a','{}',7,now(),now())",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM worker_outbox WHERE done_at IS NULL AND worker_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE proc_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processing boolean NOT NULL DEFAULT false, processed boolean NOT NULL DEFAULT false, failed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed order?=id",
      "INSERT INTO proc_outbox (event_type,payload,processing,processed,failed) VALUES ('a','{}',false,false,false),('a','{}',true,false,false),('a','{}',false,true,false),('a','{}',false,false,true)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM proc_outbox WHERE NOT processing AND NOT processed AND NOT failed",
  ),
  claimed(
    stated(
      "CREATE TABLE batch_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, batch_id uuid, exported_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=exported_at order?=id",
      "INSERT INTO batch_outbox (event_type,payload,batch_id,exported_at) VALUES ('a','{}',NULL,NULL),('a','{}','$1',NULL),('a','{}','$1',now())",
      "1 pending, 2 in_flight|unknown|pending, 3 published",
    ),
    "SELECT id FROM batch_outbox WHERE exported_at IS NULL AND batch_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE stream_outbox (id bigserial PRIMARY KEY, topic text NOT NULL, key text, value jsonb NOT NULL, kafka_partition int, kafka_offset bigint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic?=topic createdAt=created_at aggregateId?=key payload=value order?=id",
      "INSERT INTO stream_outbox (topic,value,kafka_partition,kafka_offset) VALUES ('t','{}',NULL,NULL),('t','{}',0,17)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM stream_outbox WHERE kafka_offset IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE flag_pend_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, pending boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=pending order?=id",
      "INSERT INTO flag_pend_outbox (event_type,payload,pending) VALUES ('a','{}',true),('a','{}',false)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM flag_pend_outbox WHERE pending",
  ),
  claimed(
    stated(
      "CREATE TABLE need_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, needs_publish boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO need_outbox (event_type,payload,needs_publish) VALUES ('a','{}',true),('a','{}',false)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM need_outbox WHERE needs_publish",
  ),
  claimed(
    stated(
      "CREATE TABLE tosend_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, to_send smallint NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO tosend_outbox (event_type,payload,to_send) VALUES ('a','{}',1),('a','{}',0)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM tosend_outbox WHERE to_send=1",
  ),
  claimed(
    stated(
      "CREATE TABLE res_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, result text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO res_outbox (event_type,payload,result) VALUES ('a','{}',NULL),('a','{}','OK'),('a','{}','TIMEOUT')",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM res_outbox WHERE result IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE tried_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, last_attempt_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO tried_outbox (event_type,payload,sent,last_attempt_at) VALUES ('a','{}',false,NULL),('a','{}',true,now()),('a','{}',false,now()-interval '1 h')",
      "1 pending, 2 published, 3 failed|unknown|pending",
    ),
    "SELECT id FROM tried_outbox WHERE NOT sent",
  ),
  claimed(
    stated(
      "CREATE TABLE later_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled','sent','failed')), not_before timestamptz NOT NULL DEFAULT now(), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at availableAt=not_before order?=id",
      "INSERT INTO later_outbox (event_type,payload,status,not_before) VALUES ('a','{}','scheduled',now()),('a','{}','scheduled',now()+interval '1 d'),('a','{}','sent',now()),('a','{}','failed',now())",
      "1 pending, 2 pending, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM later_outbox WHERE status='scheduled' AND not_before<={now}",
  ),
  claimed(
    stated(
      "CREATE TABLE ttl_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, ttl_seconds int NOT NULL DEFAULT 60, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO ttl_outbox (event_type,payload,sent_at,created_at) VALUES ('a','{}',NULL,now()),('a','{}',now(),now()),('a','{}',NULL,now()-interval '1 d')",
      "1 pending|unknown, 2 published, 3 expired|pending|unknown",
    ),
    "SELECT id FROM ttl_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE valid_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, valid_until timestamptz, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at expiresAt=valid_until order?=id",
      "INSERT INTO valid_outbox (event_type,payload,valid_until,sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',NULL,now()),('a','{}',now()-interval '1 h',NULL)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM valid_outbox WHERE sent_at IS NULL AND (valid_until IS NULL OR valid_until>{now})",
  ),
  claimed(
    stated(
      "CREATE TYPE obx AS ENUM ('open','inflight','closed','parked'); CREATE TABLE mes_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, phase obx NOT NULL DEFAULT 'open', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=phase createdAt=created_at order?=id",
      "INSERT INTO mes_outbox (event_type,payload,phase) VALUES ('a','{}','open'),('a','{}','inflight'),('a','{}','closed'),('a','{}','parked')",
      "1 pending|unknown, 2 in_flight|unknown, 3 published|unknown, 4 dead|unknown",
    ),
    "SELECT id FROM mes_outbox WHERE phase='open'",
  ),
  claimed(
    stated(
      "CREATE TABLE quiet_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(16) NOT NULL, created_at timestamptz NOT NULL)",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO quiet_outbox (event_type,payload,status,created_at) VALUES ('a','{}','NEW',now()),('a','{}','NEW',now())",
      "1 pending, 2 pending",
    ),
    "SELECT id FROM quiet_outbox WHERE status='NEW'",
  ),
  claimed(
    stated(
      "CREATE TABLE onepub_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(16) NOT NULL, created_at timestamptz NOT NULL)",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO onepub_outbox (event_type,payload,status,created_at) VALUES ('a','{}','COMPLETED',now())",
      "1 published",
    ),
    "SELECT id FROM onepub_outbox WHERE status='NEW'",
  ),
  claimed(
    stated(
      "CREATE TABLE resolve_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed_at timestamptz, errored_at timestamptz, resolved_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed_at order?=id",
      "INSERT INTO resolve_outbox (event_type,payload,processed_at,errored_at,resolved_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,now(),NULL),('a','{}',NULL,now()-interval '1 h',now())",
      "1 pending, 2 published, 3 failed|dead, 4 unknown|failed|dead",
    ),
    "SELECT id FROM resolve_outbox WHERE processed_at IS NULL AND errored_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE skip_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, skip boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO skip_outbox (event_type,payload,published_at,skip) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM skip_outbox WHERE published_at IS NULL AND NOT skip",
  ),
  claimed(
    stated(
      "CREATE TABLE tri_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, is_processed int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=is_processed order?=id",
      "INSERT INTO tri_outbox (event_type,payload,is_processed) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 published|unknown, 3 unknown|failed|in_flight",
    ),
    "SELECT id FROM tri_outbox WHERE is_processed=0",
  ),
  claimed(
    stated(
      "CREATE TABLE pubcnt_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publish_count int NOT NULL DEFAULT 0, last_published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at attempts=publish_count order?=id",
      "INSERT INTO pubcnt_outbox (event_type,payload,publish_count,last_published_at) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',2,now())",
      "1 pending|unknown, 2 published|unknown, 3 published|unknown",
    ),
    "SELECT id FROM pubcnt_outbox WHERE publish_count=0",
  ),
  claimed(
    stated(
      "CREATE TABLE quar_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','PUBLISHED')), quarantined_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO quar_outbox (event_type,payload,status,quarantined_at) VALUES ('a','{}','PENDING',NULL),('a','{}','PUBLISHED',NULL),('a','{}','PENDING',now())",
      "1 pending, 2 published, 3 dead|unknown",
    ),
    "SELECT id FROM quar_outbox WHERE status='PENDING' AND quarantined_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE lease_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, lease_owner text, lease_expires_ms bigint, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lockedBy=lease_owner createdAt=created_at lockedUntil=lease_expires_ms publishedAt=sent_at order?=id",
      "INSERT INTO lease_outbox (event_type,payload,lease_owner,lease_expires_ms,sent_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}','w',4102444800000,NULL),('a','{}','w',1764000000000,NULL),('a','{}',NULL,NULL,now())",
      "1 pending, 2 in_flight, 3 pending|failed|in_flight, 4 published",
    ),
    "SELECT id FROM lease_outbox WHERE sent_at IS NULL AND (lease_expires_ms IS NULL OR lease_expires_ms < 1764500000000)",
  ),
  claimed(
    stated(
      `CREATE TABLE jst_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status jsonb NOT NULL DEFAULT '{"state":"pending"}', created_at timestamptz NOT NULL DEFAULT now())`,
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      `INSERT INTO jst_outbox (event_type,payload,status) VALUES ('a','{}','{"state":"pending"}'),('a','{}','{"state":"sent"}')`,
      "1 unknown, 2 unknown",
    ),
    "SELECT id FROM jst_outbox WHERE status->>'state'='pending'",
  ),
  claimed(
    stated(
      "CREATE TABLE arr_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivered_to text[] NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO arr_outbox (event_type,payload,delivered_to) VALUES ('a','{}','{}'),('a','{}','{crm}')",
      "1 unknown|pending, 2 unknown",
    ),
    "SELECT id FROM arr_outbox WHERE delivered_to='{}'",
  ),
];
