import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes with codes, placeholders and answers. */
export const INBOXES_ANSWERS_AND_PLACEHOLDERS: readonly StatedTable[] = [
  stated(
    "CREATE TABLE eingang_nachricht (nachricht_id varchar(64) PRIMARY KEY, quelle varchar(40) NOT NULL, inhalt jsonb, empfangen_am timestamptz NOT NULL DEFAULT now(), verarbeitet_am timestamptz, fehler text)",
    "messageId=nachricht_id source?=quelle payload?=inhalt receivedAt=empfangen_am processedAt=verarbeitet_am error=fehler",
    "INSERT INTO eingang_nachricht (nachricht_id,quelle,verarbeitet_am,fehler) VALUES ('m1','q',NULL,NULL),('m2','q',now(),NULL),('m3','q',NULL,'x')",
    "m1 pending, m2 published, m3 failed",
  ),
  stated(
    "CREATE TABLE inbox_kz (msg_id varchar(64) PRIMARY KEY, kz_verarbeitet char(1) NOT NULL DEFAULT 'N' CHECK (kz_verarbeitet IN ('N','J','F')), eingang_ts timestamp NOT NULL DEFAULT now())",
    "messageId=msg_id status?=kz_verarbeitet receivedAt?=eingang_ts",
    "INSERT INTO inbox_kz (msg_id,kz_verarbeitet) VALUES ('m1','N'),('m2','J'),('m3','F')",
    "m1 pending, m2 published, m3 failed",
  ),
  // Three meanings.
  stated(
    "CREATE TABLE boite_reception (id_message uuid PRIMARY KEY, recu_le timestamptz NOT NULL DEFAULT now(), traite boolean, erreur text)",
    "messageId=id_message receivedAt=recu_le processed?=traite error=erreur",
    "INSERT INTO boite_reception (id_message,traite,erreur) VALUES ('$1',NULL,NULL),('$2',true,NULL),('$3',false,'refus')",
    "$1 pending, $2 published, $3 failed",
  ),
  // A word for duplicates.
  stated(
    "CREATE TABLE mensajes_recibidos (id_mensaje varchar(80) PRIMARY KEY, consumidor varchar(80) NOT NULL, estado varchar(20) NOT NULL DEFAULT 'RECIBIDO', recibido_en timestamptz NOT NULL DEFAULT now(), intentos int NOT NULL DEFAULT 0)",
    "messageId=id_mensaje consumer=consumidor status=estado receivedAt=recibido_en attempts?=intentos",
    "INSERT INTO mensajes_recibidos (id_mensaje,consumidor,estado,intentos) VALUES ('m1','c','RECIBIDO',0),('m2','c','PROCESADO',1),('m3','c','ERROR',3),('m4','c','DUPLICADO',0)",
    "m1 pending, m2 published, m3 failed, m4 unknown",
  ),
  stated(
    "CREATE TABLE inbox_epoch (message_id text PRIMARY KEY, received_ms bigint NOT NULL, processed_ms bigint NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0)",
    "messageId=message_id receivedAt=received_ms processedAt=processed_ms attempts?=attempts",
    "INSERT INTO inbox_epoch VALUES ('m1',1764000000000,0,0),('m2',1764000000000,1764000001000,1),('m3',1764000000000,0,4)",
    "m1 pending, m2 published, m3 failed|pending|unknown",
  ),
  stated(
    "CREATE TABLE inbox_9999 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz NOT NULL DEFAULT '9999-12-31')",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_9999 VALUES ('m1',now(),'9999-12-31'),('m2',now(),now())",
    "m1 pending, m2 published",
  ),
  stated(
    "CREATE TABLE inbox_year1 (message_id text PRIMARY KEY, received_at timestamp NOT NULL DEFAULT now(), handled_at timestamp NOT NULL DEFAULT '0001-01-01')",
    "messageId=message_id receivedAt=received_at processedAt=handled_at",
    "INSERT INTO inbox_year1 VALUES ('m1',now(),'0001-01-01'),('m2',now(),now())",
    "m1 pending, m2 published",
  ),
  // A code of the outcome.
  stated(
    "CREATE TABLE consumed_events (event_id uuid NOT NULL, consumer_group text NOT NULL, outcome_code smallint NOT NULL, consumed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (event_id, consumer_group))",
    "messageId=event_id consumer=consumer_group processedAt?=consumed_at status?=outcome_code",
    "INSERT INTO consumed_events (event_id,consumer_group,outcome_code) VALUES ('$1','g',0),('$2','g',1)",
    "$1 published|unknown, $2 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_locked (message_id text PRIMARY KEY, body jsonb, state text NOT NULL DEFAULT 'NEW' CHECK (state IN ('NEW','CLAIMED','DONE','POISON')), claimed_by text, claimed_until timestamptz, received_at timestamptz NOT NULL DEFAULT now())",
    "messageId=message_id payload?=body status=state receivedAt=received_at",
    "INSERT INTO inbox_locked (message_id,state) VALUES ('m1','NEW'),('m2','CLAIMED'),('m3','DONE'),('m4','POISON')",
    "m1 pending, m2 pending, m3 published, m4 failed",
  ),
  stated(
    "CREATE TABLE inbox_softdel (message_id uuid PRIMARY KEY, handler text NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed boolean NOT NULL DEFAULT false, skipped boolean NOT NULL DEFAULT false, dead boolean NOT NULL DEFAULT false)",
    "messageId=message_id consumer=handler receivedAt=received_at processed=processed",
    "INSERT INTO inbox_softdel (message_id,handler,processed,skipped,dead) VALUES ('$1','h',false,false,false),('$2','h',true,false,false),('$3','h',false,true,false),('$4','h',false,false,true)",
    "$1 pending, $2 published, $3 unknown, $4 failed",
  ),
  stated(
    "CREATE TABLE inbox_rc (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed boolean NOT NULL DEFAULT false, result_code smallint)",
    "messageId?=message_id receivedAt?=received_at",
    "INSERT INTO inbox_rc VALUES ('m1',now(),false,NULL),('m2',now(),true,0),('m3',now(),true,8)",
    "m1 pending|unknown, m2 published|unknown, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_rejected (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, rejete_le timestamptz)",
    "messageId?=message_id receivedAt?=received_at processedAt?=processed_at",
    "INSERT INTO inbox_rejected VALUES ('m1',now(),NULL,NULL),('m2',now(),now(),NULL),('m3',now(),NULL,now())",
    "m1 pending|unknown, m2 published|unknown, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_dead_9999 (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, dead_at timestamptz NOT NULL DEFAULT '9999-12-31')",
    "messageId?=message_id receivedAt?=received_at processedAt?=processed_at",
    "INSERT INTO inbox_dead_9999 VALUES ('m1',now(),NULL,'9999-12-31'),('m2',now(),now(),'9999-12-31'),('m3',now(),NULL,now())",
    "m1 pending, m2 published, m3 failed",
  ),
  stated(
    "CREATE TABLE inbox_bit_pg (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed bit(1) NOT NULL DEFAULT B'0')",
    "messageId?=message_id receivedAt?=received_at status?=processed",
    "INSERT INTO inbox_bit_pg VALUES ('m1',now(),B'0'),('m2',now(),B'1')",
    "m1 pending|unknown, m2 published|unknown",
  ),
  stated(
    "CREATE TABLE inbox_nullstate (message_id text PRIMARY KEY, status text, received_at timestamptz NOT NULL DEFAULT now())",
    "messageId?=message_id receivedAt?=received_at status?=status",
    "INSERT INTO inbox_nullstate VALUES ('m1',NULL,now()),('m2','DONE',now()),('m3','FAILED',now())",
    "m1 pending|unknown, m2 published|unknown, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_uq (consumer text NOT NULL, message_id text NOT NULL, attempts int NOT NULL DEFAULT 0, processed_at timestamptz, UNIQUE (consumer, message_id))",
    "messageId?=message_id consumer?=consumer processedAt?=processed_at",
    "INSERT INTO inbox_uq VALUES ('c','m1',0,NULL),('c','m2',1,now()),('c','m3',-1,NULL)",
    "m1 pending|unknown, m2 published, m3 failed|unknown|pending",
  ),
  stated(
    "CREATE TABLE inbox_ignored (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, ignored_at timestamptz NOT NULL DEFAULT '9999-12-31')",
    "messageId?=message_id receivedAt?=received_at processedAt?=processed_at",
    "INSERT INTO inbox_ignored VALUES ('m1',now(),NULL,'9999-12-31'),('m2',now(),now(),'9999-12-31'),('m3',now(),NULL,now())",
    "m1 pending|unknown, m2 published|unknown, m3 unknown",
  ),
  stated(
    "CREATE TABLE inbox_exit (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz, exit_code int NOT NULL DEFAULT 0)",
    "messageId?=message_id receivedAt?=received_at processedAt?=finished_at",
    "INSERT INTO inbox_exit VALUES ('m1',now(),NULL,0),('m2',now(),now(),0),('m3',now(),now(),1)",
    "m1 pending, m2 published, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE shop_inbox (consumer text NOT NULL, message_id text NOT NULL, processed_at timestamptz NOT NULL DEFAULT now(), success boolean NOT NULL, PRIMARY KEY (consumer, message_id))",
    "messageId?=message_id consumer?=consumer processedAt?=processed_at",
    "INSERT INTO shop_inbox (consumer,message_id,success) VALUES ('c','m1',true),('c','m2',false)",
    "m1 published|unknown, m2 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_codes_c (message_id text PRIMARY KEY, state smallint NOT NULL DEFAULT 0, received_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN inbox_codes_c.state IS '0 received, 1 processed, 2 failed'",
    "messageId?=message_id receivedAt?=received_at status?=state",
    "INSERT INTO inbox_codes_c (message_id,state) VALUES ('m1',0),('m2',1),('m3',2)",
    "m1 pending|unknown, m2 published|unknown, m3 failed|unknown",
  ),
  stated(
    "CREATE TABLE inbox_errc (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, last_error text, error_code text)",
    "messageId?=message_id receivedAt?=received_at processedAt?=processed_at error?=last_error",
    "INSERT INTO inbox_errc (message_id,processed_at,last_error,error_code) VALUES ('m1',NULL,NULL,NULL),('m2',now(),NULL,NULL),('m3',NULL,'x','E1'),('m4',now(),NULL,'0')",
    "m1 pending, m2 published, m3 failed, m4 published|unknown",
  ),
];
