import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes whose rows ended in several ways, and those that keep the sender's id. */
export const INBOXES_RESULTS_AND_SENDERS: readonly StatedTable[] = [
  stated(
    "CREATE TABLE inbox_messages (id uuid PRIMARY KEY, message_type text NOT NULL, body jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, skip boolean NOT NULL DEFAULT false)",
    "messageId=id eventType=message_type receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_messages VALUES ('$1','a','{}',now(),NULL,false),('$2','a','{}',now(),now(),false),('$3','a','{}',now(),NULL,true)",
    "$1 pending, $2 published, $3 unknown|published",
  ),
  stated(
    "CREATE TABLE inbox (id bigserial PRIMARY KEY, message_id varchar(100) NOT NULL UNIQUE, topic text NOT NULL, payload jsonb NOT NULL, attempts int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 5, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at eventType?=topic",
    "INSERT INTO inbox (message_id,topic,payload,attempts,processed_at) VALUES ('m1','t','{}',0,NULL),('m2','t','{}',2,now()),('m3','t','{}',2,NULL),('m4','t','{}',5,NULL)",
    "m1 pending, m2 published, m3 pending|failed|unknown, m4 failed|unknown|pending",
  ),
  stated(
    "CREATE TABLE inbox (id bigserial PRIMARY KEY, message_id varchar(100) NOT NULL UNIQUE, payload jsonb NOT NULL, locked_by text, locked_until timestamptz, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, failed_at timestamptz, failure_reason text)",
    "messageId=message_id receivedAt=created_at processedAt=processed_at error=failure_reason",
    "INSERT INTO inbox (message_id,payload,locked_by,locked_until,processed_at,failed_at,failure_reason) VALUES ('m1','{}',NULL,NULL,NULL,NULL,NULL),('m2','{}','w',now()+interval '1 m',NULL,NULL,NULL),('m3','{}',NULL,NULL,now(),NULL,NULL),('m4','{}',NULL,NULL,NULL,now(),'x')",
    "m1 pending, m2 pending, m3 published, m4 failed",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, status varchar(12) NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','RETRY','DONE','POISON')), last_error text, received_at timestamptz NOT NULL DEFAULT now(), done_at timestamptz)",
    "messageId=message_id receivedAt=received_at processedAt?=done_at status?=status error?=last_error",
    "INSERT INTO inbox VALUES ('$1','{}','NEW',NULL,now(),NULL),('$2','{}','RETRY','x',now(),NULL),('$3','{}','DONE','x',now(),now()),('$4','{}','POISON','x',now(),NULL)",
    "$1 pending, $2 failed|pending, $3 published, $4 failed",
  ),
  stated(
    "CREATE TABLE inbox_handler_state (message_id uuid NOT NULL, handler_name text NOT NULL, state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending','running','succeeded','failed','skipped')), started_at timestamptz, finished_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (message_id, handler_name))",
    "messageId=message_id consumer=handler_name receivedAt=created_at status?=state processedAt?=finished_at",
    "INSERT INTO inbox_handler_state VALUES ('$1','h','pending',NULL,NULL,now()),('$2','h','running',now(),NULL,now()),('$3','h','succeeded',now(),now(),now()),('$4','h','failed',now(),now(),now()),('$5','h','skipped',NULL,now(),now())",
    "$1 pending, $2 pending, $3 published, $4 failed, $5 unknown|published",
  ),
  stated(
    "CREATE TABLE processed_messages (message_id text NOT NULL, consumer text NOT NULL, started_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz, PRIMARY KEY (message_id, consumer))",
    "messageId=message_id consumer=consumer processedAt=completed_at receivedAt?=started_at",
    "INSERT INTO processed_messages VALUES ('m1','c',now(),NULL),('m2','c',now(),now())",
    "m1 pending, m2 published",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), visible_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, deleted_at timestamptz)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox VALUES ('$1','{}',now(),now(),NULL,NULL),('$2','{}',now(),now()+interval '1 h',NULL,NULL),('$3','{}',now(),now(),now(),NULL),('$4','{}',now(),now(),NULL,now())",
    "$1 pending, $2 pending, $3 published, $4 unknown",
  ),
  stated(
    "CREATE TABLE inbox_message (message_id uuid PRIMARY KEY, message_type text, payload text, in_progress boolean NOT NULL DEFAULT false, processed_at timestamp, created_at timestamp NOT NULL DEFAULT now())",
    "messageId=message_id eventType=message_type receivedAt=created_at processedAt=processed_at",
    "INSERT INTO inbox_message VALUES ('$1','a','{}',false,NULL,now()),('$2','a','{}',true,NULL,now()),('$3','a','{}',false,now(),now())",
    "$1 pending, $2 pending, $3 published",
  ),
  stated(
    "CREATE TABLE t_inbox (msg_id varchar(36) PRIMARY KEY, msg_typ varchar(50) NOT NULL, msg_body text NOT NULL, rcv_ts timestamp NOT NULL DEFAULT now(), proc_flg char(1) NOT NULL DEFAULT 'N', err_flg char(1) NOT NULL DEFAULT 'N', err_txt text)",
    "messageId=msg_id eventType=msg_typ receivedAt=rcv_ts error=err_txt processed?=proc_flg status?=proc_flg",
    "INSERT INTO t_inbox VALUES ('m1','a','b',now(),'N','N',NULL),('m2','a','b',now(),'Y','N',NULL),('m3','a','b',now(),'N','Y','x'),('m4','a','b',now(),'Y','Y','x')",
    "m1 pending, m2 published, m3 failed, m4 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox (id bigserial PRIMARY KEY, message_id uuid NOT NULL UNIQUE, status smallint NOT NULL DEFAULT 0, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
    "messageId=message_id receivedAt=created_at status?=status processedAt?=processed_at",
    "INSERT INTO inbox (message_id,status,payload,processed_at) VALUES ('$1',0,'{}',NULL),('$2',1,'{}',NULL),('$3',2,'{}',now()),('$4',3,'{}',NULL)",
    "$1 pending, $2 pending, $3 published, $4 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox (id bigserial PRIMARY KEY, message_id uuid NOT NULL UNIQUE, status smallint NOT NULL DEFAULT 0, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
    "messageId=message_id receivedAt=created_at status?=status processedAt?=processed_at",
    "INSERT INTO inbox (message_id,status,payload,processed_at) VALUES ('$1',0,'{}',NULL),('$2',1,'{}',now()),('$3',9,'{}',now())",
    "$1 pending, $2 published, $3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), validated boolean NOT NULL DEFAULT false, processed boolean NOT NULL DEFAULT false, rejected boolean NOT NULL DEFAULT false)",
    "messageId=message_id receivedAt=received_at processed=processed",
    "INSERT INTO inbox VALUES ('$1','{}',now(),false,false,false),('$2','{}',now(),true,false,false),('$3','{}',now(),true,true,false),('$4','{}',now(),false,false,true)",
    "$1 pending, $2 pending|unknown, $3 published, $4 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_entries (id uuid PRIMARY KEY, source_message_id text NOT NULL, source_system text NOT NULL, content jsonb NOT NULL, next_attempt_at timestamptz DEFAULT now(), attempt int NOT NULL DEFAULT 0, processed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), UNIQUE (source_system, source_message_id))",
    "messageId=source_message_id receivedAt=created_at processedAt=processed_at",
    "INSERT INTO inbox_entries VALUES ('$1','m1','s','{}',now(),0,NULL,now()),('$2','m2','s','{}',now()+interval '5 m',2,NULL,now()),('$3','m3','s','{}',NULL,5,NULL,now()),('$4','m4','s','{}',NULL,1,now(),now())",
    "m1 pending, m2 pending|failed|unknown, m3 failed|unknown|pending, m4 published",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, aggregate_id uuid NOT NULL, version int NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), applied_at timestamptz, superseded_by uuid)",
    "messageId=message_id receivedAt=received_at processedAt=applied_at",
    "INSERT INTO inbox VALUES ('$1','$9',1,'{}',now(),NULL,NULL),('$2','$9',1,'{}',now(),now(),NULL),('$3','$9',1,'{}',now(),NULL,'$2')",
    "$1 pending, $2 published, $3 unknown",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, outcome text)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at status?=outcome",
    "INSERT INTO inbox VALUES ('$1','{}',now(),NULL,NULL),('$2','{}',now(),now(),'applied'),('$3','{}',now(),now(),'rejected'),('$4','{}',now(),now(),'ignored')",
    "$1 pending, $2 published, $3 failed|unknown, $4 published|unknown",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, moved_to_dlq_at timestamptz)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox VALUES ('$1','{}',now(),NULL,NULL),('$2','{}',now(),now(),NULL),('$3','{}',now(),NULL,now())",
    "$1 pending, $2 published, $3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, errors jsonb NOT NULL DEFAULT '[]')",
    "messageId=message_id receivedAt=received_at processedAt=processed_at error?=errors",
    `INSERT INTO inbox VALUES ('$1','{}',now(),NULL,'[]'),('$2','{}',now(),now(),'[]'),('$3','{}',now(),NULL,'["x"]'),('$4','{}',now(),now(),'["x"]')`,
    "$1 pending, $2 published, $3 failed|pending|unknown, $4 published|failed|unknown",
  ),
  stated(
    "CREATE TABLE boite_reception (id uuid PRIMARY KEY, type_evenement text NOT NULL, contenu jsonb NOT NULL, date_reception timestamptz NOT NULL DEFAULT now(), traite boolean NOT NULL DEFAULT false, ignore boolean NOT NULL DEFAULT false, erreur text)",
    "messageId=id eventType=type_evenement receivedAt=date_reception processed=traite error=erreur",
    "INSERT INTO boite_reception VALUES ('$1','a','{}',now(),false,false,NULL),('$2','a','{}',now(),true,false,NULL),('$3','a','{}',now(),false,true,NULL),('$4','a','{}',now(),false,false,'x')",
    "$1 pending, $2 published, $3 unknown|published, $4 failed",
  ),
  stated(
    "CREATE TABLE inbox (id uuid PRIMARY KEY, dedupe_id text NOT NULL UNIQUE, kind text NOT NULL, payload jsonb NOT NULL, claimed_at timestamptz, claimed_by text, done boolean NOT NULL DEFAULT false, gave_up boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
    "messageId=dedupe_id eventType=kind processed=done receivedAt=created_at",
    "INSERT INTO inbox VALUES ('$1','m1','k','{}',NULL,NULL,false,false,now()),('$2','m2','k','{}',now(),'w',false,false,now()),('$3','m3','k','{}',now(),'w',true,false,now()),('$4','m4','k','{}',now(),'w',false,true,now())",
    "m1 pending, m2 pending, m3 published, m4 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, expected_handlers int NOT NULL, handled_count int NOT NULL DEFAULT 0, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox VALUES ('$1','{}',2,0,now(),NULL),('$2','{}',2,1,now(),NULL),('$3','{}',2,2,now(),now())",
    "$1 pending, $2 pending, $3 published",
  ),
  stated(
    "CREATE TABLE inbox (message_id uuid PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), valid_until timestamptz, processed_at timestamptz)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox VALUES ('$1','{}',now(),NULL,NULL),('$2','{}',now(),now()-interval '1 h',NULL),('$3','{}',now(),now()-interval '1 h',now())",
    "$1 pending, $2 unknown|failed, $3 published",
  ),
];
