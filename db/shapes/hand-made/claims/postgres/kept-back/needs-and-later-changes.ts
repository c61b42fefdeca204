import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Rows that need something before they are sent, that changed after they were sent, or whose error is final or left.
 */
export const CLAIMED_NEEDS_AND_LATER_CHANGES: readonly ClaimedTable[] = [
  // Publish is the wish to publish.
  claimed(
    stated(
      "CREATE TABLE topub_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publish boolean NOT NULL DEFAULT false, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO topub_outbox (event_type,payload,publish,published_at) VALUES ('a','{}',true,NULL),('a','{}',false,NULL),('a','{}',true,now())",
      "1 pending|unknown, 2 unknown, 3 published|unknown",
    ),
    "SELECT id FROM topub_outbox WHERE published_at IS NULL AND publish",
  ),
  claimed(
    stated(
      "CREATE TABLE customer_outbox (customer_id uuid PRIMARY KEY, payload jsonb NOT NULL, event_type text NOT NULL, dirty boolean NOT NULL DEFAULT true, published_at timestamptz, updated_at timestamptz NOT NULL DEFAULT now())",
      "payload=payload eventType=event_type publishedAt=published_at id=customer_id",
      "INSERT INTO customer_outbox (customer_id,payload,event_type,dirty,published_at) VALUES ('$1','{}','a',true,NULL),('$2','{}','a',false,now()),('$3','{}','a',true,now())",
      "$1 pending|unknown, $2 published|unknown, $3 pending|unknown",
    ),
    "SELECT customer_id FROM customer_outbox WHERE dirty",
  ),
  claimed(
    stated(
      "CREATE TABLE t_pubv_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, version int NOT NULL DEFAULT 1, published_version int, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t_pubv_outbox (event_type,payload,version,published_version,published_at) VALUES ('a','{}',1,NULL,NULL),('a','{}',1,1,now()),('a','{}',2,1,now())",
      "1 pending|unknown, 2 published|unknown, 3 pending|unknown",
    ),
    "SELECT id FROM t_pubv_outbox WHERE published_version IS DISTINCT FROM version",
  ),
  claimed(
    stated(
      "CREATE TABLE stock_outbox (sku text PRIMARY KEY, payload jsonb NOT NULL, event_type text NOT NULL, modified_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)",
      "payload=payload eventType=event_type publishedAt=published_at id=sku",
      "INSERT INTO stock_outbox VALUES ('s1','{}','a',now(),NULL),('s2','{}','a',now()-interval '2 days',now()-interval '1 day'),('s3','{}','a',now(),now()-interval '1 day')",
      "s1 pending, s2 published, s3 pending|unknown",
    ),
    "SELECT sku FROM stock_outbox WHERE published_at IS NULL OR modified_at > published_at",
  ),
  claimed(
    stated(
      "CREATE TABLE errlvl_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, error_level smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO errlvl_outbox (event_type,payload,sent_at,error_level) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1),('a','{}',NULL,9)",
      "1 pending, 2 published, 3 failed|unknown, 4 dead|failed|unknown",
    ),
    "SELECT id FROM errlvl_outbox WHERE sent_at IS NULL AND error_level < 9",
  ),
  claimed(
    stated(
      "CREATE TABLE errc_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts int NOT NULL DEFAULT 0, error_class text CHECK (error_class IN ('TRANSIENT','PERMANENT')), last_error text, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=attempts lastError=last_error createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO errc_outbox (event_type,payload,attempts,error_class,last_error,sent_at) VALUES ('a','{}',0,NULL,NULL,NULL),('a','{}',1,'TRANSIENT','x',NULL),('a','{}',1,'PERMANENT','x',NULL),('a','{}',1,NULL,NULL,now())",
      "1 pending, 2 failed, 3 dead|unknown, 4 published",
    ),
    "SELECT id FROM errc_outbox WHERE sent_at IS NULL AND error_class IS DISTINCT FROM 'PERMANENT'",
  ),
  claimed(
    stated(
      "CREATE TABLE errk_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, tries int NOT NULL DEFAULT 0, is_permanent_error boolean NOT NULL DEFAULT false, error text, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=tries createdAt=created_at publishedAt=sent_at lastError=error order?=id",
      "INSERT INTO errk_outbox (event_type,payload,tries,is_permanent_error,error,sent_at) VALUES ('a','{}',0,false,NULL,NULL),('a','{}',1,false,'x',NULL),('a','{}',1,true,'x',NULL),('a','{}',1,false,NULL,now())",
      "1 pending, 2 failed, 3 dead|unknown, 4 published",
    ),
    "SELECT id FROM errk_outbox WHERE sent_at IS NULL AND NOT is_permanent_error",
  ),
  claimed(
    stated(
      'CREATE TABLE "OutboxMessages" ("Id" uuid PRIMARY KEY, "Type" text NOT NULL, "Content" jsonb NOT NULL, "OccurredOnUtc" timestamptz NOT NULL, "ProcessedOnUtc" timestamptz, "Error" text, "RetryCount" int NOT NULL DEFAULT 0)',
      "id=Id payload=Content attempts=RetryCount createdAt=OccurredOnUtc publishedAt=ProcessedOnUtc lastError=Error eventType=Type",
      "INSERT INTO \"OutboxMessages\" VALUES ('$1','a','{}',now(),NULL,NULL,0),('$2','a','{}',now(),now(),NULL,0),('$3','a','{}',now(),now(),'boom',0),('$4','a','{}',now(),NULL,'boom',2),('$5','a','{}',now(),now(),'boom',2)",
      "$1 pending, $2 published, $3 failed|dead|unknown, $4 failed, $5 published|unknown",
    ),
    'SELECT "Id" FROM "OutboxMessages" WHERE "ProcessedOnUtc" IS NULL',
  ),
  // Processed with an error: the relay does not try again.
  claimed(
    stated(
      "CREATE TABLE procerr_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=error publishedAt=processed order?=id",
      "INSERT INTO procerr_outbox (event_type,payload,processed,error) VALUES ('a','{}',false,NULL),('a','{}',true,NULL),('a','{}',true,'x')",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM procerr_outbox WHERE NOT processed",
  ),
  claimed(
    stated(
      "CREATE TABLE donefail_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, completed_at timestamptz, failure text, tries int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=tries createdAt=created_at publishedAt=completed_at lastError=failure order?=id",
      "INSERT INTO donefail_outbox (event_type,payload,completed_at,failure,tries) VALUES ('a','{}',NULL,NULL,0),('a','{}',now(),NULL,1),('a','{}',now(),'x',0),('a','{}',NULL,'x',1)",
      "1 pending, 2 published, 3 dead|failed|unknown, 4 failed",
    ),
    "SELECT id FROM donefail_outbox WHERE completed_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE recstate_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, record_state char(1) NOT NULL DEFAULT 'A', processed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed_at order?=id",
      "INSERT INTO recstate_outbox (event_type,payload,record_state,processed_at) VALUES ('a','{}','A',NULL),('a','{}','A',now()),('a','{}','D',NULL)",
      "1 pending|unknown, 2 published|unknown, 3 unknown",
    ),
    "SELECT id FROM recstate_outbox WHERE processed_at IS NULL AND record_state='A'",
  ),
  claimed(
    stated(
      "CREATE TABLE recstate2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, row_status varchar(10) NOT NULL DEFAULT 'ACTIVE' CHECK (row_status IN ('ACTIVE','DELETED')), published boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO recstate2_outbox (event_type,payload,row_status,published) VALUES ('a','{}','ACTIVE',false),('a','{}','ACTIVE',true),('a','{}','DELETED',false)",
      "1 pending|unknown, 2 published|unknown, 3 unknown",
    ),
    "SELECT id FROM recstate2_outbox WHERE NOT published AND row_status='ACTIVE'",
  ),
  claimed(
    stated(
      "CREATE TABLE retain_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, frozen int NOT NULL DEFAULT 0, is_test int NOT NULL DEFAULT 0, processed int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=processed order?=id",
      "INSERT INTO retain_outbox (event_type,payload,frozen,is_test,processed) VALUES ('a','{}',0,0,0),('a','{}',1,0,0),('a','{}',0,1,0),('a','{}',0,0,1)",
      "1 pending, 2 unknown, 3 unknown, 4 published",
    ),
    "SELECT id FROM retain_outbox WHERE processed=0 AND frozen=0 AND is_test=0",
  ),
  claimed(
    stated(
      "CREATE TABLE delay_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delay_seconds int NOT NULL DEFAULT 0, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO delay_outbox (event_type,payload,delay_seconds,sent_at) VALUES ('a','{}',0,NULL),('a','{}',86400,NULL),('a','{}',0,now())",
      "1 pending, 2 scheduled|unknown, 3 published",
    ),
    "SELECT id FROM delay_outbox WHERE sent_at IS NULL AND created_at + make_interval(secs => delay_seconds) <= now()",
  ),
  claimed(
    stated(
      "CREATE TABLE cancelop_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, action text NOT NULL DEFAULT 'send' CHECK (action IN ('send','cancel')), sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO cancelop_outbox (event_type,payload,action,sent_at) VALUES ('a','{}','send',NULL),('a','{}','cancel',NULL),('a','{}','send',now())",
      "1 pending, 2 unknown, 3 published",
    ),
    "SELECT id FROM cancelop_outbox WHERE sent_at IS NULL AND action='send'",
  ),
  claimed(
    stated(
      "CREATE TABLE publishable_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publishable boolean NOT NULL DEFAULT true, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO publishable_outbox (event_type,payload,publishable,published_at) VALUES ('a','{}',true,NULL),('a','{}',false,NULL),('a','{}',true,now())",
      "1 pending, 2 unknown, 3 published",
    ),
    "SELECT id FROM publishable_outbox WHERE published_at IS NULL AND publishable",
  ),
  // Active while a worker has it.
  claimed(
    stated(
      "CREATE TABLE v_active_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, active boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO v_active_outbox (event_type,payload,sent_at,active) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending|unknown, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM v_active_outbox WHERE sent_at IS NULL AND NOT active",
  ),
  claimed(
    stated(
      "CREATE TABLE gen2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, errors int NOT NULL DEFAULT 0, state text GENERATED ALWAYS AS (CASE WHEN sent_at IS NOT NULL THEN 'SENT' WHEN errors >= 5 THEN 'DEAD' ELSE 'PENDING' END) STORED, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=errors order?=id",
      "INSERT INTO gen2_outbox (event_type,payload,sent_at,errors) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,5),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 dead|unknown, 4 failed",
    ),
    "SELECT id FROM gen2_outbox WHERE state='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE u_up_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, updated_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)",
      "id=id eventType=event_type payload=payload publishedAt=published_at",
      "INSERT INTO u_up_outbox (id,event_type,payload,updated_at,published_at) VALUES ('$1','a','{}',now(),NULL),('$2','a','{}',now(),now()-interval '1 h')",
      "$1 pending, $2 published",
    ),
    "SELECT id FROM u_up_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE u_up2_outbox (id bigserial PRIMARY KEY, order_id uuid NOT NULL UNIQUE, event_type text NOT NULL, payload jsonb NOT NULL, updated_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)",
      "id=id eventType=event_type payload=payload publishedAt=published_at order?=id",
      "INSERT INTO u_up2_outbox (order_id,event_type,payload,updated_at,published_at) VALUES ('$1','a','{}',now(),NULL),('$2','a','{}',now(),now()-interval '1 h'),('$3','a','{}',now()-interval '2 h',now()-interval '1 h')",
      "1 pending, 2 unknown, 3 published",
    ),
    "SELECT id FROM u_up2_outbox WHERE published_at IS NULL",
  ),
];
