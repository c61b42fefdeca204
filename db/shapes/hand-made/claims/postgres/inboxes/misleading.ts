import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes whose columns say less, or something else, than their names. */
export const INBOXES_MISLEADING: readonly StatedTable[] = [
  // How processing ended is a word beside a time that every row has: invented.
  stated(
    "CREATE TABLE processed_messages (message_id text PRIMARY KEY, handler text NOT NULL, result text NOT NULL CHECK (result IN ('OK','ERROR','SKIPPED')), error text, processed_at timestamptz NOT NULL DEFAULT now())",
    "messageId=message_id consumer=handler error=error processedAt=processed_at status?=result",
    "INSERT INTO processed_messages (message_id,handler,result,error) VALUES ('e1','h','OK',NULL),('e2','h','ERROR','x'),('e3','h','SKIPPED',NULL)",
    "e1 published|unknown, e2 failed|unknown, e3 unknown",
  ),
  stated(
    "CREATE TABLE processed_messages (message_id text PRIMARY KEY, handler text NOT NULL, outcome text NOT NULL, processed_at timestamptz NOT NULL DEFAULT now())",
    "messageId=message_id consumer=handler processedAt?=processed_at status?=outcome",
    "INSERT INTO processed_messages (message_id,handler,outcome) VALUES ('e1','h','SUCCESS'),('e2','h','FAILED')",
    "e1 published|unknown, e2 failed|unknown",
  ),
  stated(
    "CREATE TABLE handled_messages (message_id text PRIMARY KEY, consumer text NOT NULL, processed_at timestamptz, result varchar(10))",
    "messageId=message_id consumer=consumer processedAt=processed_at status?=result",
    "INSERT INTO handled_messages (message_id,consumer,processed_at,result) VALUES ('e1','h',NULL,NULL),('e2','h',now(),'ok'),('e3','h',now(),'error')",
    "e1 pending, e2 published, e3 failed",
  ),
  // What the message is about has a status, too: invented.
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, status text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed boolean NOT NULL DEFAULT false)",
    "messageId=message_id payload?=payload receivedAt=received_at processed?=processed status?=status",
    "INSERT INTO inbox (message_id,status,processed) VALUES ('e1','PAID',false),('e2','DELIVERED',false),('e3','FAILED',true),('e4','PAID',true)",
    "e1 pending|unknown, e2 pending|unknown, e3 published|unknown, e4 published|unknown",
  ),
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, order_id text NOT NULL, order_status text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), handled boolean NOT NULL DEFAULT false, handler_error text)",
    "messageId=message_id payload?=payload receivedAt=received_at processed=handled error?=handler_error",
    "INSERT INTO inbox (message_id,order_id,order_status,handled,handler_error) VALUES ('e1','o','FAILED',true,NULL),('e2','o','COMPLETED',false,NULL),('e3','o','COMPLETED',false,'x')",
    "e1 published, e2 pending, e3 failed|pending",
  ),
  // Its type is called a name: invented.
  stated(
    "CREATE TABLE inbox_messages (id text PRIMARY KEY, name text NOT NULL, data jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), locked_until timestamptz, processed_at timestamptz, discarded_at timestamptz)",
    "messageId=id eventType=name payload?=data receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_messages (id,name,data,locked_until,processed_at,discarded_at) VALUES ('e1','a','{}',NULL,NULL,NULL),('e2','a','{}',now(),now(),NULL),('e3','a','{}',NULL,NULL,now())",
    "e1 pending, e2 published, e3 failed|unknown",
  ),
  // jetstream_bridge, a Ruby gem.
  stated(
    "CREATE TABLE inbox_events (id bigserial PRIMARY KEY, event_id varchar UNIQUE, subject varchar NOT NULL, payload jsonb NOT NULL DEFAULT '{}', headers jsonb NOT NULL DEFAULT '{}', stream varchar, stream_seq bigint, deliveries int, status varchar NOT NULL DEFAULT 'received', last_error text, received_at timestamp, processed_at timestamp, created_at timestamp NOT NULL DEFAULT now())",
    "messageId=event_id status?=status receivedAt=received_at processedAt=processed_at error=last_error payload?=payload eventType?=subject topic?=subject attempts?=deliveries source?=stream",
    "INSERT INTO inbox_events (event_id,subject,status,last_error,received_at,processed_at) VALUES ('1','s','received',NULL,now(),NULL),('2','s','processing',NULL,now(),NULL),('3','s','processed',NULL,now(),now()),('4','s','failed','x',now(),NULL)",
    "1 pending, 2 pending, 3 published, 4 failed",
  ),
];
