import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes by the words of a status, and by who holds a row. */
export const CLAIMED_STATUS_WORDS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE w1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'unprocessed', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w1_outbox (event_type,payload,status) VALUES ('a','{}','unprocessed'),('a','{}','processed'),('a','{}','processing_failed'),('a','{}','skipped')",
      "1 pending, 2 published, 3 failed, 4 unknown",
    ),
    "SELECT id FROM w1_outbox WHERE status='unprocessed'",
  ),
  claimed(
    stated(
      "CREATE TABLE w2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w2_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','RETRY_PENDING'),('a','{}','SENT'),('a','{}','PERMANENT_FAILURE'),('a','{}','IGNORED')",
      "1 pending, 2 failed|pending, 3 published, 4 dead, 5 unknown",
    ),
    "SELECT id FROM w2_outbox WHERE status IN ('NEW','RETRY_PENDING')",
  ),
  claimed(
    stated(
      "CREATE TABLE w3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'Idle', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w3_outbox (event_type,payload,status) VALUES ('a','{}','Idle'),('a','{}','Busy'),('a','{}','Finished'),('a','{}','Crashed')",
      "1 pending|unknown, 2 in_flight|unknown, 3 published, 4 failed|unknown",
    ),
    "SELECT id FROM w3_outbox WHERE status='Idle'",
  ),
  claimed(
    stated(
      "CREATE TABLE w4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'ACTIVE', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w4_outbox (event_type,payload,status) VALUES ('a','{}','ACTIVE'),('a','{}','INACTIVE')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM w4_outbox WHERE status='ACTIVE'",
  ),
  claimed(
    stated(
      "CREATE TABLE w5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'IN_QUEUE', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w5_outbox (event_type,payload,status) VALUES ('a','{}','IN_QUEUE'),('a','{}','PICKED_UP'),('a','{}','SENT_TO_BROKER'),('a','{}','FAILED_TO_SEND'),('a','{}','MAX_RETRIES_EXCEEDED')",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed, 5 dead|failed",
    ),
    "SELECT id FROM w5_outbox WHERE status='IN_QUEUE'",
  ),
  claimed(
    stated(
      "CREATE TABLE w6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'STAGED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w6_outbox (event_type,payload,status) VALUES ('a','{}','STAGED'),('a','{}','COMMITTED'),('a','{}','DELIVERED')",
      "1 unknown|pending, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM w6_outbox WHERE status='COMMITTED'",
  ),
  claimed(
    stated(
      "CREATE TABLE w7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'OUTSTANDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w7_outbox (event_type,payload,status) VALUES ('a','{}','OUTSTANDING'),('a','{}','CLEARED'),('a','{}','STUCK')",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM w7_outbox WHERE status='OUTSTANDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE w8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w8_outbox (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','PUBLISHED'),('a','{}','FAILED'),('a','{}','PENDING_RETRY'),('a','{}','BLOCKED'),('a','{}','THROTTLED')",
      "1 pending, 2 published, 3 failed|dead, 4 failed|pending, 5 unknown, 6 unknown|pending|failed",
    ),
    "SELECT id FROM w8_outbox WHERE status IN ('PENDING','PENDING_RETRY')",
  ),
  claimed(
    stated(
      "CREATE TABLE w9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending_approval', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w9_outbox (event_type,payload,status) VALUES ('a','{}','pending_approval'),('a','{}','approved'),('a','{}','sent')",
      "1 unknown, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM w9_outbox WHERE status='approved'",
  ),
  claimed(
    stated(
      "CREATE TABLE w10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PUBLISHING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w10_outbox (event_type,payload,status) VALUES ('a','{}','PUBLISHING'),('a','{}','PUBLISHED')",
      "1 pending|in_flight, 2 published",
    ),
    "SELECT id FROM w10_outbox WHERE status='PUBLISHING'",
  ),
  claimed(
    stated(
      "CREATE TABLE w11_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'QUEUED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w11_outbox (event_type,payload,status) VALUES ('a','{}','QUEUED'),('a','{}','ACCEPTED'),('a','{}','COMPLETE'),('a','{}','EXPIRED'),('a','{}','REVOKED')",
      "1 pending, 2 unknown|in_flight|published, 3 published, 4 expired|unknown, 5 unknown",
    ),
    "SELECT id FROM w11_outbox WHERE status='QUEUED'",
  ),
  claimed(
    stated(
      "CREATE TABLE w12_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'READY', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w12_outbox (event_type,payload,status) VALUES ('a','{}','READY'),('a','{}','READY'),('a','{}','PROCESSED_WITH_ERRORS'),('a','{}','PROCESSED'),('a','{}','PARTIALLY_SENT')",
      "1 pending, 2 pending, 3 unknown|failed, 4 published, 5 unknown",
    ),
    "SELECT id FROM w12_outbox WHERE status='READY'",
  ),
  claimed(
    stated(
      "CREATE TABLE w13_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'yeni', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w13_outbox (event_type,payload,status) VALUES ('a','{}','yeni'),('a','{}','gonderildi'),('a','{}','basarisiz')",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM w13_outbox WHERE status='yeni'",
  ),
  claimed(
    stated(
      "CREATE TABLE w14_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(1) NOT NULL DEFAULT '0', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w14_outbox (event_type,payload,status) VALUES ('a','{}','0'),('a','{}','1'),('a','{}','2')",
      "1 pending|unknown, 2 published|unknown|in_flight, 3 unknown|published|failed",
    ),
    "SELECT id FROM w14_outbox WHERE status='0'",
  ),
  claimed(
    stated(
      "CREATE TABLE w15_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivery_status text NOT NULL DEFAULT 'NOT_DELIVERED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=delivery_status order?=id",
      "INSERT INTO w15_outbox (event_type,payload,delivery_status) VALUES ('a','{}','NOT_DELIVERED'),('a','{}','DELIVERED'),('a','{}','FAILED')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM w15_outbox WHERE delivery_status='NOT_DELIVERED'",
  ),
  claimed(
    stated(
      "CREATE TABLE w16_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', relay_status text NOT NULL DEFAULT 'NEW', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w16_outbox (event_type,payload,status,relay_status) VALUES ('a','{}','PENDING','NEW'),('a','{}','PENDING','SENT'),('a','{}','DONE','NEW')",
      "1 pending|unknown, 2 unknown|published|pending, 3 unknown|pending|published",
    ),
    "SELECT id FROM w16_outbox WHERE relay_status='NEW'",
  ),
  claimed(
    stated(
      "CREATE TABLE w17_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sub_status text, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w17_outbox (event_type,payload,sub_status,status) VALUES ('a','{}',NULL,'PENDING'),('a','{}',NULL,'SENT'),('a','{}','DEAD','PENDING')",
      "1 pending, 2 published, 3 unknown|dead|pending",
    ),
    "SELECT id FROM w17_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE l1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, claimed_at timestamptz, claimed_by text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lockedBy=claimed_by createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO l1_outbox (event_type,payload,sent_at,claimed_at,claimed_by) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),now(),'w'),('a','{}',NULL,now(),'w'),('a','{}',NULL,now()-interval '1 d','w')",
      "1 pending, 2 published, 3 in_flight, 4 pending|failed|in_flight",
    ),
    "SELECT id FROM l1_outbox WHERE sent_at IS NULL AND claimed_by IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE l2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, visibility_timeout timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO l2_outbox (event_type,payload,sent_at,visibility_timeout) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now()+interval '1 m')",
      "1 pending, 2 published, 3 in_flight|pending|unknown",
    ),
    "SELECT id FROM l2_outbox WHERE sent_at IS NULL AND (visibility_timeout IS NULL OR visibility_timeout<={now})",
  ),
  claimed(
    stated(
      "CREATE TABLE l3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', lock_token uuid, lock_expires_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at lockedUntil=lock_expires_at order?=id",
      "INSERT INTO l3_outbox (event_type,payload,status,lock_token,lock_expires_at) VALUES ('a','{}','PENDING',NULL,NULL),('a','{}','SENT',NULL,NULL),('a','{}','PENDING','00000000-0000-4000-8000-000000000001',now()+interval '1 h')",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM l3_outbox WHERE status='PENDING' AND (lock_expires_at IS NULL OR lock_expires_at<{now})",
  ),
  claimed(
    stated(
      "CREATE TABLE l4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, owner text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO l4_outbox (event_type,payload,sent_at,owner) VALUES ('a','{}',NULL,NULL),('a','{}',now(),'w1'),('a','{}',NULL,'w1')",
      "1 pending|unknown, 2 published, 3 in_flight|unknown|pending",
    ),
    "SELECT id FROM l4_outbox WHERE sent_at IS NULL AND owner IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE l5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, processor_id text, processor_heartbeat timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=processor_id",
      "INSERT INTO l5_outbox (event_type,payload,sent_at,processor_id,processor_heartbeat) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),'w1',now()),('a','{}',NULL,'w1',now())",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM l5_outbox WHERE sent_at IS NULL AND processor_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE l6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, locked_until_epoch bigint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at lockedUntil=locked_until_epoch publishedAt=sent_at order?=id",
      "INSERT INTO l6_outbox (event_type,payload,sent_at,locked_until_epoch) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,4102444800)",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM l6_outbox WHERE sent_at IS NULL AND locked_until_epoch=0",
  ),
  claimed(
    stated(
      "CREATE TABLE l7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, lease smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO l7_outbox (event_type,payload,sent_at,lease) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM l7_outbox WHERE sent_at IS NULL AND lease=0",
  ),
  claimed(
    stated(
      "CREATE TABLE l8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, process_id int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO l8_outbox (event_type,payload,sent_at,process_id) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,4711)",
      "1 pending, 2 published, 3 in_flight|unknown|pending",
    ),
    "SELECT id FROM l8_outbox WHERE sent_at IS NULL AND process_id=0",
  ),
];
