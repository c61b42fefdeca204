import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose times are dates, texts or ticks, with placeholders for "not yet" and "never". */
export const CLAIMED_DATES_AND_PLACEHOLDERS: readonly ClaimedTable[] = [
  // A date without a time.
  claimed(
    stated(
      "CREATE TABLE date_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_date date, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt?=sent_date",
      "INSERT INTO date_outbox (event_type,payload,sent_date) VALUES ('a','{}',NULL),('a','{}',current_date)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM date_outbox WHERE sent_date IS NULL",
  ),
  // ISO text.
  claimed(
    stated(
      "CREATE TABLE iso_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at varchar(30), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt?=sent_at",
      "INSERT INTO iso_outbox (event_type,payload,sent_at) VALUES ('a','{}',NULL),('a','{}','2026-01-01T00:00:00Z'),('a','{}','')",
      "1 pending|unknown, 2 published|unknown, 3 pending|unknown",
    ),
    "SELECT id FROM iso_outbox WHERE sent_at IS NULL",
  ),
  // Numbers of Oracle.
  claimed(
    stated(
      "CREATE TABLE oracle_outbox (id numeric(19) PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, is_sent numeric(1) NOT NULL DEFAULT 0, retry_cnt numeric(3) NOT NULL DEFAULT 0, created_ts numeric(13) NOT NULL)",
      "id=id eventType=event_type payload=payload publishedAt?=is_sent status?=is_sent attempts=retry_cnt createdAt?=created_ts",
      "INSERT INTO oracle_outbox VALUES (1,'a','{}',0,0,1764000000000),(2,'a','{}',1,0,1764000000000),(3,'a','{}',0,2,1764000000000),(4,'a','{}',9,2,1764000000000)",
      "1 pending, 2 published|unknown, 3 failed, 4 unknown|dead|failed",
    ),
    "SELECT id FROM oracle_outbox WHERE is_sent = 0",
  ),
  // Blank and X, as in SAP.
  claimed(
    stated(
      "CREATE TABLE blank_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent char(1) NOT NULL DEFAULT ' ', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=sent publishedAt?=sent",
      "INSERT INTO blank_outbox (event_type,payload,sent) VALUES ('a','{}',' '),('a','{}','X'),('a','{}','E')",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM blank_outbox WHERE sent = ' '",
  ),
  claimed(
    stated(
      "CREATE TABLE nullstate_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=status",
      "INSERT INTO nullstate_outbox (event_type,payload,status) VALUES ('a','{}',NULL),('a','{}','SENT'),('a','{}','ERROR')",
      "1 pending|unknown, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM nullstate_outbox WHERE status IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE resent_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','RETRY','FAILED')), sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status=status publishedAt?=sent_at",
      "INSERT INTO resent_outbox (event_type,payload,status,sent_at) VALUES ('a','{}','PENDING',NULL),('a','{}','SENT',now()),('a','{}','RETRY',now()),('a','{}','FAILED',NULL)",
      "1 pending, 2 published, 3 failed|pending|unknown, 4 failed|dead",
    ),
    "SELECT id FROM resent_outbox WHERE status IN ('PENDING','RETRY')",
  ),
  claimed(
    stated(
      "CREATE TABLE procok_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, successful boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed",
      "INSERT INTO procok_outbox (event_type,payload,processed,successful) VALUES ('a','{}',false,NULL),('a','{}',true,true),('a','{}',true,false)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM procok_outbox WHERE NOT processed",
  ),
  claimed(
    stated(
      "CREATE TABLE subscount_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, subscriber_count int NOT NULL, delivered_count int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at",
      "INSERT INTO subscount_outbox (event_type,payload,subscriber_count,delivered_count) VALUES ('a','{}',2,0),('a','{}',2,1),('a','{}',2,2)",
      "1 pending|unknown, 2 in_flight|unknown, 3 published|unknown",
    ),
    "SELECT id FROM subscount_outbox WHERE delivered_count < subscriber_count",
  ),
  claimed(
    stated(
      "CREATE TABLE started_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processing_started_at timestamptz, processing_finished_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt?=processing_finished_at",
      "INSERT INTO started_outbox (event_type,payload,processing_started_at,processing_finished_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),now())",
      "1 pending|unknown, 2 in_flight|unknown, 3 published|unknown",
    ),
    "SELECT id FROM started_outbox WHERE processing_started_at IS NULL",
  ),
  // Never tried again is infinity.
  claimed(
    stated(
      "CREATE TABLE inf_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, next_retry_at timestamptz NOT NULL DEFAULT now(), retries int NOT NULL DEFAULT 0, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at availableAt=next_retry_at attempts=retries publishedAt=published_at",
      "INSERT INTO inf_outbox (event_type,payload,next_retry_at,retries,published_at) VALUES ('a','{}',now(),0,NULL),('a','{}',now(),1,now()),('a','{}','infinity',9,NULL),('a','{}',now()+interval '1 h',2,NULL)",
      "1 pending, 2 published, 3 dead|unknown, 4 failed",
    ),
    "SELECT id FROM inf_outbox WHERE published_at IS NULL AND next_retry_at <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE tenant_outbox (tenant_id int NOT NULL, id bigint NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, is_deleted char(1) NOT NULL DEFAULT 'N', sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, tenant_id))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at aggregateId?=tenant_id",
      "INSERT INTO tenant_outbox (tenant_id,id,event_type,payload,is_deleted,sent_at) VALUES (1,1,'a','{}','N',NULL),(1,2,'a','{}','N',now()),(1,3,'a','{}','Y',NULL)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM tenant_outbox WHERE sent_at IS NULL AND is_deleted = 'N'",
  ),
  // Text times, zeros and nines.
  claimed(
    stated(
      "CREATE TABLE texttime_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts char(14) NOT NULL DEFAULT '00000000000000', created_ts char(14) NOT NULL)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_ts publishedAt?=sent_ts",
      "INSERT INTO texttime_outbox (event_type,payload,sent_ts,created_ts) VALUES ('a','{}','00000000000000','20260101000000'),('a','{}','20260101000001','20260101000000'),('a','{}','99991231235959','20260101000000')",
      "1 pending|unknown, 2 published|unknown, 3 unknown",
    ),
    "SELECT id FROM texttime_outbox WHERE sent_ts = '00000000000000'",
  ),
  claimed(
    stated(
      "CREATE TABLE ns_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ns bigint, created_ns bigint NOT NULL, not_before bigint NOT NULL DEFAULT 0)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_ns publishedAt=sent_ns availableAt=not_before",
      "INSERT INTO ns_outbox (event_type,payload,sent_ns,created_ns,not_before) VALUES ('a','{}',NULL,1764000000000000000,0),('a','{}',1764000000000000001,1764000000000000000,0),('a','{}',NULL,1764000000000000000,4102444800000000000)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM ns_outbox WHERE sent_ns IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE future_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publish_at timestamptz NOT NULL DEFAULT now(), published boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at availableAt=publish_at publishedAt=published",
      "INSERT INTO future_outbox (event_type,payload,publish_at,published) VALUES ('a','{}',now(),false),('a','{}',now()+interval '1 day',false),('a','{}',now(),true)",
      "1 pending, 2 pending, 3 published",
    ),
    "SELECT id FROM future_outbox WHERE NOT published AND publish_at <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE errflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, error boolean NOT NULL DEFAULT false, retryable boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent",
      "INSERT INTO errflag_outbox (event_type,payload,sent,error,retryable) VALUES ('a','{}',false,false,NULL),('a','{}',true,false,NULL),('a','{}',false,true,true),('a','{}',false,true,false)",
      "1 pending, 2 published, 3 failed|unknown, 4 dead|failed|unknown",
    ),
    "SELECT id FROM errflag_outbox WHERE NOT sent AND (NOT error OR retryable)",
  ),
  claimed(
    stated(
      "CREATE TABLE wordflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, dispatched text NOT NULL DEFAULT 'no' CHECK (dispatched IN ('no','yes','partial')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=dispatched",
      "INSERT INTO wordflag_outbox (event_type,payload,dispatched) VALUES ('a','{}','no'),('a','{}','yes'),('a','{}','partial')",
      "1 pending, 2 published, 3 unknown|in_flight|failed",
    ),
    "SELECT id FROM wordflag_outbox WHERE dispatched = 'no'",
  ),
  // A computed text says what the number means.
  claimed(
    stated(
      "CREATE TABLE stage_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, stage smallint NOT NULL DEFAULT 10, stage_text text GENERATED ALWAYS AS (CASE stage WHEN 10 THEN 'draft' WHEN 20 THEN 'ready' WHEN 30 THEN 'sent' ELSE 'error' END) STORED, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=stage",
      "INSERT INTO stage_outbox (event_type,payload,stage) VALUES ('a','{}',10),('a','{}',20),('a','{}',30),('a','{}',90)",
      "1 unknown, 2 pending|unknown, 3 published|unknown, 4 failed|unknown|dead",
    ),
    "SELECT id FROM stage_outbox WHERE stage = 20",
  ),
  // Replaced, merged, a duplicate.
  claimed(
    stated(
      "CREATE TABLE outbox_sub (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, replaced_by bigint, merged_into bigint, duplicate_of bigint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox_sub (event_type,payload,sent_at,replaced_by,merged_into,duplicate_of) VALUES ('a','{}',NULL,NULL,NULL,NULL),('a','{}',now(),NULL,NULL,NULL),('a','{}',NULL,2,NULL,NULL),('a','{}',NULL,NULL,2,NULL),('a','{}',NULL,NULL,NULL,2)",
      "1 pending, 2 published, 3 unknown, 4 unknown, 5 unknown",
    ),
    "SELECT id FROM outbox_sub WHERE sent_at IS NULL AND replaced_by IS NULL AND merged_into IS NULL AND duplicate_of IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE stop_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, halted boolean NOT NULL DEFAULT false, blocked_until timestamptz, give_up_at timestamptz, do_not_retry boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at availableAt?=blocked_until expiresAt?=give_up_at",
      "INSERT INTO stop_outbox (event_type,payload,sent_at,halted,blocked_until,give_up_at,do_not_retry) VALUES ('a','{}',NULL,false,NULL,NULL,false),('a','{}',now(),false,NULL,NULL,false),('a','{}',NULL,true,NULL,NULL,false),('a','{}',NULL,false,now()+interval '1 h',NULL,false),('a','{}',NULL,false,NULL,now()-interval '1 h',false),('a','{}',NULL,false,NULL,NULL,true)",
      "1 pending, 2 published, 3 unknown, 4 pending|unknown|in_flight, 5 dead|expired|unknown|failed, 6 dead|unknown|failed",
    ),
    "SELECT id FROM stop_outbox WHERE sent_at IS NULL AND NOT halted",
  ),
];
