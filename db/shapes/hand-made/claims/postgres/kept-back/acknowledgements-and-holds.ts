import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Rows that a receiver refused or a person holds, and tables by names in several languages. */
export const CLAIMED_ACKNOWLEDGEMENTS_AND_HOLDS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE outgoing (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), batch_id uuid, sent_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=batch_id",
      "INSERT INTO outgoing (event_type,payload,batch_id,sent_at) VALUES ('a','{}',NULL,NULL),('a','{}','$1',NULL),('a','{}','$1',now())",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM outgoing WHERE sent_at IS NULL AND batch_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE zout_event (evt_id char(36) PRIMARY KEY, evt_typ varchar(40) NOT NULL, evt_data text NOT NULL, crt_ts timestamp NOT NULL DEFAULT now(), snd_ts timestamp, snd_sts char(1) NOT NULL DEFAULT 'N', rtry_cnt smallint NOT NULL DEFAULT 0)",
      "id=evt_id eventType=evt_typ payload=evt_data createdAt=crt_ts status=snd_sts attempts=rtry_cnt publishedAt?=snd_ts",
      "INSERT INTO zout_event VALUES ('a','t','{}',now(),NULL,'N',0),('b','t','{}',now(),now(),'S',0),('c','t','{}',now(),NULL,'E',3)",
      "a pending, b published|unknown, c failed|unknown|dead",
    ),
    "SELECT evt_id FROM zout_event WHERE snd_sts = 'N'",
  ),
  claimed(
    stated(
      "CREATE TABLE utboks (id uuid PRIMARY KEY, hendelse_type text NOT NULL, innhold jsonb NOT NULL, opprettet timestamptz NOT NULL DEFAULT now(), sendt timestamptz, forsok int NOT NULL DEFAULT 0, feilmelding text, stoppet boolean NOT NULL DEFAULT false)",
      "id=id eventType=hendelse_type payload=innhold createdAt=opprettet publishedAt=sendt attempts=forsok lastError=feilmelding",
      "INSERT INTO utboks VALUES ('$1','a','{}',now(),NULL,0,NULL,false),('$2','a','{}',now(),now(),0,NULL,false),('$3','a','{}',now(),NULL,5,'x',true),('$4','a','{}',now(),NULL,2,'x',false)",
      "$1 pending, $2 published, $3 dead|unknown, $4 failed",
    ),
    "SELECT id FROM utboks WHERE sendt IS NULL AND NOT stoppet",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT')), ack_status text CHECK (ack_status IN ('ACK','NACK')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status",
      "INSERT INTO outbox VALUES ('$1','a','{}','NEW',NULL),('$2','a','{}','SENT',NULL),('$3','a','{}','SENT','ACK'),('$4','a','{}','SENT','NACK')",
      "$1 pending, $2 published|in_flight|unknown, $3 published, $4 failed|unknown|dead",
    ),
    "SELECT id FROM outbox WHERE status='NEW' OR ack_status = 'NACK'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, ack_code varchar(10), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),'AA'),('$3','a','{}',now(),'AE')",
      "$1 pending, $2 published, $3 failed|unknown",
    ),
    "SELECT id FROM outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE skrzynka_wyjsciowa (id bigserial PRIMARY KEY, typ_zdarzenia text NOT NULL, tresc jsonb NOT NULL, utworzono timestamptz NOT NULL DEFAULT now(), wyslano timestamptz, liczba_prob int NOT NULL DEFAULT 0, blad text, wstrzymano boolean NOT NULL DEFAULT false)",
      "id=id eventType=typ_zdarzenia payload=tresc createdAt=utworzono publishedAt=wyslano attempts=liczba_prob lastError=blad order?=id",
      "INSERT INTO skrzynka_wyjsciowa (typ_zdarzenia,tresc,wyslano,liczba_prob,blad,wstrzymano) VALUES ('a','{}',NULL,0,NULL,false),('a','{}',now(),0,NULL,false),('a','{}',NULL,2,'x',false),('a','{}',NULL,0,NULL,true)",
      "1 pending, 2 published, 3 failed, 4 unknown",
    ),
    "SELECT id FROM skrzynka_wyjsciowa WHERE wyslano IS NULL AND NOT wstrzymano",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, targets int NOT NULL DEFAULT 7, delivered int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN outbox.delivered IS 'bitmask: 1 kafka, 2 search, 4 crm'",
      "id=id eventType=event_type payload=payload createdAt=created_at status?=delivered",
      "INSERT INTO outbox VALUES ('$1','a','{}',7,0),('$2','a','{}',7,3),('$3','a','{}',7,7)",
      "$1 pending|unknown, $2 unknown|pending, $3 published|unknown",
    ),
    "SELECT id FROM outbox WHERE delivered <> targets",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, crm_sent boolean NOT NULL DEFAULT false, erp_sent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt?=crm_sent",
      "INSERT INTO outbox VALUES ('$1','a','{}',false,false),('$2','a','{}',true,false),('$3','a','{}',true,true)",
      "$1 pending|unknown, $2 unknown|pending, $3 published|unknown",
    ),
    "SELECT id FROM outbox WHERE NOT crm_sent OR NOT erp_sent",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event text NOT NULL, data jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, deleted_at timestamptz, archived boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event payload=data publishedAt=sent createdAt=created_at order?=id",
      "INSERT INTO outbox (event,data,sent,deleted_at,archived) VALUES ('a','{}',false,NULL,false),('a','{}',true,NULL,false),('a','{}',true,NULL,true),('a','{}',false,now(),false)",
      "1 pending, 2 published, 3 published|unknown, 4 unknown",
    ),
    "SELECT id FROM outbox WHERE NOT sent AND deleted_at IS NULL AND NOT archived",
  ),
  claimed(
    stated(
      "CREATE TABLE uitgaande_berichten (id bigserial PRIMARY KEY, soort text NOT NULL, inhoud jsonb NOT NULL, aangemaakt_op timestamptz NOT NULL DEFAULT now(), verzonden_op timestamptz, aantal_pogingen int NOT NULL DEFAULT 0, foutmelding text, opgegeven boolean NOT NULL DEFAULT false)",
      "id=id eventType=soort payload=inhoud createdAt=aangemaakt_op publishedAt=verzonden_op attempts=aantal_pogingen lastError=foutmelding order?=id",
      "INSERT INTO uitgaande_berichten (soort,inhoud,verzonden_op,aantal_pogingen,foutmelding,opgegeven) VALUES ('a','{}',NULL,0,NULL,false),('a','{}',now(),1,NULL,false),('a','{}',NULL,2,'x',false),('a','{}',NULL,9,'x',true)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM uitgaande_berichten WHERE verzonden_op IS NULL AND NOT opgegeven",
  ),
  claimed(
    stated(
      "CREATE TABLE integration_outbox (id uuid PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL, state text NOT NULL DEFAULT 'staged' CHECK (state IN ('staged','flushed','bounced','shelved')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic payload=payload status=state createdAt=created_at",
      "INSERT INTO integration_outbox VALUES ('$1','t','{}','staged'),('$2','t','{}','flushed'),('$3','t','{}','bounced'),('$4','t','{}','shelved')",
      "$1 pending|unknown, $2 published|unknown, $3 failed|unknown, $4 dead|unknown",
    ),
    "SELECT id FROM integration_outbox WHERE state IN ('staged','bounced')",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts_left smallint NOT NULL DEFAULT 5, published boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published createdAt=created_at",
      "INSERT INTO outbox VALUES ('$1','a','{}',5,false),('$2','a','{}',3,false),('$3','a','{}',0,false),('$4','a','{}',4,true)",
      "$1 pending, $2 failed, $3 dead, $4 published",
    ),
    "SELECT id FROM outbox WHERE NOT published AND attempts_left > 0",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, env text NOT NULL DEFAULT 'prod', is_test boolean NOT NULL DEFAULT false, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO event_outbox VALUES ('$1','a','{}','prod',false,NULL),('$2','a','{}','prod',false,now()),('$3','a','{}','prod',true,NULL),('$4','a','{}','stage',false,NULL)",
      "$1 pending, $2 published, $3 unknown, $4 unknown",
    ),
    "SELECT id FROM event_outbox WHERE published_at IS NULL AND NOT is_test AND env = 'prod'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, ok boolean, tried_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=ok",
      "INSERT INTO outbox (event_type,payload,ok,tried_at) VALUES ('a','{}',NULL,NULL),('a','{}',true,now()),('a','{}',false,now())",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM outbox WHERE ok IS NOT TRUE",
  ),
  claimed(
    stated(
      "CREATE TABLE outbound_event (id bigserial PRIMARY KEY, dedupe_key text UNIQUE, event_type text NOT NULL, payload jsonb NOT NULL, priority smallint NOT NULL DEFAULT 0, send_by timestamptz, dispatched_at timestamptz, dispatch_error text, dispatch_attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=dispatched_at attempts=dispatch_attempts lastError=dispatch_error order?=id expiresAt?=send_by",
      "INSERT INTO outbound_event (event_type,payload,send_by,dispatched_at,dispatch_error,dispatch_attempts,priority) VALUES ('a','{}',NULL,NULL,NULL,0,5),('a','{}',NULL,now(),NULL,1,0),('a','{}',NULL,NULL,'x',1,0),('a','{}',now()-interval '1 h',NULL,NULL,0,0)",
      "1 pending, 2 published, 3 failed, 4 expired|unknown",
    ),
    "SELECT id FROM outbound_event WHERE dispatched_at IS NULL AND (send_by IS NULL OR send_by > {now})",
  ),
  claimed(
    stated(
      "CREATE TABLE message_outbox (message_id uuid PRIMARY KEY, correlation_id uuid, message_type text NOT NULL, message_body text NOT NULL, pause_code smallint, state smallint NOT NULL DEFAULT 0 CHECK (state IN (0,1,2)), created_utc timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN message_outbox.state IS '0 pending, 1 sent, 2 failed'",
      "id=message_id eventType=message_type payload=message_body createdAt=created_utc status=state aggregateId?=correlation_id",
      "INSERT INTO message_outbox (message_id,message_type,message_body,pause_code,state) VALUES ('$1','a','b',NULL,0),('$2','a','b',NULL,1),('$3','a','b',NULL,2),('$4','a','b',3,0)",
      "$1 pending, $2 published, $3 failed, $4 unknown",
    ),
    "SELECT message_id FROM message_outbox WHERE state = 0 AND pause_code IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, tenant_id uuid NOT NULL, tenant_enabled boolean NOT NULL DEFAULT true, event_type text NOT NULL, payload jsonb NOT NULL, blocked_until timestamptz, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id availableAt?=blocked_until",
      "INSERT INTO outbox (tenant_id,tenant_enabled,event_type,payload,blocked_until,published_at) VALUES ('$1',true,'a','{}',NULL,NULL),('$1',false,'a','{}',NULL,NULL),('$1',true,'a','{}',now()+interval '1 d',NULL),('$1',true,'a','{}',NULL,now())",
      "1 pending, 2 unknown, 3 pending|unknown|in_flight, 4 published",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND tenant_enabled AND (blocked_until IS NULL OR blocked_until < {now})",
  ),
];
