import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes with marks of which only whether there is one is read, and receipts that are kept for a time. */
export const INBOXES_FORMS_OF_MARKS: readonly StatedTable[] = [
  // Expires_at as retention of dedupe keys.
  stated(
    "CREATE TABLE inbox_messages (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, expires_at timestamptz NOT NULL DEFAULT now() + interval '7 days')",
    "messageId=message_id eventType=event_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_messages (message_id,event_type,payload,processed_at,expires_at) VALUES ('m1','a','{}',NULL,now()+interval '1 d'),('m2','a','{}',now(),now()+interval '1 d'),('m3','a','{}',NULL,now()-interval '1 d')",
    "m1 pending, m2 published, m3 unknown|pending",
  ),
  // Consumer group and kafka position: no question.
  stated(
    "CREATE TABLE inbox_events (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), consumer_group text NOT NULL, processed_at timestamptz, kafka_topic text, kafka_partition int, kafka_offset bigint)",
    "messageId=message_id eventType=event_type receivedAt=received_at consumer=consumer_group processedAt=processed_at",
    "INSERT INTO inbox_events (message_id,event_type,payload,consumer_group,processed_at,kafka_topic,kafka_partition,kafka_offset) VALUES ('m1','a','{}','g',NULL,'t',1,5),('m2','a','{}','g',now(),'t',1,6)",
    "m1 pending, m2 published",
  ),
  // Date cancel, bigint flag.
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed boolean NOT NULL DEFAULT false, cancelled_on date, dead bigint NOT NULL DEFAULT 0)",
    "messageId=message_id eventType=event_type receivedAt=received_at processed=processed",
    "INSERT INTO inbox (message_id,event_type,payload,processed,cancelled_on,dead) VALUES ('m1','a','{}',false,NULL,0),('m2','a','{}',true,NULL,0),('m3','a','{}',false,current_date,0),('m4','a','{}',false,NULL,1)",
    "m1 pending, m2 published, m3 unknown, m4 failed|unknown",
  ),
  // Flag default ''.
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, loevm char(1) NOT NULL DEFAULT '')",
    "messageId=message_id eventType=event_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox (message_id,event_type,payload,processed_at,loevm) VALUES ('m1','a','{}',NULL,''),('m2','a','{}',now(),''),('m3','a','{}',NULL,'X')",
    "m1 pending, m2 published, m3 unknown",
  ),
  // Skipped_on date.
  stated(
    "CREATE TABLE event_inbox (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), skipped_on date, processed_at timestamptz)",
    "messageId=message_id eventType=event_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO event_inbox (message_id,event_type,payload,skipped_on,processed_at) VALUES ('m1','a','{}',NULL,NULL),('m2','a','{}',NULL,now()),('m3','a','{}',current_date,NULL)",
    "m1 pending, m2 published, m3 unknown",
  ),
  // Inbox siblings.
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, skip_reason text NOT NULL DEFAULT '', failed_handlers text[] NOT NULL DEFAULT '{}')",
    "messageId=message_id eventType=event_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox (message_id,event_type,payload,processed_at,skip_reason,failed_handlers) VALUES ('m1','a','{}',NULL,'','{}'),('m2','a','{}',now(),'','{}'),('m3','a','{}',NULL,'dup','{}'),('m4','a','{}',now(),'','{h}')",
    "m1 pending, m2 published, m3 unknown, m4 unknown|failed",
  ),
  // Inbox closed_at bigint, can_retry.
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, closed_at bigint, can_retry boolean, owner text)",
    "messageId=message_id eventType=event_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox (message_id,event_type,payload,processed_at,closed_at,can_retry,owner) VALUES ('m1','a','{}',NULL,NULL,NULL,NULL),('m2','a','{}',now(),NULL,NULL,NULL),('m3','a','{}',NULL,1751362530000,NULL,NULL),('m4','a','{}',NULL,NULL,false,NULL),('m5','a','{}',NULL,NULL,NULL,'w')",
    "m1 pending, m2 published, m3 unknown, m4 unknown|failed, m5 unknown|pending",
  ),
  // A time that every row has says less than one with a placeholder.
  stated(
    "CREATE TABLE consumed_messages (message_id text PRIMARY KEY, consumer text NOT NULL, consumed_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz NOT NULL DEFAULT '0001-01-01')",
    "messageId=message_id consumer=consumer receivedAt?=consumed_at processedAt?=finished_at",
    "INSERT INTO consumed_messages (message_id,consumer,finished_at) VALUES ('m1','c','0001-01-01'),('m2','c',now())",
    "m1 pending, m2 published",
  ),
];
