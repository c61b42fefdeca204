import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Statuses with words of a step before or after sending, and what seems to wait and does not. */
export const CLAIMED_WORDS_OF_STEPS: readonly ClaimedTable[] = [
  // ENQUEUED is handed to the broker's queue.
  claimed(
    stated(
      "CREATE TABLE ord_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','ENQUEUED','ERROR')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO ord_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','ENQUEUED'),('a','{}','ERROR')",
      "1 pending, 2 published|unknown, 3 failed|dead",
    ),
    "SELECT id FROM ord_outbox WHERE status='NEW'",
  ),
  // NOT_DELIVERED: tried and refused.
  claimed(
    stated(
      "CREATE TABLE nd_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','DELIVERED','NOT_DELIVERED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO nd_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','DELIVERED'),('a','{}','NOT_DELIVERED')",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM nd_outbox WHERE status='NEW'",
  ),
  // NOT_SENT: the sender gave up.
  claimed(
    stated(
      "CREATE TABLE w_sentneg_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w_sentneg_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','SENT'),('a','{}','NOT_SENT'),('a','{}','DO_NOT_SEND')",
      "1 pending, 2 published, 3 unknown|failed|dead, 4 unknown",
    ),
    "SELECT id FROM w_sentneg_outbox WHERE status='NEW'",
  ),
  // A message is confirmed by the producer, then sent.
  claimed(
    stated(
      "CREATE TABLE w_conf_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','CONFIRMED','DONE')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w_conf_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','CONFIRMED'),('a','{}','DONE')",
      "1 unknown|pending, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM w_conf_outbox WHERE status='CONFIRMED'",
  ),
  // The producer confirms before it is sent.
  claimed(
    stated(
      "CREATE TABLE w_conf2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','CONFIRMED','SENT')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w_conf2_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','CONFIRMED'),('a','{}','SENT')",
      "1 pending|unknown, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM w_conf2_outbox WHERE status='CONFIRMED'",
  ),
  // A row is rendered, then sent.
  claimed(
    stated(
      "CREATE TABLE rendered_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','PROCESSED','SENT','FAILED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO rendered_outbox (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','PROCESSED'),('a','{}','SENT'),('a','{}','FAILED')",
      "1 pending|unknown, 2 pending|unknown, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM rendered_outbox WHERE status IN ('NEW','PROCESSED')",
  ),
  claimed(
    stated(
      "CREATE TABLE w_wait_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT','READY_TO_SEND','WAITING_FOR_RELAY','SENT')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w_wait_outbox (event_type,payload,status) VALUES ('a','{}','DRAFT'),('a','{}','READY_TO_SEND'),('a','{}','WAITING_FOR_RELAY'),('a','{}','SENT')",
      "1 unknown, 2 pending, 3 pending, 4 published",
    ),
    "SELECT id FROM w_wait_outbox WHERE status IN ('READY_TO_SEND','WAITING_FOR_RELAY')",
  ),
  claimed(
    stated(
      "CREATE TABLE w_handled_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NONE' CHECK (status IN ('NONE','STARTED','FINISHED','CRASHED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO w_handled_outbox (event_type,payload,status) VALUES ('a','{}','NONE'),('a','{}','STARTED'),('a','{}','FINISHED'),('a','{}','CRASHED')",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM w_handled_outbox WHERE status='NONE'",
  ),
  claimed(
    stated(
      "CREATE TABLE w_ack_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivery_status text NOT NULL DEFAULT 'PENDING' CHECK (delivery_status IN ('PENDING','SENT','ACK','NACK')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=delivery_status order?=id",
      "INSERT INTO w_ack_outbox (event_type,payload,delivery_status) VALUES ('a','{}','PENDING'),('a','{}','SENT'),('a','{}','ACK'),('a','{}','NACK')",
      "1 pending, 2 in_flight|unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM w_ack_outbox WHERE delivery_status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE cmt2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN cmt2_outbox.status IS '1 active, 2 sent, 3 send error, 4 sending'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO cmt2_outbox (event_type,payload,status) VALUES ('a','{}',1),('a','{}',2),('a','{}',3),('a','{}',4)",
      "1 pending|unknown, 2 published, 3 failed|dead, 4 in_flight",
    ),
    "SELECT id FROM cmt2_outbox WHERE status=1",
  ),
  claimed(
    stated(
      "CREATE TABLE cmt3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN cmt3_outbox.status IS 'Number of completed steps: 0 none, 1 sent to Kafka, 2 acknowledged'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO cmt3_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending|unknown, 2 unknown|in_flight|published, 3 published|unknown",
    ),
    "SELECT id FROM cmt3_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE y_hold_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'ON_HOLD' CHECK (status IN ('ON_HOLD','RELEASED','SENT')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO y_hold_outbox (event_type,payload,status) VALUES ('a','{}','ON_HOLD'),('a','{}','RELEASED'),('a','{}','SENT')",
      "1 unknown, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM y_hold_outbox WHERE status='RELEASED'",
  ),
  claimed(
    stated(
      "CREATE TABLE y_notreq_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NOT_REQUIRED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO y_notreq_outbox (event_type,payload,status) VALUES ('a','{}','NOT_REQUIRED'),('a','{}','REQUIRED'),('a','{}','DONE')",
      "1 unknown, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM y_notreq_outbox WHERE status='REQUIRED'",
  ),
];
