import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with flags, errors and comments in several languages. */
export const CLAIMED_FLAGS_IN_LANGUAGES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE q1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, onay_bekliyor boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO q1_outbox (event_type,payload,sent_at,onay_bekliyor) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q1_outbox WHERE sent_at IS NULL AND NOT onay_bekliyor",
  ),
  claimed(
    stated(
      "CREATE TABLE q2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', nieaktualne boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q2_outbox (event_type,payload,status,nieaktualne) VALUES ('a','{}','PENDING',false),('a','{}','SENT',false),('a','{}','PENDING',true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q2_outbox WHERE status='PENDING' AND NOT nieaktualne",
  ),
  claimed(
    stated(
      "CREATE TABLE q3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, suppressed char(1) NOT NULL DEFAULT 'N', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO q3_outbox (event_type,payload,published_at,suppressed) VALUES ('a','{}',NULL,'N'),('a','{}',now(),'N'),('a','{}',NULL,'Y')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q3_outbox WHERE published_at IS NULL AND suppressed='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE q4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, has_attachments boolean NOT NULL DEFAULT false, contains_pii boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO q4_outbox (event_type,payload,published_at,has_attachments,contains_pii) VALUES ('a','{}',NULL,true,false),('a','{}',now(),false,true),('a','{}',NULL,false,true)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM q4_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, publish_error text, dead_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at lastError=publish_error order?=id",
      "INSERT INTO q5_outbox (event_type,payload,published_at,publish_error,dead_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'x',NULL),('a','{}',NULL,'x',now())",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM q5_outbox WHERE published_at IS NULL AND dead_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, last_exception text NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lastError=last_exception createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO q6_outbox (event_type,payload,published,last_exception) VALUES ('a','{}',false,''),('a','{}',true,''),('a','{}',false,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM q6_outbox WHERE NOT published",
  ),
  claimed(
    stated(
      "CREATE TABLE q7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN q7_outbox.status IS 'Waiting(0), Running(1), Done(2), Error(3)'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q7_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM q7_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE q8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(2) NOT NULL DEFAULT 'NW', created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN q8_outbox.status IS 'NW: new, SN: sent, ER: error'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q8_outbox (event_type,payload,status) VALUES ('a','{}','NW'),('a','{}','SN'),('a','{}','ER')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM q8_outbox WHERE status='NW'",
  ),
  claimed(
    stated(
      "CREATE TABLE q9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed char(1) NOT NULL DEFAULT 'N' CHECK (processed IN ('N','Y','F')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=processed order?=id",
      "INSERT INTO q9_outbox (event_type,payload,processed) VALUES ('a','{}','N'),('a','{}','Y'),('a','{}','F')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM q9_outbox WHERE processed='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE q10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed char(1) NOT NULL DEFAULT 'N' CHECK (processed IN ('N','Y','E')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=processed order?=id",
      "INSERT INTO q10_outbox (event_type,payload,processed) VALUES ('a','{}','N'),('a','{}','Y'),('a','{}','E')",
      "1 pending, 2 published, 3 failed|unknown",
    ),
    "SELECT id FROM q10_outbox WHERE processed='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE q11_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending', retry_exhausted boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q11_outbox (event_type,payload,status,retry_exhausted) VALUES ('a','{}','pending',false),('a','{}','sent',false),('a','{}','pending',true)",
      "1 pending, 2 published, 3 dead|failed|unknown",
    ),
    "SELECT id FROM q11_outbox WHERE status='pending' AND NOT retry_exhausted",
  ),
  claimed(
    stated(
      "CREATE TABLE q12_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'TASLAK', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q12_outbox (event_type,payload,status) VALUES ('a','{}','TASLAK'),('a','{}','BEKLIYOR'),('a','{}','GONDERILDI'),('a','{}','HATA')",
      "1 unknown, 2 pending, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM q12_outbox WHERE status='BEKLIYOR'",
  ),
  claimed(
    stated(
      "CREATE TABLE q13_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q13_outbox (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','PUBLISHED_TO_KAFKA'),('a','{}','KAFKA_ERROR'),('a','{}','RETRIES_EXHAUSTED')",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM q13_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE q14_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, odeslano timestamptz, chyba text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=chyba publishedAt=odeslano order?=id",
      "INSERT INTO q14_outbox (event_type,payload,odeslano,chyba) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM q14_outbox WHERE odeslano IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q15_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz NOT NULL DEFAULT '2500-01-01', failed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO q15_outbox (event_type,payload,published_at,failed_at) VALUES ('a','{}','2500-01-01',NULL),('a','{}',now(),NULL),('a','{}','2500-01-01',now())",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM q15_outbox WHERE published_at>now() AND failed_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q16_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, frozen_until timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO q16_outbox (event_type,payload,sent_at,frozen_until) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now()+interval '1 h')",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM q16_outbox WHERE sent_at IS NULL AND (frozen_until IS NULL OR frozen_until<{now})",
  ),
  claimed(
    stated(
      "CREATE TABLE q17_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, error_count int NOT NULL DEFAULT 0, last_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lastError=last_error createdAt=created_at publishedAt=sent attempts=error_count order?=id",
      "INSERT INTO q17_outbox (event_type,payload,sent,error_count,last_error) VALUES ('a','{}',false,0,NULL),('a','{}',true,0,NULL),('a','{}',false,3,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM q17_outbox WHERE NOT sent",
  ),
  claimed(
    stated(
      "CREATE TABLE q18_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, is_latest boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO q18_outbox (event_type,payload,sent,is_latest) VALUES ('a','{}',false,true),('a','{}',true,true),('a','{}',false,false)",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM q18_outbox WHERE NOT sent",
  ),
  claimed(
    stated(
      "CREATE TABLE q19_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, state text NOT NULL DEFAULT 'new', ignore boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO q19_outbox (event_type,payload,state,ignore) VALUES ('a','{}','new',false),('a','{}','done',false),('a','{}','new',true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q19_outbox WHERE state='new' AND NOT ignore",
  ),
  claimed(
    stated(
      "CREATE TABLE q20_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, withheld boolean NOT NULL DEFAULT false, withheld_reason text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO q20_outbox (event_type,payload,published_at,withheld) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q20_outbox WHERE published_at IS NULL AND NOT withheld",
  ),
];
