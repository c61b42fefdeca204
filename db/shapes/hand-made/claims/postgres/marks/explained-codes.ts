import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose codes a comment explains, and whose times have placeholders. */
export const CLAIMED_EXPLAINED_CODES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE n1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n1_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',-1)",
      "1 pending|unknown, 2 published|in_flight|unknown, 3 published|unknown|failed, 4 failed|dead|unknown",
    ),
    "SELECT id FROM n1_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status int NOT NULL DEFAULT 0 CHECK (status IN (0,1)), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n2_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM n2_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, state int NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON TABLE n3_outbox IS 'state: 1 pending, 2 sent, 3 failed'",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO n3_outbox (event_type,payload,state) VALUES ('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending|unknown, 2 published|in_flight|unknown, 3 published|failed|unknown",
    ),
    "SELECT id FROM n3_outbox WHERE state=1",
  ),
  claimed(
    stated(
      "CREATE TABLE n4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n4_outbox.status IS 'Status of the message (0: pending; 1: published; 9: failed)'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n4_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',9)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM n4_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n5_outbox.status IS 'PENDING(0), PUBLISHED(1), FAILED(2)'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n5_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM n5_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n6_outbox.status IS '[0 = Pending] [1 = Processing] [2 = Completed]'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n6_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM n6_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n7_outbox.status IS 'pending=0, published=1, failed=2'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n7_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM n7_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n8_outbox.status IS 'see enum OutboxStatus'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n8_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 unknown|pending, 2 unknown|published|in_flight, 3 unknown|published|failed",
    ),
    "SELECT id FROM n8_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE n9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(3) NOT NULL DEFAULT 'PEN', created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n9_outbox.status IS 'PEN=pendiente, ENV=enviado, ERR=error'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n9_outbox (event_type,payload,status) VALUES ('a','{}','PEN'),('a','{}','ENV'),('a','{}','ERR')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM n9_outbox WHERE status='PEN'",
  ),
  claimed(
    stated(
      "CREATE TABLE n10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 2, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN n10_outbox.status IS '2 pending, 1 sending, 0 sent'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO n10_outbox (event_type,payload,status) VALUES ('a','{}',2),('a','{}',1),('a','{}',0)",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM n10_outbox WHERE status=2",
  ),
  claimed(
    stated(
      "CREATE TABLE t1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, ack_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO t1_outbox (event_type,payload,sent_at,ack_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),now())",
      "1 pending, 2 in_flight|unknown|published, 3 published",
    ),
    "SELECT id FROM t1_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, dispatched_at timestamptz, delivered_at timestamptz, failed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=dispatched_at createdAt=created_at order?=id",
      "INSERT INTO t2_outbox (event_type,payload,dispatched_at,delivered_at,failed_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',now(),now(),NULL),('a','{}',now(),NULL,now())",
      "1 pending, 2 in_flight|unknown|published, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM t2_outbox WHERE dispatched_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processing_started_at timestamptz, processed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed_at order?=id",
      "INSERT INTO t3_outbox (event_type,payload,processing_started_at,processed_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now()-interval '1 m',now())",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM t3_outbox WHERE processing_started_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamp NOT NULL DEFAULT '1900-01-01', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t4_outbox (event_type,payload,published_at) VALUES ('a','{}','1900-01-01'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM t4_outbox WHERE published_at='1900-01-01'",
  ),
  claimed(
    stated(
      "CREATE TABLE t5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz DEFAULT 'epoch', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t5_outbox (event_type,payload,published_at) VALUES ('a','{}','epoch'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM t5_outbox WHERE published_at='epoch'",
  ),
  claimed(
    stated(
      "CREATE TABLE t6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz DEFAULT to_timestamp(0), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t6_outbox (event_type,payload,published_at) VALUES ('a','{}',to_timestamp(0)),('a','{}',now())",
      "1 pending|unknown, 2 published",
    ),
    "SELECT id FROM t6_outbox WHERE published_at=to_timestamp(0)",
  ),
  claimed(
    stated(
      "CREATE TABLE t7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz DEFAULT '2099-12-31', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t7_outbox (event_type,payload,published_at) VALUES ('a','{}','2099-12-31'),('a','{}',now())",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM t7_outbox WHERE published_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE t8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_date date, sent_time time, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO t8_outbox (event_type,payload,sent_date,sent_time) VALUES ('a','{}',NULL,NULL),('a','{}',current_date,localtime)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM t8_outbox WHERE sent_date IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts varchar(19) NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO t9_outbox (event_type,payload,sent_ts) VALUES ('a','{}',''),('a','{}','2026-01-01 10:00:00')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM t9_outbox WHERE sent_ts=''",
  ),
  claimed(
    stated(
      "CREATE TABLE t10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_epoch double precision, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO t10_outbox (event_type,payload,sent_epoch) VALUES ('a','{}',NULL),('a','{}',1764000000.5)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM t10_outbox WHERE sent_epoch IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t11_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_epoch numeric(13), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO t11_outbox (event_type,payload,sent_epoch) VALUES ('a','{}',NULL),('a','{}',1764000000123)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM t11_outbox WHERE sent_epoch IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t12_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, send_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at availableAt=send_at order?=id",
      "INSERT INTO t12_outbox (event_type,payload,send_at,sent_at) VALUES ('a','{}',now(),NULL),('a','{}',now(),now()),('a','{}',now()+interval '1 d',NULL)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM t12_outbox WHERE sent_at IS NULL AND send_at<={now}",
  ),
  claimed(
    stated(
      "CREATE TABLE t13_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, retry_at timestamptz, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at availableAt=retry_at order?=id",
      "INSERT INTO t13_outbox (event_type,payload,retry_at,sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',NULL,now()),('a','{}',now()+interval '1 h',NULL)",
      "1 pending, 2 published, 3 failed|pending",
    ),
    "SELECT id FROM t13_outbox WHERE sent_at IS NULL AND (retry_at IS NULL OR retry_at<={now})",
  ),
  claimed(
    stated(
      "CREATE TABLE t14_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, last_failure_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO t14_outbox (event_type,payload,sent_at,last_failure_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM t14_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t15_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, dropped_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO t15_outbox (event_type,payload,sent_at,dropped_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM t15_outbox WHERE sent_at IS NULL AND dropped_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t16_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, last_seen_at timestamptz, reviewed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO t16_outbox (event_type,payload,sent_at,reviewed_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM t16_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE t17_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', published_at timestamptz, failed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t17_outbox (event_type,payload,status,published_at,failed_at) VALUES ('a','{}','PENDING',NULL,NULL),('a','{}','PUBLISHED',now(),NULL),('a','{}','PENDING',NULL,now())",
      "1 pending, 2 published, 3 failed|pending|unknown",
    ),
    "SELECT id FROM t17_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE t18_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO t18_outbox (event_type,payload,status,published_at) VALUES ('a','{}','PENDING',NULL),('a','{}','PUBLISHED',now()),('a','{}','PENDING',now()),('a','{}','PUBLISHED',NULL)",
      "1 pending, 2 published, 3 pending|unknown|published, 4 published",
    ),
    "SELECT id FROM t18_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE c1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO c1_outbox (event_type,payload,published,published_at) VALUES ('a','{}',false,NULL),('a','{}',true,now()),('a','{}',true,NULL)",
      "1 pending, 2 published, 3 published|unknown",
    ),
    "SELECT id FROM c1_outbox WHERE NOT published",
  ),
];
