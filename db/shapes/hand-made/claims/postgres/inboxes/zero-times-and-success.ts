import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Success as a number or a letter, and times with placeholders that only the rows show. */
export const INBOXES_ZERO_TIMES_AND_SUCCESS: readonly StatedTable[] = [
  // Success as a number.
  stated(
    "CREATE TABLE inbox_number (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, success smallint)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_number (message_id,message_type,processed_at,success) VALUES ('a','t',NULL,NULL),('b','t',now(),1),('c','t',now(),0)",
    "a pending, b published, c failed",
  ),
  // The same, 0 in a new row.
  stated(
    "CREATE TABLE inbox_zero (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, success int NOT NULL DEFAULT 0)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_zero (message_id,message_type,processed_at,success) VALUES ('a','t',NULL,0),('b','t',now(),1),('c','t',now(),0)",
    "a pending, b published, c failed",
  ),
  // Success as a letter.
  stated(
    "CREATE TABLE inbox_letter (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, success char(1))",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_letter (message_id,message_type,processed_at,success) VALUES ('a','t',NULL,NULL),('b','t',now(),'Y'),('c','t',now(),'N')",
    "a pending, b published, c failed",
  ),
  // Success as a word beside a flag.
  stated(
    "CREATE TABLE inbox_word (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), handled boolean NOT NULL DEFAULT false, success varchar(5))",
    "messageId=message_id eventType=message_type receivedAt=received_at processed=handled",
    "INSERT INTO inbox_word (message_id,message_type,handled,success) VALUES ('a','t',false,NULL),('b','t',true,'true'),('c','t',true,'false')",
    "a pending, b published, c failed",
  ),
  // Success in German.
  stated(
    "CREATE TABLE inbox_erfolg (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), verarbeitet_am timestamptz, erfolgreich smallint)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=verarbeitet_am",
    "INSERT INTO inbox_erfolg (message_id,message_type,verarbeitet_am,erfolgreich) VALUES ('a','t',NULL,NULL),('b','t',now(),1),('c','t',now(),0)",
    "a pending, b published, c failed",
  ),
  // An expiry in the year 1 is none.
  stated(
    "CREATE TABLE inbox_year1 (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, expires_at timestamptz NOT NULL)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_year1 (message_id,message_type,processed_at,expires_at) VALUES ('a','t',NULL,'0001-01-01'),('b','t',now(),'0001-01-01'),('c','t',NULL,'2020-01-01')",
    "a pending, b published, c unknown",
  ),
  // An expiry in 1970 is none.
  stated(
    "CREATE TABLE inbox_epoch (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, expires_at timestamptz NOT NULL DEFAULT 'epoch')",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_epoch (message_id,message_type,processed_at,expires_at) VALUES ('a','t',NULL,'epoch'),('b','t',now(),'epoch'),('c','t',NULL,'2020-01-01')",
    "a pending, b published, c unknown",
  ),
  // An expiry of 0 is none.
  stated(
    "CREATE TABLE inbox_millis (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, expires_at bigint NOT NULL DEFAULT 0)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_millis (message_id,message_type,processed_at,expires_at) VALUES ('a','t',NULL,0),('b','t',now(),0),('c','t',NULL,1577836800000)",
    "a pending, b published, c unknown",
  ),
  // A placeholder that no default shows.
  stated(
    "CREATE TABLE inbox_undated (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz NOT NULL)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_undated (message_id,message_type,processed_at) VALUES ('a','t','0001-01-01'),('b','t',now())",
    "a pending, b published",
  ),
  // A placeholder far ahead.
  stated(
    "CREATE TABLE inbox_far (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamp NOT NULL)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_far (message_id,message_type,processed_at) VALUES ('a','t','9999-12-31'),('b','t',now())",
    "a pending, b published",
  ),
  // Milliseconds that are 0 at first.
  stated(
    "CREATE TABLE inbox_zero_millis (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at bigint NOT NULL)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_zero_millis (message_id,message_type,processed_at) VALUES ('a','t',0),('b','t',1764000000000)",
    "a pending, b published",
  ),
  // Every row was processed, and success is a number or a letter.
  stated(
    "CREATE TABLE inbox_always (message_id text PRIMARY KEY, consumer text, processed_at timestamptz NOT NULL DEFAULT now(), success int NOT NULL)",
    "messageId=message_id consumer=consumer processedAt=processed_at",
    "INSERT INTO inbox_always (message_id,consumer,success) VALUES ('b','t',1),('c','t',0)",
    "b published, c failed",
  ),
  stated(
    "CREATE TABLE inbox_ok (message_id text PRIMARY KEY, consumer text, processed_at timestamptz NOT NULL DEFAULT now(), ok char(1) NOT NULL)",
    "messageId=message_id consumer=consumer processedAt=processed_at",
    "INSERT INTO inbox_ok (message_id,consumer,ok) VALUES ('b','t','Y'),('c','t','N')",
    "b published, c failed",
  ),
  // Words of a flag that only the rows show.
  stated(
    "CREATE TABLE inbox_shadow (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, shadow varchar(5) NOT NULL)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_shadow (message_id,message_type,processed_at,shadow) VALUES ('a','t',NULL,'false'),('b','t',now(),'false'),('c','t',NULL,'true')",
    "a pending, b published, c unknown",
  ),
  // Relevant unless it is 0.
  stated(
    "CREATE TABLE inbox_relevant (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, relevant int NOT NULL DEFAULT 1)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_relevant (message_id,message_type,processed_at,relevant) VALUES ('a','t',NULL,1),('b','t',now(),1),('c','t',NULL,0)",
    "a pending, b published, c unknown",
  ),
  // To be processed again, beside a placeholder.
  stated(
    "CREATE TABLE inbox_again (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz NOT NULL DEFAULT '0001-01-01', reprocess boolean NOT NULL DEFAULT false)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_again (message_id,message_type,processed_at,reprocess) VALUES ('a','t','0001-01-01',false),('b','t',now(),false),('c','t',now(),true)",
    "a pending, b published, c unknown|pending",
  ),
  // SAP's X and blank.
  stated(
    "CREATE TABLE inbox_x (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, success char(1))",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_x (message_id,message_type,processed_at,success) VALUES ('a','t',NULL,NULL),('b','t',now(),'X'),('c','t',now(),' ')",
    "a pending, b published, c failed",
  ),
  // An error flag of letters.
  stated(
    "CREATE TABLE inbox_error (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, error char(1) NOT NULL DEFAULT 'N')",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_error (message_id,message_type,processed_at,error) VALUES ('a','t',NULL,'N'),('b','t',now(),'N'),('c','t',NULL,'Y')",
    "a pending, b published, c failed",
  ),
  // An end of an unknown name with a placeholder.
  stated(
    "CREATE TABLE inbox_closed (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, closed_at timestamptz NOT NULL)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_closed (message_id,message_type,processed_at,closed_at) VALUES ('a','t',NULL,'0001-01-01'),('b','t',now(),'0001-01-01'),('c','t',NULL,now())",
    "a pending, b published, c unknown",
  ),
  // Words of success beside a flag of 0 and 1.
  stated(
    "CREATE TABLE inbox_both (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), handled smallint NOT NULL DEFAULT 0, success varchar(5))",
    "messageId=message_id eventType=message_type receivedAt=received_at status=handled",
    "INSERT INTO inbox_both (message_id,message_type,handled,success) VALUES ('a','t',0,NULL),('b','t',1,'true'),('c','t',1,'false')",
    "a pending, b published, c failed",
  ),
  // A day of processing, and an error of before.
  stated(
    "CREATE TABLE inbox_day (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), processed_on date, error text, attempts int NOT NULL DEFAULT 0)",
    "messageId=message_id eventType=message_type receivedAt=received_at error=error",
    "INSERT INTO inbox_day (message_id,message_type,processed_on,error,attempts) VALUES ('a','t',NULL,NULL,0),('b','t',current_date,NULL,0),('c','t',NULL,'x',1),('d','t',current_date,'x',1)",
    "a pending|unknown, b published|unknown, c failed|unknown, d published|unknown",
  ),
  // Seconds in the columns of a library's inbox, 0 until it was processed.
  stated(
    "CREATE TABLE inbox (consumer text NOT NULL, message_id text NOT NULL, processed_at bigint NOT NULL DEFAULT 0, PRIMARY KEY (consumer, message_id))",
    "messageId=message_id consumer=consumer processedAt?=processed_at",
    "INSERT INTO inbox (consumer,message_id,processed_at) VALUES ('c','a',0),('c','b',1764000000)",
    "a pending, b published",
  ),
  // A time without a default beside the one that every row has.
  stated(
    "CREATE TABLE consumed_messages (message_id text PRIMARY KEY, consumer text NOT NULL, consumed_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz NOT NULL)",
    "messageId=message_id consumer=consumer receivedAt?=consumed_at processedAt?=finished_at",
    "INSERT INTO consumed_messages (message_id,consumer,finished_at) VALUES ('a','c','0001-01-01'),('b','c',now())",
    "a pending, b published",
  ),
  // The same as a day.
  stated(
    "CREATE TABLE consumed_messages (message_id text PRIMARY KEY, consumer text NOT NULL, consumed_at timestamptz NOT NULL DEFAULT now(), finished_on date)",
    "messageId=message_id consumer=consumer processedAt?=consumed_at receivedAt?=consumed_at",
    "INSERT INTO consumed_messages (message_id,consumer,finished_on) VALUES ('a','c',NULL),('b','c',current_date)",
    "a pending|unknown, b published|unknown",
  ),
  // Keyed by a digest.
  stated(
    "CREATE TABLE processed_messages (message_hash bytea PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now())",
    "messageId=message_hash processedAt=processed_at",
    "INSERT INTO processed_messages (message_hash) VALUES ('\\x01')",
    "\\x01 published",
  ),
  stated(
    "CREATE TABLE processed_events (event_hash char(4) NOT NULL, consumer_name text NOT NULL, processed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (event_hash, consumer_name))",
    "messageId=event_hash consumer=consumer_name processedAt=processed_at",
    "INSERT INTO processed_events VALUES ('aa','c',now())",
    "aa published",
  ),
  // An outcome as a number of unknown meaning.
  stated(
    "CREATE TABLE inbox_outcome (message_id text PRIMARY KEY, message_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz, outcome smallint)",
    "messageId=message_id eventType=message_type receivedAt=received_at processedAt=finished_at",
    "INSERT INTO inbox_outcome (message_id,message_type,finished_at,outcome) VALUES ('a','t',NULL,NULL),('b','t',now(),1),('c','t',now(),2)",
    "a pending|unknown, b published|unknown, c failed|unknown",
  ),
];
