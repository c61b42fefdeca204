import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with rows that are prepared first, superseded, withdrawn or held; some of public repositories. */
export const CLAIMED_PREPARED_AND_SUPERSEDED: readonly ClaimedTable[] = [
  // A message that its producer prepares first, and confirms once its own transaction is over: invented after
  // RocketMQ's half messages.
  claimed(
    stated(
      "CREATE TABLE transaction_outbox (id bigserial PRIMARY KEY, topic varchar(100) NOT NULL, msg_key varchar(100), body text NOT NULL, status varchar(20) NOT NULL DEFAULT 'PREPARED' CHECK (status IN ('PREPARED','CONFIRMED','SENT','CANCELLED')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id topic=topic aggregateId?=msg_key payload=body status=status createdAt=created_at",
      "INSERT INTO transaction_outbox (topic,msg_key,body,status) VALUES ('t','k','{}','PREPARED'),('t','k','{}','CONFIRMED'),('t','k','{}','SENT'),('t','k','{}','CANCELLED')",
      "1 unknown, 2 pending|unknown, 3 published|unknown, 4 unknown",
    ),
    "SELECT id FROM transaction_outbox WHERE status = 'CONFIRMED'",
  ),
  // What the message is about has a status, too: invented.
  claimed(
    stated(
      "CREATE TABLE shipment_outbox (id bigserial PRIMARY KEY, shipment_id bigint NOT NULL, status varchar(20) NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id payload=payload publishedAt=published createdAt=created_at status?=status",
      "INSERT INTO shipment_outbox (shipment_id,status,payload,published) VALUES (1,'CREATED','{}',false),(1,'DELIVERED','{}',false),(1,'CREATED','{}',true),(1,'DELIVERED','{}',true),(1,'CANCELLED','{}',false)",
      "1 pending|unknown, 2 pending|unknown, 3 published|unknown, 4 published|unknown, 5 pending|unknown",
    ),
    "SELECT id FROM shipment_outbox WHERE NOT published",
  ),
  claimed(
    stated(
      "CREATE TABLE order_outbox (id bigserial PRIMARY KEY, order_id bigint NOT NULL, status varchar(20) NOT NULL DEFAULT 'CREATED', payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id payload=payload publishedAt=sent createdAt=created_at status?=status",
      "INSERT INTO order_outbox (order_id,status,payload,sent) VALUES (1,'CREATED','{}',false),(1,'COMPLETED','{}',false),(1,'CREATED','{}',true),(1,'COMPLETED','{}',true)",
      "1 pending|unknown, 2 pending|unknown, 3 published|unknown, 4 published|unknown",
    ),
    "SELECT id FROM order_outbox WHERE NOT sent",
  ),
  claimed(
    stated(
      "CREATE TABLE orders_outbox (id bigserial PRIMARY KEY, order_id bigint NOT NULL, status varchar(20) NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id payload=payload publishedAt=sent_at createdAt=created_at status?=status",
      "INSERT INTO orders_outbox (order_id,status,payload,sent_at) VALUES (1,'CREATED','{}',NULL),(1,'PAID','{}',NULL),(1,'SHIPPED','{}',now()),(1,'DELIVERED','{}',NULL),(1,'REFUNDED','{}',now())",
      "1 pending|unknown, 2 pending|unknown, 3 published|unknown, 4 pending|unknown, 5 published|unknown",
    ),
    "SELECT id FROM orders_outbox WHERE sent_at IS NULL",
  ),
  // Superseded by a newer message of its aggregate, and cancelled by a person: invented.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_id uuid NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, superseded_by uuid, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)",
      "id=id aggregateId=aggregate_id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at",
      "INSERT INTO outbox (id,aggregate_id,event_type,payload,superseded_by,published_at) VALUES ('$1','$1','a','{}',NULL,NULL),('$2','$2','a','{}',NULL,now()),('$3','$3','a','{}','$3',NULL)",
      "$1 pending, $2 published, $3 unknown",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND superseded_by IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY, type text NOT NULL, body jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, cancelled_by text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type payload=body publishedAt=sent createdAt=created_at",
      "INSERT INTO outbox_messages (id,type,body,sent,cancelled_by) VALUES ('$1','a','{}',false,NULL),('$2','a','{}',true,NULL),('$3','a','{}',false,'ada')",
      "$1 pending, $2 published, $3 unknown",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND cancelled_by IS NULL",
  ),
  // Held until it is released: invented.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY, type text NOT NULL, body jsonb NOT NULL, released_at timestamptz, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type payload=body publishedAt=sent_at createdAt=created_at",
      "INSERT INTO outbox_messages (id,type,body,released_at,sent_at) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),NULL),('$3','a','{}',now(),now())",
      "$1 unknown, $2 pending|unknown, $3 published",
    ),
    "SELECT id FROM outbox_messages WHERE released_at IS NOT NULL AND sent_at IS NULL",
  ),
  // What is still to be: invented, with the words of two public repositories.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'TO_BE_SENT', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox (event_type,payload,status) VALUES ('a','{}','TO_BE_SENT'),('a','{}','SENT'),('a','{}','SEND_FAIL')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox WHERE status = 'TO_BE_SENT'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL CHECK (status IN ('TO_BE_PUBLISHED','PUBLISHED','PUBLISH_FAIL')), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox (event_type,payload,status) VALUES ('a','{}','TO_BE_PUBLISHED'),('a','{}','PUBLISHED'),('a','{}','PUBLISH_FAIL')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox WHERE status = 'TO_BE_PUBLISHED'",
  ),
  // Local message tables of Chinese teams write FAIL.
  claimed(
    stated(
      "CREATE TABLE mq_outbox (id bigserial PRIMARY KEY, queue varchar(60) NOT NULL, message text NOT NULL, state varchar(12) NOT NULL DEFAULT 'INIT' CHECK (state IN ('INIT','SENDING','SENT','CONSUMED','FAIL')), times int NOT NULL DEFAULT 0, next_time timestamptz, created timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id topic?=queue payload=message status=state createdAt=created attempts?=times availableAt?=next_time",
      "INSERT INTO mq_outbox (queue,message,state,times,next_time) VALUES ('q','x','INIT',0,NULL),('q','x','SENDING',1,now()),('q','x','SENT',1,NULL),('q','x','CONSUMED',1,NULL),('q','x','FAIL',6,NULL)",
      "1 pending, 2 in_flight, 3 published|unknown, 4 published|unknown, 5 failed|dead",
    ),
    "SELECT id FROM mq_outbox WHERE state IN ('INIT','SENDING')",
  ),
  // To how many subscribers it was delivered: invented.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivered_count int NOT NULL DEFAULT 0, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO outbox (event_type,payload,delivered_count,published_at) VALUES ('a','{}',0,NULL),('a','{}',2,NULL),('a','{}',3,now())",
      "1 pending, 2 pending|in_flight|unknown, 3 published",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL",
  ),
  // phoenix_micro, an Elixir library: the first attempt is 1.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), topic varchar(255) NOT NULL, payload jsonb NOT NULL, headers jsonb DEFAULT '{}', attempt int DEFAULT 1, relayed_at timestamp(6), failed_at timestamp(6), last_error varchar(255), inserted_at timestamp(6) NOT NULL DEFAULT now(), updated_at timestamp(6) NOT NULL DEFAULT now()); CREATE INDEX ON outbox_messages (relayed_at, inserted_at); CREATE INDEX ON outbox_messages (failed_at)",
      "id=id topic=topic payload=payload headers=headers attempts?=attempt publishedAt=relayed_at lastError=last_error createdAt=inserted_at",
      `INSERT INTO outbox_messages (id,topic,payload,attempt,relayed_at,failed_at,last_error) VALUES ('$1','orders','{"a":1}',1,NULL,NULL,NULL),('$2','orders','{}',1,now(),NULL,NULL),('$3','orders','{}',3,NULL,NULL,'econnrefused'),('$4','orders','{}',5,NULL,now(),'econnrefused')`,
      "$1 pending, $2 published, $3 failed, $4 failed|dead",
    ),
    "SELECT id FROM outbox_messages WHERE relayed_at IS NULL AND failed_at IS NULL",
  ),
  // jetstream_bridge, a Ruby gem.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id bigserial PRIMARY KEY, event_id varchar NOT NULL UNIQUE, subject varchar NOT NULL, payload jsonb NOT NULL DEFAULT '{}', headers jsonb NOT NULL DEFAULT '{}', status varchar NOT NULL DEFAULT 'pending', attempts int NOT NULL DEFAULT 0, last_error text, enqueued_at timestamp, sent_at timestamp, created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now())",
      "id=id order?=id topic?=subject aggregateId?=subject eventType?=subject payload=payload headers=headers status=status attempts=attempts lastError=last_error publishedAt=sent_at createdAt=created_at",
      "INSERT INTO outbox_events (event_id,subject,status,attempts,last_error,sent_at,enqueued_at) VALUES ('ev-1','dev.x','pending',0,NULL,NULL,now()),('ev-2','dev.x','publishing',1,NULL,NULL,now()),('ev-3','dev.x','sent',1,NULL,now(),now()),('ev-4','dev.x','failed',3,'no responders',NULL,now())",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM outbox_events WHERE status IN ('pending','publishing')",
  ),
  // okapi of SoftwareMill, in Kotlin.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, message_type varchar(255) NOT NULL, payload text NOT NULL, delivery_type varchar(50) NOT NULL, status varchar(50) NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), retries int NOT NULL DEFAULT 0, last_attempt timestamptz, last_error text, delivery_metadata json NOT NULL); CREATE INDEX ON outbox (created_at) WHERE status = 'PENDING'",
      "id=id eventType=message_type payload=payload status=status attempts=retries lastError=last_error createdAt=created_at",
      "INSERT INTO outbox (id,message_type,payload,delivery_type,status,retries,last_error,delivery_metadata) VALUES ('$1','order.created','{}','http','PENDING',0,NULL,'{}'),('$2','order.created','{}','kafka','PENDING',2,'x','{}'),('$3','order.created','{}','http','DELIVERED',1,NULL,'{}'),('$4','order.created','{}','http','FAILED',5,'gone','{}')",
      "$1 pending, $2 failed, $3 published, $4 failed|dead",
    ),
    "SELECT id FROM outbox WHERE status = 'PENDING'",
  ),
  // navikt's outbox of esyfo, in Kotlin with Exposed.
  claimed(
    stated(
      "CREATE TABLE outbox (uuid uuid PRIMARY KEY, message_type varchar(64) NOT NULL, dedup_key text NOT NULL UNIQUE, external_ref text NOT NULL, payload jsonb NOT NULL, scheduled_at timestamptz NOT NULL, status varchar(32) NOT NULL, attempt_count int NOT NULL DEFAULT 0, last_attempt_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz); CREATE INDEX ON outbox (scheduled_at) WHERE status = 'PENDING'",
      "id=uuid eventType=message_type payload=payload availableAt=scheduled_at status=status attempts=attempt_count createdAt=created_at publishedAt=sent_at",
      "INSERT INTO outbox (uuid,message_type,dedup_key,external_ref,payload,scheduled_at,status,attempt_count,sent_at) VALUES ('$1','VARSEL','d$1','r','{}',now(),'PENDING',0,NULL),('$2','VARSEL','d$2','r','{}',now()+interval '1 day','PENDING',0,NULL),('$3','VARSEL','d$3','r','{}',now(),'SENT',1,now()),('$4','VARSEL','d$4','r','{}',now(),'FAILED',10,NULL),('$5','VARSEL','d$5','r','{}',now(),'CANCELLED',0,NULL)",
      "$1 pending, $2 pending|scheduled, $3 published, $4 failed|dead, $5 unknown",
    ),
    "SELECT uuid FROM outbox WHERE status = 'PENDING' AND scheduled_at <= {now}",
  ),
  // A Django project with a lease.
  claimed(
    stated(
      "CREATE TABLE events_outboxevent (id uuid PRIMARY KEY, event_type varchar(32) NOT NULL, schema_version smallint NOT NULL, aggregate_uuid uuid NOT NULL, aggregate_version bigint NOT NULL, payload jsonb NOT NULL, dedup_key varchar(160) NOT NULL UNIQUE, state varchar(9) NOT NULL, attempts smallint NOT NULL, created_at timestamptz NOT NULL, available_at timestamptz NOT NULL, lease_until timestamptz, lease_uuid uuid, dispatched_at timestamptz, exhausted_at timestamptz, last_error_code varchar(32) NOT NULL)",
      "id=id eventType=event_type aggregateId?=aggregate_uuid payload=payload status=state attempts=attempts createdAt=created_at availableAt=available_at lockedUntil=lease_until lockedBy?=lease_uuid publishedAt=dispatched_at lastError?=last_error_code",
      "INSERT INTO events_outboxevent (id,event_type,schema_version,aggregate_uuid,aggregate_version,payload,dedup_key,state,attempts,created_at,available_at,lease_until,lease_uuid,dispatched_at,exhausted_at,last_error_code) VALUES ('$1','consent.revoked',1,'$1',1,'{}','$1','pending',0,now(),now(),NULL,NULL,NULL,NULL,''),('$2','consent.revoked',1,'$2',1,'{}','$2','leased',1,now(),now(),now()+interval '1 min','$2',NULL,NULL,''),('$3','consent.revoked',1,'$3',1,'{}','$3','done',1,now(),now(),NULL,NULL,now(),NULL,''),('$4','consent.revoked',1,'$4',1,'{}','$4','exhausted',5,now(),now(),NULL,NULL,NULL,now(),'TIMEOUT')",
      "$1 pending, $2 in_flight, $3 published, $4 dead",
    ),
    "SELECT id FROM events_outboxevent WHERE state = 'pending' AND available_at <= {now}",
  ),
  // A Django shop's point of sale.
  claimed(
    stated(
      "CREATE TABLE pos_outboxevent (id bigserial PRIMARY KEY, aggregate_type varchar(80) NOT NULL, aggregate_id varchar(64) NOT NULL, event_type varchar(80) NOT NULL, payload_json jsonb NOT NULL, correlation_id varchar(64) NOT NULL, priority smallint NOT NULL, status varchar(20) NOT NULL, attempts int NOT NULL, available_at timestamptz NOT NULL, processed_at timestamptz, last_error text NOT NULL, created_at timestamptz NOT NULL)",
      "id=id order?=id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=payload_json status=status attempts=attempts availableAt=available_at publishedAt=processed_at lastError=last_error createdAt=created_at",
      "INSERT INTO pos_outboxevent (aggregate_type,aggregate_id,event_type,payload_json,correlation_id,priority,status,attempts,available_at,processed_at,last_error,created_at) VALUES ('sale','1','sale.closed','{}','',10,'PENDING',0,now(),NULL,'',now()),('sale','1','sale.closed','{}','',10,'IN_PROGRESS',1,now(),NULL,'',now()),('sale','1','sale.closed','{}','',10,'DONE',1,now(),now(),'',now()),('sale','1','sale.closed','{}','',10,'FAILED',2,now(),NULL,'x',now()),('sale','1','sale.closed','{}','',10,'BLOCKED',5,now(),NULL,'x',now())",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 unknown|dead",
    ),
    "SELECT id FROM pos_outboxevent WHERE status IN ('PENDING','FAILED') AND available_at <= {now}",
  ),
];
