import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with flags without defaults, attempts that are exhausted, and errors with a time. */
export const CLAIMED_UNSET_FLAGS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE r1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, superseded boolean NOT NULL DEFAULT false, withheld boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO r1_outbox (event_type,payload,published_at,superseded,withheld) VALUES ('a','{}',NULL,false,false),('a','{}',now(),false,false),('a','{}',NULL,true,false),('a','{}',NULL,false,true)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM r1_outbox WHERE published_at IS NULL AND NOT superseded AND NOT withheld",
  ),
  claimed(
    stated(
      "CREATE TABLE r2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, retries_exhausted boolean NOT NULL DEFAULT false, retries int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=retries createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO r2_outbox (event_type,payload,sent_at,retries_exhausted,retries) VALUES ('a','{}',NULL,false,0),('a','{}',now(),false,0),('a','{}',NULL,true,5)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM r2_outbox WHERE sent_at IS NULL AND NOT retries_exhausted",
  ),
  claimed(
    stated(
      "CREATE TABLE r3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW', attempts_exhausted boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO r3_outbox (event_type,payload,status,attempts_exhausted) VALUES ('a','{}','NEW',false),('a','{}','SENT',false),('a','{}','NEW',true)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM r3_outbox WHERE status='NEW' AND NOT attempts_exhausted",
  ),
  claimed(
    stated(
      "CREATE TABLE r4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), on_hold char(1) NOT NULL DEFAULT 'N', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO r4_outbox (event_type,payload,status,on_hold) VALUES ('a','{}','NEW','N'),('a','{}','SENT','N'),('a','{}','NEW','Y'),('a','{}','FAILED','N')",
      "1 pending, 2 published, 3 unknown, 4 failed|dead",
    ),
    "SELECT id FROM r4_outbox WHERE status='NEW' AND on_hold='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE r5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL, cancelled boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO r5_outbox (event_type,payload,published,cancelled) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM r5_outbox WHERE NOT published AND NOT cancelled",
  ),
  claimed(
    stated(
      "CREATE TABLE r6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL, error text, is_active boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=error publishedAt=published order?=id",
      "INSERT INTO r6_outbox (event_type,payload,published,error,is_active) VALUES ('a','{}',false,NULL,true),('a','{}',true,NULL,true),('a','{}',false,'x',true),('a','{}',false,NULL,false)",
      "1 pending|unknown, 2 published, 3 failed|unknown, 4 unknown",
    ),
    "SELECT id FROM r6_outbox WHERE NOT published AND is_active",
  ),
  claimed(
    stated(
      "CREATE TABLE r7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(20) NOT NULL, archived boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO r7_outbox (event_type,payload,status,archived) VALUES ('a','{}','Pending',false),('a','{}','Sent',false),('a','{}','Sent',true),('a','{}','Pending',true)",
      "1 pending, 2 published, 3 published, 4 unknown",
    ),
    "SELECT id FROM r7_outbox WHERE status='Pending' AND NOT archived",
  ),
  claimed(
    stated(
      "CREATE TABLE r8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, result_code varchar(10), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO r8_outbox (event_type,payload,sent_at,result_code) VALUES ('a','{}',NULL,NULL),('a','{}',now(),'OK'),('a','{}',now(),'E42')",
      "1 pending, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM r8_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE r9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, http_code int, attempt int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=attempt createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO r9_outbox (event_type,payload,sent_at,http_code,attempt) VALUES ('a','{}',NULL,NULL,0),('a','{}',now(),200,1),('a','{}',NULL,503,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM r9_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE r10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, queued_at timestamptz NOT NULL DEFAULT now(), started_at timestamptz, finished_at timestamptz, error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=finished_at lastError=error order?=id",
      "INSERT INTO r10_outbox (event_type,payload,started_at,finished_at,error) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',now(),now(),NULL),('a','{}',now(),now(),'x')",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM r10_outbox WHERE started_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE r11_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, state varchar(10) NOT NULL DEFAULT 'new', state_changed_at timestamptz NOT NULL DEFAULT now(), failures smallint NOT NULL DEFAULT 0, max_failures smallint NOT NULL DEFAULT 3, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at attempts=failures order?=id",
      "INSERT INTO r11_outbox (event_type,payload,state,failures) VALUES ('a','{}','new',0),('a','{}','sent',0),('a','{}','new',2),('a','{}','new',3)",
      "1 pending, 2 published, 3 failed, 4 dead|failed",
    ),
    "SELECT id FROM r11_outbox WHERE state='new' AND failures<max_failures",
  ),
  claimed(
    stated(
      "CREATE TABLE r12_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, estatus varchar(12) NOT NULL DEFAULT 'POR_ENVIAR', reintentos int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=estatus attempts=reintentos createdAt=created_at order?=id",
      "INSERT INTO r12_outbox (event_type,payload,estatus,reintentos) VALUES ('a','{}','POR_ENVIAR',0),('a','{}','ENVIADO',0),('a','{}','POR_ENVIAR',2),('a','{}','CANCELADO',0)",
      "1 pending, 2 published, 3 failed, 4 unknown|dead",
    ),
    "SELECT id FROM r12_outbox WHERE estatus='POR_ENVIAR'",
  ),
  claimed(
    stated(
      "CREATE TABLE r13_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, etat smallint NOT NULL DEFAULT 0, date_envoi timestamptz, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN r13_outbox.etat IS '0 : en attente, 1 : envoyé, 2 : échec'",
      "id=id eventType=event_type payload=payload status=etat createdAt=created_at publishedAt=date_envoi order?=id",
      "INSERT INTO r13_outbox (event_type,payload,etat,date_envoi) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',2,NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM r13_outbox WHERE etat=0",
  ),
  claimed(
    stated(
      "CREATE TABLE r14_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, stato char(1) NOT NULL DEFAULT 'D', created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN r14_outbox.stato IS 'D = da inviare, I = inviato, E = errore'",
      "id=id eventType=event_type payload=payload status=stato createdAt=created_at order?=id",
      "INSERT INTO r14_outbox (event_type,payload,stato) VALUES ('a','{}','D'),('a','{}','I'),('a','{}','E')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM r14_outbox WHERE stato='D'",
  ),
  claimed(
    stated(
      "CREATE TABLE r15_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, processing_node varchar(40) NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lockedBy=processing_node order?=id",
      "INSERT INTO r15_outbox (event_type,payload,sent_at,processing_node) VALUES ('a','{}',NULL,''),('a','{}',now(),'n1'),('a','{}',NULL,'n1')",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM r15_outbox WHERE sent_at IS NULL AND processing_node=''",
  ),
  claimed(
    stated(
      "CREATE TABLE r16_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, publish_after timestamptz NOT NULL DEFAULT now(), ttl_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at availableAt=publish_after order?=id expiresAt?=ttl_at",
      "INSERT INTO r16_outbox (event_type,payload,published_at,publish_after,ttl_at) VALUES ('a','{}',NULL,now(),NULL),('a','{}',now(),now(),NULL),('a','{}',NULL,now()+interval '1 h',NULL)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM r16_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE r17_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, relayed boolean NOT NULL DEFAULT false, relay_error text, relay_attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at attempts=relay_attempts publishedAt=relayed lastError=relay_error order?=id",
      "INSERT INTO r17_outbox (event_type,payload,relayed,relay_error,relay_attempts) VALUES ('a','{}',false,NULL,0),('a','{}',true,NULL,1),('a','{}',false,'x',2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM r17_outbox WHERE NOT relayed",
  ),
  claimed(
    stated(
      "CREATE TABLE r18_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, exported boolean NOT NULL DEFAULT false, export_failed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=exported order?=id",
      "INSERT INTO r18_outbox (event_type,payload,exported,export_failed) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM r18_outbox WHERE NOT exported AND NOT export_failed",
  ),
  claimed(
    stated(
      "CREATE TABLE r19_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'queued', dlq boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO r19_outbox (event_type,payload,status,dlq) VALUES ('a','{}','queued',false),('a','{}','sent',false),('a','{}','queued',true)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM r19_outbox WHERE status='queued' AND NOT dlq",
  ),
  claimed(
    stated(
      "CREATE TABLE r20_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'queued', parked_until timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO r20_outbox (event_type,payload,status,parked_until) VALUES ('a','{}','queued',NULL),('a','{}','sent',NULL),('a','{}','queued',now()+interval '1 h')",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM r20_outbox WHERE status='queued'",
  ),
  claimed(
    stated(
      "CREATE TABLE r21_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_on date, sent_flag smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=sent_flag order?=id",
      "INSERT INTO r21_outbox (event_type,payload,sent_on,sent_flag) VALUES ('a','{}',NULL,0),('a','{}',current_date,1),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 published|unknown",
    ),
    "SELECT id FROM r21_outbox WHERE sent_flag=0",
  ),
  claimed(
    stated(
      "CREATE TABLE r22_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, note text, remark text, comment text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO r22_outbox (event_type,payload,sent_at,note) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'call bob')",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM r22_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE r23_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', message text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO r23_outbox (event_type,payload,status,message) VALUES ('a','{}','PENDING',NULL),('a','{}','SENT',NULL),('a','{}','PENDING','waiting')",
      "1 pending, 2 published, 3 pending|failed",
    ),
    "SELECT id FROM r23_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE r24_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivered_at timestamptz, delivery_error_message text, delivery_error_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=delivered_at lastError=delivery_error_message order?=id",
      "INSERT INTO r24_outbox (event_type,payload,delivered_at,delivery_error_message,delivery_error_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'x',now())",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM r24_outbox WHERE delivered_at IS NULL",
  ),
];
