import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with holds, answers of receivers, and states that the database computes. */
export const CLAIMED_HOLDS_AND_ANSWERS: readonly ClaimedTable[] = [
  // Generated status.
  claimed(
    stated(
      "CREATE TABLE payroll_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts timestamptz, gave_up boolean NOT NULL DEFAULT false, state text GENERATED ALWAYS AS (CASE WHEN gave_up THEN 'DEAD' WHEN sent_ts IS NOT NULL THEN 'SENT' ELSE 'NEW' END) STORED, created_ts timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_ts createdAt=created_ts status?=state",
      "INSERT INTO payroll_outbox (event_type,payload,sent_ts,gave_up) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM payroll_outbox WHERE state = 'NEW'",
  ),
  // Domain with codes.
  claimed(
    stated(
      "CREATE DOMAIN ob_code AS char(1) DEFAULT 'W' CHECK (VALUE IN ('W','S','E')); CREATE DOMAIN doc AS jsonb NOT NULL; CREATE TABLE lab_result_outbox (id bigserial PRIMARY KEY, sample_no text NOT NULL, event_type text NOT NULL, document doc, code ob_code NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id aggregateId?=sample_no eventType=event_type payload=document status?=code createdAt=created_at",
      "INSERT INTO lab_result_outbox (sample_no,event_type,document,code) VALUES ('s','a','{}','W'),('s','a','{}','S'),('s','a','{}','E')",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM lab_result_outbox WHERE code = 'W'",
  ),
  // -1 is poison, 2 is in flight.
  claimed(
    stated(
      "CREATE TABLE match_event_outbox (id bigserial PRIMARY KEY, match_id uuid NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, sent smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id aggregateId?=match_id eventType=event_type payload=payload status?=sent publishedAt?=sent createdAt=created_at",
      "INSERT INTO match_event_outbox (match_id,event_type,payload,sent) VALUES ('$1','a','{}',0),('$1','a','{}',1),('$1','a','{}',-1),('$1','a','{}',2)",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown, 4 unknown|in_flight|published",
    ),
    "SELECT id FROM match_event_outbox WHERE sent = 0",
  ),
  // 1970 by default, and processed with an error.
  claimed(
    stated(
      "CREATE TABLE hotel_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_on timestamp NOT NULL DEFAULT now(), processed_on timestamp NOT NULL DEFAULT 'epoch', error text)",
      "id=id eventType=event_type payload=payload createdAt=created_on publishedAt=processed_on lastError?=error",
      "INSERT INTO hotel_outbox (id,event_type,payload,processed_on,error) VALUES ('$1','a','{}','epoch',NULL),('$2','a','{}',now(),NULL),('$3','a','{}',now(),'500')",
      "$1 pending, $2 published|unknown, $3 failed|dead|unknown",
    ),
    "SELECT id FROM hotel_outbox WHERE processed_on = 'epoch'",
  ),
  // Published, and acknowledged.
  claimed(
    stated(
      "CREATE TABLE b2b_outbox (id bigserial PRIMARY KEY, doc_type text NOT NULL, payload text NOT NULL, is_published boolean NOT NULL DEFAULT false, is_acknowledged boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON b2b_outbox (created_at) WHERE NOT is_acknowledged",
      "id=id order?=id eventType=doc_type payload=payload publishedAt?=is_acknowledged createdAt=created_at",
      "INSERT INTO b2b_outbox (doc_type,payload,is_published,is_acknowledged) VALUES ('a','x',false,false),('a','x',true,false),('a','x',true,true)",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM b2b_outbox WHERE NOT is_acknowledged",
  ),
  claimed(
    stated(
      "CREATE TABLE parcel_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, tries_left smallint NOT NULL DEFAULT 5, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO parcel_outbox (event_type,payload,tries_left,sent_at) VALUES ('a','{}',5,NULL),('a','{}',4,now()),('a','{}',2,NULL),('a','{}',0,NULL),('a','{}',-1,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown, 5 dead|unknown",
    ),
    "SELECT id FROM parcel_outbox WHERE sent_at IS NULL AND tries_left > 0",
  ),
  // On hold.
  claimed(
    stated(
      "CREATE TABLE pharmacy_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, hold boolean NOT NULL DEFAULT false, hold_reason text, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO pharmacy_outbox (event_type,payload,hold,hold_reason,sent_at) VALUES ('a','{}',false,NULL,NULL),('a','{}',false,NULL,now()),('a','{}',true,'recall',NULL),('a','{}',true,NULL,NULL)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM pharmacy_outbox WHERE sent_at IS NULL AND NOT hold",
  ),
  // Skipped and ignored.
  claimed(
    stated(
      "CREATE TABLE tariff_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, skip boolean NOT NULL DEFAULT false, ignored_at timestamptz, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO tariff_outbox (event_type,payload,skip,ignored_at,published_at) VALUES ('a','{}',false,NULL,NULL),('a','{}',false,NULL,now()),('a','{}',true,NULL,NULL),('a','{}',false,now(),NULL)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM tariff_outbox WHERE published_at IS NULL AND NOT skip AND ignored_at IS NULL",
  ),
  // Waits for another.
  claimed(
    stated(
      "CREATE TABLE saga_steps_outbox (id bigserial PRIMARY KEY, saga uuid NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, depends_on bigint, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id aggregateId?=saga eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO saga_steps_outbox (saga,event_type,payload,depends_on,sent_at) VALUES ('$1','a','{}',NULL,NULL),('$1','a','{}',NULL,now()),('$1','a','{}',1,NULL)",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM saga_steps_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE promo_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, valid_until timestamptz, sent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload expiresAt=valid_until publishedAt=sent createdAt=created_at",
      "INSERT INTO promo_outbox (id,event_type,payload,valid_until,sent) VALUES ('$1','a','{}',NULL,false),('$2','a','{}',now()-interval '1 day',false),('$3','a','{}',now()-interval '1 day',true),('$4','a','{}',now()+interval '1 day',false)",
      "$1 pending, $2 expired|unknown, $3 published, $4 pending",
    ),
    "SELECT id FROM promo_outbox WHERE NOT sent AND (valid_until IS NULL OR valid_until > {now})",
  ),
  // Active may mean anything.
  claimed(
    stated(
      "CREATE TABLE policy_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'ACTIVE', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO policy_outbox (event_type,payload,status) VALUES ('a','{}','ACTIVE'),('a','{}','INACTIVE'),('a','{}','SUSPENDED')",
      "1 pending|unknown, 2 unknown, 3 unknown",
    ),
    "SELECT id FROM policy_outbox WHERE status = 'ACTIVE'",
  ),
  // No next attempt is given up.
  claimed(
    stated(
      "CREATE TABLE stock_move_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, next_attempt_at timestamptz DEFAULT now(), attempt_no int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz)",
      "id=id order?=id eventType=event_type payload=payload availableAt=next_attempt_at attempts=attempt_no createdAt=created_at publishedAt=completed_at",
      "INSERT INTO stock_move_outbox (event_type,payload,next_attempt_at,attempt_no,completed_at) VALUES ('a','{}',now(),0,NULL),('a','{}',NULL,1,now()),('a','{}',NULL,8,NULL),('a','{}','infinity',4,NULL),('a','{}',now()+interval '1 h',2,NULL)",
      "1 pending, 2 published, 3 dead|unknown, 4 dead|unknown|failed, 5 failed",
    ),
    "SELECT id FROM stock_move_outbox WHERE completed_at IS NULL AND next_attempt_at <= {now}",
  ),
  // An offset is the mark.
  claimed(
    stated(
      "CREATE TABLE mobile_push_events_outbox (id bigserial PRIMARY KEY, aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, kafka_offset bigint, kafka_partition int, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id aggregateId=aggregate_id eventType=event_type payload=payload createdAt=created_at",
      "INSERT INTO mobile_push_events_outbox (aggregate_id,event_type,payload,kafka_offset,kafka_partition) VALUES ('x','a','{}',NULL,NULL),('x','a','{}',17,0)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM mobile_push_events_outbox WHERE kafka_offset IS NULL",
  ),
  // Beanstalkd's words.
  claimed(
    stated(
      "CREATE TABLE event_publication_queue (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready','reserved','delayed','buried','done')), reserved_by text, delay_until timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=state lockedBy?=reserved_by availableAt?=delay_until createdAt=created_at",
      "INSERT INTO event_publication_queue (id,event_type,payload,state,reserved_by,delay_until) VALUES ('$1','a','{}','ready',NULL,NULL),('$2','a','{}','reserved','w',NULL),('$3','a','{}','delayed',NULL,now()+interval '1 h'),('$4','a','{}','buried',NULL,NULL),('$5','a','{}','done',NULL,NULL)",
      "$1 pending, $2 in_flight, $3 pending|failed|unknown, $4 dead|unknown, $5 published",
    ),
    "SELECT id FROM event_publication_queue WHERE state = 'ready'",
  ),
  claimed(
    stated(
      "CREATE TABLE customer_sync_outbox (id bigserial PRIMARY KEY, customer_id bigint NOT NULL, op char(1) NOT NULL CHECK (op IN ('I','U','D')), payload jsonb, synced_at timestamptz, sync_error text, sync_error_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id aggregateId?=customer_id eventType?=op payload=payload publishedAt=synced_at lastError=sync_error createdAt=created_at",
      "INSERT INTO customer_sync_outbox (customer_id,op,payload,synced_at,sync_error,sync_error_at) VALUES (1,'I','{}',NULL,NULL,NULL),(1,'U','{}',now(),NULL,NULL),(1,'D',NULL,NULL,'x',now()),(1,'U','{}',now(),'x',now()-interval '1 h')",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 published|unknown",
    ),
    "SELECT id FROM customer_sync_outbox WHERE synced_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE zahlung_outbox (id bigserial PRIMARY KEY, ereignis_art varchar(40) NOT NULL, nutzlast jsonb NOT NULL, uebertragen_am timestamptz, antwort_code int, erstellt_am timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=ereignis_art payload=nutzlast publishedAt=uebertragen_am createdAt=erstellt_am",
      "INSERT INTO zahlung_outbox (ereignis_art,nutzlast,uebertragen_am,antwort_code) VALUES ('a','{}',NULL,NULL),('a','{}',now(),200),('a','{}',now(),422),('a','{}',NULL,502)",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 failed|unknown",
    ),
    "SELECT id FROM zahlung_outbox WHERE uebertragen_am IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE sepa_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, exit_code smallint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO sepa_outbox (event_type,payload,sent_at,exit_code) VALUES ('a','{}',NULL,NULL),('a','{}',now(),0),('a','{}',now(),1),('a','{}',NULL,7)",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 failed|unknown",
    ),
    "SELECT id FROM sepa_outbox WHERE sent_at IS NULL",
  ),
  // Text answers.
  claimed(
    stated(
      "CREATE TABLE fax_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, reply_code varchar(3), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO fax_outbox (event_type,payload,sent_at,reply_code) VALUES ('a','{}',NULL,NULL),('a','{}',now(),'250'),('a','{}',now(),'550')",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM fax_outbox WHERE sent_at IS NULL",
  ),
];
