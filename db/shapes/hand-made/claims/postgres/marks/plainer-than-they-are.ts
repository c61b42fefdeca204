import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes that look plainer than they are, each with the rows that its own relay would take. */
export const CLAIMED_PLAINER_THAN_THEY_ARE: readonly ClaimedTable[] = [
  // Every column of a domain.
  claimed(
    stated(
      "CREATE DOMAIN ob_state AS text CHECK (VALUE IN ('NEW','SENT','ERROR')); CREATE DOMAIN ob_id AS uuid; CREATE DOMAIN ob_doc AS jsonb NOT NULL; CREATE DOMAIN ob_time AS timestamptz DEFAULT now(); CREATE TABLE outbox (id ob_id PRIMARY KEY, type text NOT NULL, body ob_doc, state ob_state NOT NULL DEFAULT 'NEW', created_at ob_time, tries int NOT NULL DEFAULT 0)",
      "id=id eventType=type payload=body status=state createdAt=created_at attempts=tries",
      "INSERT INTO outbox (id,type,body,state,tries) VALUES ('$1','a','{}','NEW',0),('$2','a','{}','SENT',1),('$3','a','{}','ERROR',3)",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox WHERE state = 'NEW'",
  ),
  // A check that compares without case lists no word as it is stored.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (lower(status) IN ('pending','sent','failed')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','SENT'),('a','{}','FAILED')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox WHERE status = 'PENDING'",
  ),
  // A check of a condition lists no words of the status, and one of two columns none of the other's.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW', kind text NOT NULL, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), CHECK ((status IN ('SENT','CONFIRMED')) = (sent_at IS NOT NULL)), CHECK (kind IN ('dead','done') AND status IN ('NEW','SENT','FAILED')))",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox (event_type,payload,status,kind,sent_at) VALUES ('a','{}','NEW','done',NULL),('a','{}','SENT','dead',now()),('a','{}','FAILED','dead',NULL)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox WHERE status = 'NEW'",
  ),
  // A flag that is true while a row waits, with attempts.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, unsent boolean NOT NULL DEFAULT true, attempts int NOT NULL DEFAULT 0, last_error text, dead boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=unsent attempts=attempts lastError=last_error",
      "INSERT INTO outbox (id,event_type,payload,unsent,attempts,last_error,dead) VALUES ('$1','a','{}',true,0,NULL,false),('$2','a','{}',false,1,NULL,false),('$3','a','{}',true,2,'x',false),('$4','a','{}',true,9,'x',true)",
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    "SELECT id FROM outbox WHERE unsent AND NOT dead",
  ),
  // A flag for each of two destinations.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, kafka_published boolean NOT NULL DEFAULT false, webhook_published boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=kafka_published",
      "INSERT INTO outbox_events (id,event_type,payload,kafka_published,webhook_published) VALUES ('$1','a','{}',false,false),('$2','a','{}',true,true),('$3','a','{}',true,false),('$4','a','{}',false,true)",
      "$1 pending, $2 published, $3 unknown, $4 unknown",
    ),
    "SELECT id FROM outbox_events WHERE NOT (kafka_published AND webhook_published)",
  ),
  // A status for each of two destinations.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, kafka_status text NOT NULL DEFAULT 'PENDING', search_status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status?=kafka_status",
      "INSERT INTO outbox (id,event_type,payload,kafka_status,search_status) VALUES ('$1','a','{}','SENT','PENDING'),('$2','a','{}','PENDING','SENT')",
      "$1 unknown, $2 unknown",
    ),
    "SELECT id FROM outbox WHERE kafka_status = 'PENDING' OR search_status = 'PENDING'",
  ),
  // A flag of failure beside the time that is set even so.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, dispatched_at timestamptz, dispatch_failed boolean NOT NULL DEFAULT false, quarantine_reason text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=dispatched_at",
      "INSERT INTO outbox (id,event_type,payload,dispatched_at,dispatch_failed,quarantine_reason) VALUES ('$1','a','{}',NULL,false,NULL),('$2','a','{}',now(),false,NULL),('$3','a','{}',now(),true,NULL),('$4','a','{}',NULL,false,'poison')",
      "$1 pending, $2 published, $3 unknown|failed|dead, $4 unknown|dead",
    ),
    "SELECT id FROM outbox WHERE dispatched_at IS NULL AND quarantine_reason IS NULL",
  ),
  // The time at which processing began is the claim.
  claimed(
    stated(
      "CREATE TABLE outbox_event (id uuid PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, processing_started_at timestamptz, error_count int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic payload=payload createdAt=created_at publishedAt=processed attempts=error_count",
      "INSERT INTO outbox_event (id,topic,payload,processed,processing_started_at,error_count) VALUES ('$1','t','{}',false,NULL,0),('$2','t','{}',true,now(),0),('$3','t','{}',false,now(),0),('$4','t','{}',false,NULL,2)",
      "$1 pending, $2 published, $3 in_flight, $4 failed",
    ),
    "SELECT id FROM outbox_event WHERE NOT processed AND processing_started_at IS NULL",
  ),
  // Seconds to wait and to live are no times.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts int NOT NULL DEFAULT 0, retry_after int NOT NULL DEFAULT 30, expiry int, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at attempts=attempts publishedAt=published_at",
      "INSERT INTO outbox (id,event_type,payload,attempts,expiry,published_at) VALUES ('$1','a','{}',0,3600,NULL),('$2','a','{}',0,3600,now()),('$3','a','{}',2,3600,NULL)",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND retry_after < 86400",
  ),
  // A new row does not wait yet.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT','READY','STARTED','SENT','BLOCKED','FAILED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status order?=id",
      "INSERT INTO outbox (event_type,payload,status) VALUES ('a','{}','DRAFT'),('a','{}','READY'),('a','{}','SENT'),('a','{}','FAILED'),('a','{}','STARTED'),('a','{}','BLOCKED')",
      "1 unknown, 2 pending, 3 published, 4 failed, 5 unknown|in_flight, 6 unknown",
    ),
    "SELECT id FROM outbox WHERE status = 'READY'",
  ),
  // A new row waits for something else.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING_APPROVAL', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status",
      "INSERT INTO outbox (id,event_type,payload,status) VALUES ('$1','a','{}','PENDING_APPROVAL'),('$2','a','{}','APPROVED'),('$3','a','{}','SENT')",
      "$1 unknown, $2 unknown|pending, $3 published",
    ),
    "SELECT id FROM outbox WHERE status = 'APPROVED'",
  ),
  // Codes of another table.
  claimed(
    stated(
      "CREATE TABLE outbox_status (id smallint PRIMARY KEY, name text NOT NULL); INSERT INTO outbox_status VALUES (1,'PENDING'),(2,'SENT'),(3,'DEAD'); CREATE TABLE outbox_message (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status_id smallint NOT NULL DEFAULT 1 REFERENCES outbox_status, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status_id publishedAt=sent_at order?=id",
      "INSERT INTO outbox_message (event_type,payload,status_id,sent_at) VALUES ('a','{}',1,NULL),('a','{}',2,now()),('a','{}',3,NULL)",
      "1 pending, 2 published|unknown, 3 dead|unknown",
    ),
    "SELECT id FROM outbox_message WHERE status_id = 1",
  ),
  // A status of the record, which says nothing of its publication.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, record_status char(1) NOT NULL DEFAULT 'A', sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox (id,event_type,payload,record_status,sent_at) VALUES ('$1','a','{}','A',NULL),('$2','a','{}','A',now()),('$3','a','{}','D',NULL)",
      "$1 pending, $2 published, $3 unknown",
    ),
    "SELECT id FROM outbox WHERE sent_at IS NULL AND record_status = 'A'",
  ),
  // What waits has no status.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, state text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=state",
      "INSERT INTO outbox (id,event_type,payload,state) VALUES ('$1','a','{}',NULL),('$2','a','{}','sent'),('$3','a','{}','error')",
      "$1 pending|unknown, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox WHERE state IS NULL",
  ),
  // A number that is no flag: 1 is on its way.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=sent",
      "INSERT INTO outbox (id,event_type,payload,sent) VALUES ('$1','a','{}',0),('$2','a','{}',1),('$3','a','{}',2)",
      "$1 pending, $2 in_flight|unknown, $3 published|unknown",
    ),
    "SELECT id FROM outbox WHERE sent = 0",
  ),
  // A status that the database computes, and a flag.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, failed_at timestamptz, status text GENERATED ALWAYS AS (CASE WHEN sent_at IS NOT NULL THEN 'SENT' WHEN failed_at IS NOT NULL THEN 'FAILED' ELSE 'PENDING' END) STORED, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox (id,event_type,payload,sent_at,failed_at) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),NULL),('$3','a','{}',NULL,now())",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox WHERE status = 'PENDING'",
  ),
];
