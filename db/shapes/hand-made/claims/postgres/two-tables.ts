import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes whose payload or whose state is in a second table. */
export const CLAIMED_TWO_TABLES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE domain_event (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()); CREATE TABLE outbox_entry (id uuid PRIMARY KEY, event_id bigint NOT NULL UNIQUE REFERENCES domain_event(id), attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, last_error text)",
      "id=id attempts=attempts availableAt=next_attempt_at publishedAt=processed_at lastError=last_error",
      "INSERT INTO domain_event (event_type,payload) VALUES ('a','{}'),('a','{}'); INSERT INTO outbox_entry (id,event_id,processed_at) VALUES ('$1',1,NULL),('$2',2,now())",
      "$1 pending|unknown, $2 published|unknown",
    ),
    "SELECT id FROM outbox_entry WHERE processed_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()); CREATE TABLE outbox_deliveries (message_id uuid PRIMARY KEY REFERENCES outbox_messages(id), delivered_at timestamptz, attempts int NOT NULL DEFAULT 0, last_error text)",
      "id=id topic=topic payload=payload createdAt=created_at",
      "INSERT INTO outbox_messages (id,topic,payload) VALUES ('$1','t','{}'),('$2','t','{}'); INSERT INTO outbox_deliveries (message_id,delivered_at) VALUES ('$2',now())",
      "$1 unknown, $2 unknown|published",
    ),
    "SELECT id FROM outbox_messages WHERE NOT EXISTS (SELECT FROM outbox_deliveries d WHERE d.message_id = id AND delivered_at IS NOT NULL)",
  ),
  claimed(
    stated(
      "CREATE TABLE event_payloads (id bigserial PRIMARY KEY, body jsonb NOT NULL, content_type text NOT NULL DEFAULT 'application/json'); CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, aggregate_id text NOT NULL, payload_id bigint NOT NULL REFERENCES event_payloads(id), status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type aggregateId=aggregate_id status=status createdAt=created_at order?=id",
      "INSERT INTO event_payloads (body) VALUES ('{}'),('{}'),('{}'); INSERT INTO outbox (event_type,aggregate_id,payload_id,status) VALUES ('a','1',1,'PENDING'),('a','1',2,'SENT'),('a','1',3,'FAILED')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox WHERE status = 'PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_status (code smallint PRIMARY KEY, name text NOT NULL); CREATE TABLE outbox_event (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status_code smallint NOT NULL DEFAULT 1 REFERENCES outbox_status(code), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status_code createdAt=created_at order?=id",
      "INSERT INTO outbox_status VALUES (1,'PENDING'),(2,'SENT'),(3,'FAILED'); INSERT INTO outbox_event (event_type,payload,status_code) VALUES ('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM outbox_event WHERE status_code = 1",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_event (id varchar(100) PRIMARY KEY, type varchar(30) NOT NULL, status varchar(20) NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','DONE')), created_at timestamptz NOT NULL DEFAULT now()); CREATE TABLE outbox_event_payload (outbox_event_id varchar(100) NOT NULL REFERENCES outbox_event(id), payload_key varchar(100) NOT NULL, payload_value text, PRIMARY KEY (outbox_event_id, payload_key))",
      "id=id eventType=type status=status createdAt=created_at",
      "INSERT INTO outbox_event (id,type,status) VALUES ('a','t','PENDING'),('b','t','DONE'); INSERT INTO outbox_event_payload VALUES ('a','k','v')",
      "a pending|unknown, b published|unknown",
    ),
    "SELECT id FROM outbox_event WHERE status = 'PENDING'",
  ),
];
