import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes that keep the error of an earlier attempt, and codes whose words are in another table. */
export const CLAIMED_EARLIER_ERRORS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE ttime_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts char(14), created_ts char(14) NOT NULL)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_ts publishedAt=sent_ts",
      "INSERT INTO ttime_outbox (event_type,payload,sent_ts,created_ts) VALUES ('a','{}',NULL,'20260101000000'),('a','{}','20260101000001','20260101000000')",
      "1 pending, 2 published",
    ),
    "SELECT id FROM ttime_outbox WHERE sent_ts IS NULL",
  ),
  // Rc is a count of retries.
  claimed(
    stated(
      "CREATE TABLE rc_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, rc int NOT NULL DEFAULT 0, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts?=rc",
      "INSERT INTO rc_outbox (event_type,payload,rc,sent_at) VALUES ('a','{}',0,NULL),('a','{}',2,now()),('a','{}',3,NULL)",
      "1 pending, 2 published, 3 failed|pending|unknown",
    ),
    "SELECT id FROM rc_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE lasthttp_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts int NOT NULL DEFAULT 0, last_http_status int, delivered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=delivered_at attempts=attempts",
      "INSERT INTO lasthttp_outbox (event_type,payload,attempts,last_http_status,delivered_at) VALUES ('a','{}',0,NULL,NULL),('a','{}',1,200,now()),('a','{}',2,503,NULL),('a','{}',1,302,now())",
      "1 pending, 2 published, 3 failed, 4 published|unknown",
    ),
    "SELECT id FROM lasthttp_outbox WHERE delivered_at IS NULL",
  ),
  // The error of an earlier attempt stays.
  claimed(
    stated(
      "CREATE TABLE errtext_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, err_code varchar(10), err_text text, attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at attempts=attempts lastError=err_text",
      "INSERT INTO errtext_outbox (event_type,payload,published_at,err_code,err_text,attempts) VALUES ('a','{}',NULL,NULL,NULL,0),('a','{}',now(),NULL,NULL,1),('a','{}',now(),'E1','x',2),('a','{}',NULL,'E1','x',2)",
      "1 pending, 2 published, 3 published, 4 failed",
    ),
    "SELECT id FROM errtext_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE twocodes_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, kz_gesendet char(1) NOT NULL DEFAULT 'N' CHECK (kz_gesendet IN ('J','N')), kz_gesperrt char(1) NOT NULL DEFAULT 'N' CHECK (kz_gesperrt IN ('J','N')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=kz_gesendet",
      "INSERT INTO twocodes_outbox (event_type,payload,kz_gesendet,kz_gesperrt) VALUES ('a','{}','N','N'),('a','{}','J','N'),('a','{}','N','J')",
      "1 pending, 2 published, 3 unknown|in_flight",
    ),
    "SELECT id FROM twocodes_outbox WHERE kz_gesendet='N' AND kz_gesperrt='N'",
  ),
  // Codes of the subject.
  claimed(
    stated(
      "CREATE TABLE sevzero_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, severity smallint NOT NULL DEFAULT 0, state_of_order smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at status?=state_of_order",
      "INSERT INTO sevzero_outbox (event_type,payload,sent_at,severity,state_of_order) VALUES ('a','{}',NULL,0,0),('a','{}',now(),3,2),('a','{}',NULL,5,0),('a','{}',NULL,0,4)",
      "1 pending|unknown, 2 published|unknown, 3 pending|unknown, 4 pending|unknown",
    ),
    "SELECT id FROM sevzero_outbox WHERE sent_at IS NULL",
  ),
  // A table of words.
  claimed(
    stated(
      "CREATE TABLE wstates (name varchar(20) PRIMARY KEY, sort int NOT NULL); INSERT INTO wstates VALUES ('NEW',1),('SENT',2),('ERROR',3); CREATE TABLE fkword_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT 'NEW' REFERENCES wstates, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status=status",
      "INSERT INTO fkword_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','SENT'),('a','{}','ERROR')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM fkword_outbox WHERE status='NEW'",
  ),
  claimed(
    stated(
      "CREATE TABLE ackflags_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, acked boolean NOT NULL DEFAULT false, nacked boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt?=published",
      "INSERT INTO ackflags_outbox (event_type,payload,published,acked,nacked) VALUES ('a','{}',false,false,false),('a','{}',true,false,false),('a','{}',true,true,false),('a','{}',true,false,true)",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM ackflags_outbox WHERE NOT published",
  ),
  claimed(
    stated(
      "CREATE TABLE resfar_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, expires_at timestamptz NOT NULL DEFAULT 'infinity', sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at expiresAt=expires_at",
      "INSERT INTO resfar_outbox (event_type,payload,expires_at,sent_at) VALUES ('a','{}','infinity',NULL),('a','{}','infinity',now()),('a','{}',now()-interval '1 h',NULL)",
      "1 pending, 2 published, 3 expired",
    ),
    "SELECT id FROM resfar_outbox WHERE sent_at IS NULL AND expires_at > {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE reserved_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, reserved_at timestamptz, reserved_by text DEFAULT '', sent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent lockedBy?=reserved_by",
      "INSERT INTO reserved_outbox (event_type,payload,reserved_at,reserved_by,sent) VALUES ('a','{}',NULL,'',false),('a','{}',now(),'w',false),('a','{}',now(),'w',true),('a','{}',now()-interval '2 h','w',false)",
      "1 pending, 2 in_flight, 3 published, 4 pending|in_flight|failed",
    ),
    "SELECT id FROM reserved_outbox WHERE NOT sent AND reserved_by = ''",
  ),
  claimed(
    stated(
      "CREATE TABLE cdcflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sync_state char(1) NOT NULL DEFAULT 'P', sync_msg text, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN cdcflag_outbox.sync_state IS 'P=pending, S=synced, E=error, X=cancelled'",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status=sync_state lastError?=sync_msg",
      "INSERT INTO cdcflag_outbox (event_type,payload,sync_state) VALUES ('a','{}','P'),('a','{}','S'),('a','{}','E'),('a','{}','X')",
      "1 pending, 2 published|unknown, 3 failed|dead, 4 unknown|dead",
    ),
    "SELECT id FROM cdcflag_outbox WHERE sync_state = 'P'",
  ),
];
