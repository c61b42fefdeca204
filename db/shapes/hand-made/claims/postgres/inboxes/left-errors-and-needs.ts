import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes with an error that is left or final, with what a row needs, and with words that may be of another step. */
export const INBOXES_LEFT_ERRORS_AND_NEEDS: readonly StatedTable[] = [
  stated(
    "CREATE TABLE inbox (message_id text PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, http_status int)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox (message_id,payload,processed_at,http_status) VALUES ('e1','{}',NULL,NULL),('e2','{}',now(),200),('e3','{}',now(),500)",
    "e1 pending, e2 published, e3 failed|unknown",
  ),
  stated(
    "CREATE TABLE caixa_de_entrada (id_evento uuid PRIMARY KEY, tipo varchar(60) NOT NULL, dados jsonb NOT NULL, recebido_em timestamptz NOT NULL DEFAULT now(), situacao varchar(20) NOT NULL DEFAULT 'RECEBIDO')",
    "messageId=id_evento eventType=tipo receivedAt=recebido_em status=situacao",
    "INSERT INTO caixa_de_entrada (id_evento,tipo,dados,situacao) VALUES ('$1','a','{}','RECEBIDO'),('$2','a','{}','PROCESSADO'),('$3','a','{}','ERRO'),('$4','a','{}','IGNORADO')",
    "$1 pending, $2 published, $3 failed, $4 unknown",
  ),
  stated(
    "CREATE TABLE incoming_events (event_id text PRIMARY KEY, consumer_name text NOT NULL, status text NOT NULL DEFAULT 'ACCEPTED', received_at timestamptz NOT NULL DEFAULT now())",
    "messageId=event_id consumer=consumer_name receivedAt=received_at status=status",
    "INSERT INTO incoming_events (event_id,consumer_name,status) VALUES ('e1','c','ACCEPTED'),('e2','c','APPLIED'),('e3','c','REJECTED')",
    "e1 pending, e2 published, e3 unknown|failed",
  ),
  stated(
    "CREATE TABLE inbox_c (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed boolean NOT NULL DEFAULT false, error text)",
    "messageId=message_id receivedAt=received_at processed=processed error=error",
    "INSERT INTO inbox_c (message_id,processed,error) VALUES ('e1',false,NULL),('e2',true,NULL),('e3',true,'x'),('e4',false,'x')",
    "e1 pending, e2 published, e3 failed|unknown, e4 failed",
  ),
  stated(
    "CREATE TABLE inbox_d (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, error text, attempts int NOT NULL DEFAULT 0)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at error=error",
    "INSERT INTO inbox_d (message_id,processed_at,error,attempts) VALUES ('e1',NULL,NULL,0),('e2',now(),NULL,0),('e3',now(),'x',0),('e4',NULL,'x',1),('e5',now(),'x',1)",
    "e1 pending, e2 published, e3 failed|unknown, e4 failed, e5 published|unknown",
  ),
  stated(
    "CREATE TABLE inbox_e (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, error_class text CHECK (error_class IN ('TRANSIENT','PERMANENT')), attempts int NOT NULL DEFAULT 0)",
    "messageId=message_id receivedAt=received_at processedAt=processed_at",
    "INSERT INTO inbox_e (message_id,processed_at,error_class,attempts) VALUES ('e1',NULL,NULL,0),('e2',now(),NULL,1),('e3',NULL,'PERMANENT',1),('e4',NULL,'TRANSIENT',1)",
    "e1 pending, e2 published, e3 failed|unknown, e4 failed|pending",
  ),
  stated(
    "CREATE TABLE inbox_f (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, record_state char(1) NOT NULL DEFAULT 'A')",
    "messageId=message_id receivedAt=received_at processedAt=processed_at status?=record_state",
    "INSERT INTO inbox_f (message_id,processed_at,record_state) VALUES ('e1',NULL,'A'),('e2',now(),'A'),('e3',NULL,'D')",
    "e1 pending|unknown, e2 published|unknown, e3 unknown",
  ),
  stated(
    "CREATE TABLE inbox_b (message_id text PRIMARY KEY, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), ready boolean NOT NULL DEFAULT false, processed boolean NOT NULL DEFAULT false)",
    "messageId=message_id receivedAt=received_at processed=processed",
    "INSERT INTO inbox_b (message_id,payload,ready,processed) VALUES ('e1','{}',true,false),('e2','{}',true,true),('e3','{}',false,false)",
    "e1 pending, e2 published, e3 unknown|pending",
  ),
  stated(
    "CREATE TABLE inbox_g (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','PROCESSED','NOT_PROCESSED')))",
    "messageId=message_id receivedAt=received_at status?=status",
    "INSERT INTO inbox_g (message_id,status) VALUES ('e1','NEW'),('e2','PROCESSED'),('e3','NOT_PROCESSED')",
    "e1 pending|unknown, e2 published|unknown, e3 unknown|failed",
  ),
  stated(
    "CREATE TABLE inbox_h (message_id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'RECEIVED' CHECK (status IN ('RECEIVED','STARTED','COMPLETED','COMPENSATED')))",
    "messageId=message_id receivedAt=received_at status?=status",
    "INSERT INTO inbox_h (message_id,status) VALUES ('e1','RECEIVED'),('e2','STARTED'),('e3','COMPLETED'),('e4','COMPENSATED')",
    "e1 pending|unknown, e2 pending|unknown, e3 published|unknown, e4 unknown",
  ),
  stated(
    "CREATE TABLE inbox_a (message_id text NOT NULL, handler text NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), handled_at timestamptz, dead boolean NOT NULL DEFAULT false, attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz, PRIMARY KEY (message_id, handler))",
    "messageId=message_id consumer=handler receivedAt=received_at processedAt=handled_at",
    "INSERT INTO inbox_a (message_id,handler,handled_at,dead,attempts) VALUES ('e1','h',NULL,false,0),('e2','h',now(),false,1),('e3','h',NULL,true,9)",
    "e1 pending, e2 published, e3 failed",
  ),
];
