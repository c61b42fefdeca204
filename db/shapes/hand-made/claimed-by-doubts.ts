import { type ClaimedTable, claimed } from "./claimed-table.ts";
import { stated } from "./stated-table.ts";

/** Outboxes that look plainer than they are, each with the rows that its own relay would take. */
export const CLAIMED_BY_DOUBTS: readonly ClaimedTable[] = [
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
];
