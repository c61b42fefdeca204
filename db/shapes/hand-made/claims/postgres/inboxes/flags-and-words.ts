import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes with flags, and words for what was left out. */
export const INBOXES_FLAGS_AND_WORDS: readonly StatedTable[] = [
  stated(
    "CREATE TABLE inbox_k1 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','HANDLED','SKIPPED','FAILED')))",
    "messageId=message_id receivedAt=received_at status=status",
    "INSERT INTO inbox_k1 (message_id,status) VALUES ('m1','NEW'),('m2','HANDLED'),('m3','SKIPPED'),('m4','FAILED')",
    "m1 pending, m2 published, m3 unknown, m4 failed",
  ),
  stated(
    "CREATE TABLE inbox_k2 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed char(1) NOT NULL DEFAULT 'N', deleted char(1) NOT NULL DEFAULT 'N')",
    "messageId=message_id receivedAt=received_at status=processed",
    "INSERT INTO inbox_k2 (message_id,processed,deleted) VALUES ('m1','N','N'),('m2','Y','N'),('m3','N','Y')",
    "m1 pending, m2 published, m3 unknown",
  ),
  stated(
    "CREATE TABLE inbox_k3 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), handled smallint NOT NULL DEFAULT 0, dead smallint NOT NULL DEFAULT 0)",
    "messageId=message_id receivedAt=received_at",
    "INSERT INTO inbox_k3 (message_id,handled,dead) VALUES ('m1',0,0),('m2',1,0),('m3',0,1)",
    "m1 pending, m2 published, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_k4 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, rejected boolean NOT NULL DEFAULT false)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_k4 (message_id,processed_at,rejected) VALUES ('m1',NULL,false),('m2',now(),false),('m3',NULL,true),('m4',now(),true)",
    "m1 pending, m2 published, m3 unknown|failed, m4 unknown|failed",
  ),
  stated(
    "CREATE TABLE inbox_k5 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, frozen boolean NOT NULL DEFAULT false)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_k5 (message_id,processed_at,frozen) VALUES ('m1',NULL,false),('m2',now(),false),('m3',NULL,true)",
    "m1 pending, m2 published, m3 unknown|pending",
  ),
  stated(
    "CREATE TABLE handled_commands (message_id text PRIMARY KEY, handler text NOT NULL, handled_at timestamptz NOT NULL DEFAULT now())",
    "messageId=message_id consumer=handler processedAt=handled_at",
    "INSERT INTO handled_commands (message_id,handler) VALUES ('m1','c')",
    "m1 published",
  ),
  stated(
    "CREATE TABLE inbox_k6 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed boolean NOT NULL DEFAULT false, error text)",
    "messageId=message_id receivedAt=received_at error=error processed=processed",
    "INSERT INTO inbox_k6 (message_id,processed,error) VALUES ('m1',false,NULL),('m2',true,NULL),('m3',false,'x')",
    "m1 pending, m2 published, m3 failed",
  ),
  stated(
    "CREATE TABLE inbox_p1 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, withheld boolean NOT NULL DEFAULT false)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_p1 (message_id,processed_at,withheld) VALUES ('m1',NULL,false),('m2',now(),false),('m3',NULL,true)",
    "m1 pending, m2 published, m3 unknown|pending",
  ),
  stated(
    "CREATE TABLE inbox_p2 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), status char(1) NOT NULL DEFAULT 'R')",
    "messageId=message_id receivedAt=received_at",
    "INSERT INTO inbox_p2 (message_id,status) VALUES ('m1','R'),('m2','P'),('m3','F')",
    "m1 pending|unknown, m2 published|unknown, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_p3 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), stato text NOT NULL DEFAULT 'RICEVUTO')",
    "messageId=message_id receivedAt=received_at status=stato",
    "INSERT INTO inbox_p3 (message_id,stato) VALUES ('m1','RICEVUTO'),('m2','ELABORATO'),('m3','ERRORE')",
    "m1 pending, m2 published, m3 failed",
  ),
  stated(
    "CREATE TABLE inbox_p4 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed int NOT NULL DEFAULT 0, retry_count int NOT NULL DEFAULT 0)",
    "messageId=message_id receivedAt=received_at status=processed",
    "INSERT INTO inbox_p4 (message_id,processed,retry_count) VALUES ('m1',0,0),('m2',1,0),('m3',0,3)",
    "m1 pending, m2 published, m3 pending|failed",
  ),
  stated(
    "CREATE TABLE inbox_p5 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), done boolean NOT NULL DEFAULT false, ignored boolean NOT NULL DEFAULT false, error boolean NOT NULL DEFAULT false)",
    "messageId=message_id receivedAt=received_at processed=done",
    "INSERT INTO inbox_p5 (message_id,done,ignored,error) VALUES ('m1',false,false,false),('m2',true,false,false),('m3',false,true,false),('m4',false,false,true)",
    "m1 pending, m2 published, m3 unknown, m4 failed",
  ),
];
