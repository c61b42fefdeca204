import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Rows that another column denies were sent or says are not tried again, and a status that may be of the message's
 * subject.
 */
export const CLAIMED_DENIED_AND_SPENT: readonly ClaimedTable[] = [
  // Delivery_status of the parcel beside published_at.
  claimed(
    stated(
      "CREATE TABLE parcel_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), delivery_status varchar(20) NOT NULL DEFAULT 'PENDING' CHECK (delivery_status IN ('PENDING','SHIPPED','DELIVERED','RETURNED')), published_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id status?=delivery_status",
      "INSERT INTO parcel_outbox (event_type,payload,delivery_status,published_at) VALUES ('a','{}','PENDING',NULL),('a','{}','PENDING',now()),('a','{}','DELIVERED',NULL),('a','{}','DELIVERED',now())",
      "1 pending, 2 published|unknown, 3 pending|unknown, 4 published",
    ),
    "SELECT id FROM parcel_outbox WHERE published_at IS NULL",
  ),
  // Status of the order beside published flag.
  claimed(
    stated(
      "CREATE TABLE order_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(20) NOT NULL DEFAULT 'PENDING', published boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id status?=status",
      "INSERT INTO order_outbox (event_type,payload,status,published) VALUES ('a','{}','PENDING',false),('a','{}','PENDING',true),('a','{}','COMPLETED',false),('a','{}','COMPLETED',true)",
      "1 pending, 2 published|unknown, 3 pending|unknown, 4 published",
    ),
    "SELECT id FROM order_outbox WHERE NOT published",
  ),
  // Status of the order beside published_at.
  claimed(
    stated(
      "CREATE TABLE order2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(20) NOT NULL DEFAULT 'PENDING', published_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id status?=status",
      "INSERT INTO order2_outbox (event_type,payload,status,published_at) VALUES ('a','{}','PENDING',NULL),('a','{}','PENDING',now()),('a','{}','COMPLETED',NULL),('a','{}','COMPLETED',now())",
      "1 pending, 2 published|unknown, 3 pending|unknown, 4 published",
    ),
    "SELECT id FROM order2_outbox WHERE published_at IS NULL",
  ),
  // Undelivered default false beside published.
  claimed(
    stated(
      "CREATE TABLE shipping_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, undelivered boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO shipping_outbox (event_type,payload,published,undelivered) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',true,true),('a','{}',false,true)",
      "1 pending, 2 published, 3 unknown|failed|dead, 4 unknown|dead|failed",
    ),
    "SELECT id FROM shipping_outbox WHERE NOT published AND NOT undelivered",
  ),
  // Undelivered null beside published_at.
  claimed(
    stated(
      "CREATE TABLE shipping_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, undelivered boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO shipping_outbox (event_type,payload,published_at,undelivered) VALUES ('a','{}',NULL,NULL),('a','{}',now(),false),('a','{}',now(),true),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown|failed|dead, 4 unknown|dead|failed|pending",
    ),
    "SELECT id FROM shipping_outbox WHERE published_at IS NULL AND undelivered IS NOT TRUE",
  ),
  // Given up by next NULL; new rows have one, no default.
  claimed(
    stated(
      "CREATE TABLE billing_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz, sent_at timestamptz, last_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=attempts availableAt=next_attempt_at lastError=last_error order?=id",
      "INSERT INTO billing_outbox (event_type,payload,attempts,next_attempt_at,sent_at,last_error) VALUES ('a','{}',0,now(),NULL,NULL),('a','{}',2,now()+interval '1 h',NULL,'x'),('a','{}',5,NULL,NULL,'x'),('a','{}',1,NULL,now(),NULL)",
      "1 pending, 2 failed, 3 unknown|dead, 4 published",
    ),
    "SELECT id FROM billing_outbox WHERE sent_at IS NULL AND next_attempt_at <= {now}",
  ),
  // Four eyes; nak code on sent row is silent?.
  claimed(
    stated(
      "CREATE TABLE swift_outbox (msg_ref varchar(16) PRIMARY KEY, mt_type varchar(3) NOT NULL, msg_body text NOT NULL, maker varchar(30) NOT NULL, checker varchar(30), checked_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), transmitted_at timestamptz, nak_code varchar(10))",
      "id=msg_ref payload=msg_body createdAt=created_at publishedAt=transmitted_at eventType?=mt_type",
      "INSERT INTO swift_outbox (msg_ref,mt_type,msg_body,maker,checker,checked_at,transmitted_at,nak_code) VALUES ('R1','103','x','ann','bob',now(),NULL,NULL),('R2','103','x','ann','bob',now(),now(),NULL),('R3','103','x','ann',NULL,NULL,NULL,NULL),('R4','103','x','ann','bob',now(),now(),'T13')",
      "R1 pending|unknown, R2 published, R3 unknown|pending, R4 unknown",
    ),
    "SELECT msg_ref FROM swift_outbox WHERE transmitted_at IS NULL AND checked_at IS NOT NULL",
  ),
  // Failed targets array beside published.
  claimed(
    stated(
      "CREATE TABLE partial_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, failed_targets text[] NOT NULL DEFAULT '{}')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO partial_outbox (event_type,payload,published_at,failed_targets) VALUES ('a','{}',NULL,'{}'),('a','{}',now(),'{}'),('a','{}',now(),'{sns}')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM partial_outbox WHERE published_at IS NULL",
  ),
  // Failed destinations json.
  claimed(
    stated(
      "CREATE TABLE partial2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, failed_destinations jsonb NOT NULL DEFAULT '[]')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id lastError?=failed_destinations",
      "INSERT INTO partial2_outbox (event_type,payload,published_at,failed_destinations) VALUES ('a','{}',NULL,'[]'),('a','{}',now(),'[]'),('a','{}',now(),'[\"sns\"]')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM partial2_outbox WHERE published_at IS NULL",
  ),
  // Owner.
  claimed(
    stated(
      "CREATE TABLE holder1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, owner varchar(60))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=owner",
      "INSERT INTO holder1_outbox (event_type,payload,sent_at,owner) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'pod-1')",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM holder1_outbox WHERE sent_at IS NULL AND owner IS NULL",
  ),
  // Rejection code on sent row.
  claimed(
    stated(
      "CREATE TABLE rej_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, rejection_code varchar(10), rejection_text text)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO rej_outbox (event_type,payload,sent_at,rejection_code,rejection_text) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',now(),'E1','bad')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM rej_outbox WHERE sent_at IS NULL",
  ),
  // Reject reason on sent row.
  claimed(
    stated(
      "CREATE TABLE rej2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, reject_reason text)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO rej2_outbox (event_type,payload,sent_at,reject_reason) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),'bad')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM rej2_outbox WHERE sent_at IS NULL",
  ),
  // Can_retry nullable.
  claimed(
    stated(
      "CREATE TABLE can_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, can_retry boolean, last_error text)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lastError=last_error order?=id",
      "INSERT INTO can_outbox (event_type,payload,sent_at,can_retry,last_error) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,false,'x'),('a','{}',NULL,true,'x')",
      "1 pending, 2 published, 3 unknown|dead, 4 failed",
    ),
    "SELECT id FROM can_outbox WHERE sent_at IS NULL AND can_retry IS DISTINCT FROM false",
  ),
  // Error_is_fatal.
  claimed(
    stated(
      "CREATE TABLE fatal_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, last_error text, error_is_fatal boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lastError=last_error order?=id",
      "INSERT INTO fatal_outbox (event_type,payload,sent_at,last_error,error_is_fatal) VALUES ('a','{}',NULL,NULL,false),('a','{}',now(),NULL,false),('a','{}',NULL,'x',false),('a','{}',NULL,'x',true)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM fatal_outbox WHERE sent_at IS NULL AND NOT error_is_fatal",
  ),
  // Max_attempts_reached flag.
  claimed(
    stated(
      "CREATE TABLE max_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, attempts int NOT NULL DEFAULT 0, max_attempts_reached boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=attempts order?=id",
      "INSERT INTO max_outbox (event_type,payload,sent_at,attempts,max_attempts_reached) VALUES ('a','{}',NULL,0,false),('a','{}',now(),1,false),('a','{}',NULL,2,false),('a','{}',NULL,5,true)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM max_outbox WHERE sent_at IS NULL AND NOT max_attempts_reached",
  ),
  // No_more_retries flag.
  claimed(
    stated(
      "CREATE TABLE nrt_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, attempts int NOT NULL DEFAULT 0, no_more_retries boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=attempts order?=id",
      "INSERT INTO nrt_outbox (event_type,payload,sent_at,attempts,no_more_retries) VALUES ('a','{}',NULL,0,false),('a','{}',now(),1,false),('a','{}',NULL,2,false),('a','{}',NULL,5,true)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM nrt_outbox WHERE sent_at IS NULL AND NOT no_more_retries",
  ),
  // Started/finished.
  claimed(
    stated(
      "CREATE TABLE step_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publish_started_at timestamptz, publish_finished_at timestamptz, publish_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=publish_finished_at lastError=publish_error order?=id",
      "INSERT INTO step_outbox (event_type,payload,publish_started_at,publish_finished_at,publish_error) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',now(),now(),NULL),('a','{}',now(),NULL,'x'),('a','{}',now(),now(),'x')",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|unknown|in_flight, 5 unknown|failed",
    ),
    "SELECT id FROM step_outbox WHERE publish_started_at IS NULL",
  ),
  // Sub_status.
  claimed(
    stated(
      "CREATE TABLE sub_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(40) NOT NULL DEFAULT 'NEW', sub_status varchar(20))",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status order?=id",
      "INSERT INTO sub_outbox (event_type,payload,status,sub_status) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',NULL),('a','{}','SENT','REJECTED'),('a','{}','SENT','ACCEPTED'),('a','{}','NEW','ON_HOLD')",
      "1 pending, 2 published, 3 unknown|failed, 4 published|unknown, 5 unknown",
    ),
    "SELECT id FROM sub_outbox WHERE status='NEW' AND sub_status IS NULL",
  ),
  // Status_detail.
  claimed(
    stated(
      "CREATE TABLE det_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, status_detail varchar(20))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lastError?=status_detail",
      "INSERT INTO det_outbox (event_type,payload,sent_at,status_detail) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),'REJECTED')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM det_outbox WHERE sent_at IS NULL",
  ),
  // Sent without time is published by its word.
  claimed(
    stated(
      "CREATE TABLE words_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(40) NOT NULL DEFAULT 'NEW', sent_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status publishedAt=sent_at order?=id",
      "INSERT INTO words_outbox (event_type,payload,status,sent_at) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',NULL),('a','{}','NEW',now())",
      "1 pending, 2 published|unknown, 3 pending|unknown",
    ),
    "SELECT id FROM words_outbox WHERE status='NEW'",
  ),
  // Refusal beside a status.
  claimed(
    stated(
      "CREATE TABLE stref_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(20) NOT NULL DEFAULT 'PENDING', rejection_reason text, sent_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status publishedAt=sent_at order?=id",
      "INSERT INTO stref_outbox (event_type,payload,status,rejection_reason,sent_at) VALUES ('a','{}','PENDING',NULL,NULL),('a','{}','SENT',NULL,now()),('a','{}','SENT','bad',now()),('a','{}','PENDING','bad',NULL)",
      "1 pending, 2 published, 3 unknown|failed, 4 unknown",
    ),
    "SELECT id FROM stref_outbox WHERE status='PENDING' AND rejection_reason IS NULL",
  ),
  // Targets that are left.
  claimed(
    stated(
      "CREATE TABLE pend_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, pending_targets jsonb NOT NULL DEFAULT '[]', delivered_targets jsonb NOT NULL DEFAULT '[]')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO pend_outbox (event_type,payload,published_at,pending_targets,delivered_targets) VALUES ('a','{}',NULL,'[\"a\"]','[]'),('a','{}',now(),'[]','[\"a\"]'),('a','{}',now(),'[\"b\"]','[\"a\"]')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM pend_outbox WHERE published_at IS NULL",
  ),
  // DELIVERED and delivered_at: one vocabulary.
  claimed(
    stated(
      "CREATE TABLE deliv_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(40) NOT NULL DEFAULT 'QUEUED', delivered_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status publishedAt=delivered_at order?=id",
      "INSERT INTO deliv_outbox (event_type,payload,status,delivered_at) VALUES ('a','{}','QUEUED',NULL),('a','{}','DELIVERED',now()),('a','{}','FAILED',NULL)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM deliv_outbox WHERE status='QUEUED'",
  ),
];
