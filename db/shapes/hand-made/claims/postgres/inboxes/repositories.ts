import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes of public repositories. */
export const INBOXES_REPOSITORIES: readonly StatedTable[] = [
  stated(
    "CREATE TABLE inbox (consumer text NOT NULL, event_id text NOT NULL, status text NOT NULL CHECK (status IN ('NEW','PROCESSING','DONE','FAILED')), attempts integer NOT NULL DEFAULT 0, last_error text, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, event_id))",
    "messageId=event_id consumer=consumer status=status attempts?=attempts error?=last_error receivedAt=created_at",
    "INSERT INTO inbox (consumer,event_id,status) VALUES ('c','a','NEW'),('c','b','PROCESSING'),('c','c','DONE'),('c','d','FAILED')",
    "a pending, b pending|unknown, c published, d failed",
  ),
  // Its own time for what was rejected.
  stated(
    "CREATE TABLE inbox_messages (inbox_message_id uuid PRIMARY KEY, content text NOT NULL, occurred_on timestamp NOT NULL, delivered_on timestamp, rejected_on timestamp, processed_on timestamp)",
    "messageId=inbox_message_id payload?=content receivedAt?=occurred_on processedAt=processed_on",
    "INSERT INTO inbox_messages VALUES ('$1','x',now(),NULL,NULL,NULL),('$2','x',now(),now(),NULL,now()),('$3','x',now(),now(),now(),NULL)",
    "$1 pending, $2 published, $3 failed|unknown",
  ),
  // A time that every row has from the start, and an outcome that says what it is worth.
  stated(
    "CREATE TABLE inbox_messages (id uuid PRIMARY KEY, consumer_name varchar(180) NOT NULL, message_id varchar(180) NOT NULL, message_type varchar(180) NOT NULL, tenant_id varchar(180) NOT NULL, outcome varchar(16) NOT NULL CHECK (outcome IN ('CLAIMED','DUPLICATE','STALE')), received_at timestamptz NOT NULL DEFAULT clock_timestamp(), completed_at timestamptz NOT NULL DEFAULT clock_timestamp(), expires_at timestamptz NOT NULL, UNIQUE (consumer_name, message_id))",
    "messageId=message_id consumer=consumer_name eventType=message_type receivedAt=received_at processedAt?=completed_at status?=outcome expiresAt?=expires_at",
    "INSERT INTO inbox_messages (id,consumer_name,message_id,message_type,tenant_id,outcome,expires_at) VALUES ('$1','c','a','t','x','CLAIMED',now()),('$2','c','b','t','x','DUPLICATE',now())",
    "a published|unknown, b published|unknown",
  ),
  stated(
    "CREATE TABLE processed_events (event_id bytea PRIMARY KEY, topic varchar(128) NOT NULL, consumer_group varchar(128) NOT NULL, processed_at timestamp NOT NULL)",
    "messageId=event_id topic?=topic source?=topic consumer=consumer_group processedAt=processed_at",
    "INSERT INTO processed_events VALUES ('\\x01','t','g',now())",
    "\\x01 published",
  ),
  stated(
    "CREATE TABLE inbox_messages (consumer_name text NOT NULL, message_id text NOT NULL, payload_hash text NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, PRIMARY KEY (consumer_name, message_id))",
    "messageId=message_id consumer=consumer_name receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_messages VALUES ('c','a','h',now(),NULL),('c','b','h',now(),now())",
    "a pending, b published",
  ),
  stated(
    "CREATE TABLE outbox_consumed_events (consumer text NOT NULL, event_id text NOT NULL, inserted_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, event_id))",
    "messageId=event_id consumer=consumer receivedAt?=inserted_at processedAt?=inserted_at",
    "INSERT INTO outbox_consumed_events VALUES ('c','a',now())",
    "a published|unknown",
  ),
  stated(
    "CREATE TABLE inbox_activities (id uuid PRIMARY KEY, activity_type text NOT NULL, actor_id text NOT NULL, actor_server text NOT NULL, target_id text, payload jsonb NOT NULL, received_at timestamp DEFAULT now(), processed_at timestamp, processed_by text, status text DEFAULT 'received' CHECK (status IN ('received','processing','processed','failed')), error_message text, created_at timestamp DEFAULT now())",
    "messageId=id eventType=activity_type receivedAt=received_at processedAt=processed_at status?=status error=error_message payload?=payload source?=actor_server consumer?=processed_by",
    "INSERT INTO inbox_activities (id,activity_type,actor_id,actor_server,payload,status,processed_at,error_message) VALUES ('$1','Follow','a','s','{}','received',NULL,NULL),('$2','Follow','a','s','{}','processed',now(),NULL),('$3','Follow','a','s','{}','failed',NULL,'x')",
    "$1 pending, $2 published, $3 failed",
  ),
  // A time for what has failed, and one for what was given up.
  stated(
    "CREATE TABLE inbox_messages (message_id uuid PRIMARY KEY, type text NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, failed_at timestamptz, dead_lettered_at timestamptz)",
    "messageId=message_id eventType=type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_messages VALUES ('$1','t',now(),NULL,NULL,NULL),('$2','t',now(),now(),now(),NULL),('$3','t',now(),NULL,now(),NULL),('$4','t',now(),NULL,now(),now())",
    "$1 pending, $2 published, $3 failed, $4 failed",
  ),
  // Named after what consumers did, and keyed by the message and its consumer.
  stated(
    "CREATE TABLE mq_consume_record (id bigserial PRIMARY KEY, consumer_group varchar(128) NOT NULL, message_key char(8) NOT NULL, create_time timestamptz NOT NULL DEFAULT now(), UNIQUE (consumer_group, message_key))",
    "messageId=message_key consumer=consumer_group receivedAt=create_time",
    "INSERT INTO mq_consume_record (consumer_group,message_key) VALUES ('g','abcdefgh')",
    "abcdefgh published|unknown",
  ),
  stated(
    "CREATE TABLE mq_consume_log (id bigserial PRIMARY KEY, event_id varchar(64) NOT NULL, consumer_group varchar(128) NOT NULL, status varchar(20) NOT NULL DEFAULT 'PROCESSING' CHECK (status IN ('PROCESSING','SUCCESS','FAILED')), topic varchar(128), error_message varchar(500), created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), UNIQUE (event_id, consumer_group))",
    "messageId=event_id consumer=consumer_group status=status error=error_message receivedAt=created_at topic?=topic",
    "INSERT INTO mq_consume_log (event_id,consumer_group,status,error_message) VALUES ('a','g','PROCESSING',NULL),('b','g','SUCCESS',NULL),('c','g','FAILED','x')",
    "a pending, b published, c failed",
  ),
  stated(
    "CREATE TABLE outbox_consumptions (id bigserial PRIMARY KEY, tenant_id bigint NOT NULL, outbox_id bigint NOT NULL, consumer varchar(80) NOT NULL, consumed_at timestamptz NOT NULL DEFAULT now(), UNIQUE (tenant_id, outbox_id, consumer))",
    "messageId=outbox_id consumer=consumer processedAt=consumed_at",
    "INSERT INTO outbox_consumptions (tenant_id,outbox_id,consumer) VALUES (1,7,'c')",
    "7 published",
  ),
];
