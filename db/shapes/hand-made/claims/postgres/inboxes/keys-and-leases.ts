import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes by their keys, leases and languages. */
export const INBOXES_KEYS_AND_LEASES: readonly StatedTable[] = [
  stated(
    "CREATE TABLE inbox (message_id uuid NOT NULL, consumer_group text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'RECEIVED' CHECK (status IN ('RECEIVED','PROCESSING','DONE','ERROR')), lease_until timestamptz, attempts int NOT NULL DEFAULT 0, received_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (message_id, consumer_group))",
    "messageId=message_id consumer=consumer_group eventType=event_type status=status receivedAt=received_at",
    "INSERT INTO inbox (message_id,consumer_group,event_type,payload,status,lease_until,attempts) VALUES ('$1','g','a','{}','RECEIVED',NULL,0),('$2','g','a','{}','PROCESSING',now()+interval '1 h',1),('$3','g','a','{}','DONE',NULL,1),('$4','g','a','{}','ERROR',NULL,5)",
    "$1 pending, $2 pending, $3 published, $4 failed",
  ),
  // A hash stands for the id.
  stated(
    "CREATE TABLE processed_message_hashes (message_hash bytea PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now())",
    "messageId=message_hash processedAt?=processed_at receivedAt?=processed_at",
    "INSERT INTO processed_message_hashes VALUES ('\\x01',now()),('\\x02',now())",
    "\\x01 published, \\x02 published",
  ),
  // Without times.
  stated(
    "CREATE TABLE consumed_events (event_id uuid NOT NULL, consumer text NOT NULL, PRIMARY KEY (event_id, consumer))",
    "messageId=event_id consumer=consumer",
    "INSERT INTO consumed_events VALUES ('$1','c'),('$2','c')",
    "$1 published|unknown, $2 published|unknown",
  ),
  stated(
    "CREATE TABLE inbox_messages (message_id text NOT NULL, received_day date NOT NULL DEFAULT current_date, body jsonb NOT NULL, handled boolean NOT NULL DEFAULT false, PRIMARY KEY (message_id, received_day)) PARTITION BY RANGE (received_day); CREATE TABLE inbox_messages_all PARTITION OF inbox_messages DEFAULT",
    "messageId=message_id processed=handled receivedAt?=received_day",
    "INSERT INTO inbox_messages (message_id,body,handled) VALUES ('m1','{}',false),('m2','{}',true)",
    "m1 pending, m2 published",
  ),
  stated(
    "CREATE TABLE empfangene_nachrichten (nachricht_id uuid PRIMARY KEY, nachrichtentyp text NOT NULL, inhalt jsonb NOT NULL, empfangen_am timestamptz NOT NULL DEFAULT now(), verarbeitet_am timestamptz, fehlertext text)",
    "messageId=nachricht_id eventType=nachrichtentyp receivedAt=empfangen_am processedAt=verarbeitet_am error=fehlertext",
    "INSERT INTO empfangene_nachrichten (nachricht_id,nachrichtentyp,inhalt,verarbeitet_am,fehlertext) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),NULL),('$3','a','{}',NULL,'x')",
    "$1 pending, $2 published, $3 failed",
  ),
  // Null for not yet, false for refused.
  stated(
    "CREATE TABLE inbox_tri (message_id text PRIMARY KEY, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), processed boolean)",
    "messageId=message_id receivedAt=received_at processed=processed",
    "INSERT INTO inbox_tri (message_id,payload,processed) VALUES ('m1','{}',NULL),('m2','{}',true),('m3','{}',false)",
    "m1 pending, m2 published, m3 failed",
  ),
  stated(
    "CREATE TYPE inbox_state AS ENUM ('RECEIVED','HANDLED','FAILED','POISON'); CREATE TABLE incoming_inbox (id bigserial PRIMARY KEY, message_id uuid NOT NULL UNIQUE, payload jsonb NOT NULL, state inbox_state NOT NULL DEFAULT 'RECEIVED', received_at timestamptz NOT NULL DEFAULT now(), error text)",
    "messageId=message_id status=state receivedAt=received_at error=error",
    "INSERT INTO incoming_inbox (message_id,payload,state,error) VALUES ('$1','{}','RECEIVED',NULL),('$2','{}','HANDLED',NULL),('$3','{}','FAILED','x'),('$4','{}','POISON','x')",
    "$1 pending, $2 published, $3 failed, $4 failed",
  ),
  stated(
    "CREATE TABLE messages_traites (id_message uuid PRIMARY KEY, consommateur text NOT NULL, traite_le timestamptz NOT NULL DEFAULT now())",
    "messageId=id_message consumer=consommateur processedAt?=traite_le receivedAt?=traite_le",
    "INSERT INTO messages_traites (id_message,consommateur) VALUES ('$1','c')",
    "$1 published",
  ),
  stated(
    "CREATE TABLE islenen_mesajlar (mesaj_kimlik uuid PRIMARY KEY, tuketici text NOT NULL, islenme_zamani timestamptz NOT NULL DEFAULT now())",
    "messageId=mesaj_kimlik consumer=tuketici processedAt?=islenme_zamani receivedAt?=islenme_zamani",
    "INSERT INTO islenen_mesajlar (mesaj_kimlik,tuketici) VALUES ('$1','c')",
    "$1 published",
  ),
  // A receipt with the handler's answer.
  stated(
    "CREATE TABLE processed_messages (message_id uuid PRIMARY KEY, handled_at timestamptz NOT NULL DEFAULT now(), result text NOT NULL CHECK (result IN ('OK','REJECTED','ERROR')))",
    "messageId=message_id processedAt?=handled_at receivedAt?=handled_at status?=result",
    "INSERT INTO processed_messages (message_id,result) VALUES ('$1','OK'),('$2','REJECTED'),('$3','ERROR')",
    "$1 published, $2 unknown|failed, $3 failed|unknown",
  ),
  // A claim's time and the time that it was done.
  stated(
    "CREATE TABLE event_inbox (event_id text PRIMARY KEY, source text NOT NULL, payload bytea NOT NULL, claimed_at timestamptz, completed_at timestamptz, gave_up_at timestamptz, tries smallint NOT NULL DEFAULT 0, inserted_at timestamptz NOT NULL DEFAULT now())",
    "messageId=event_id receivedAt=inserted_at processedAt=completed_at",
    "INSERT INTO event_inbox (event_id,source,payload,claimed_at,completed_at,gave_up_at,tries) VALUES ('e1','s','x',NULL,NULL,NULL,0),('e2','s','x',now(),NULL,NULL,1),('e3','s','x',now(),now(),NULL,1),('e4','s','x',now(),NULL,now(),9)",
    "e1 pending, e2 pending, e3 published, e4 failed",
  ),
  // A lifetime, after which the key may come again.
  stated(
    "CREATE TABLE message_dedup (message_key text NOT NULL, handler text NOT NULL, first_seen timestamptz NOT NULL DEFAULT now(), ttl_until timestamptz NOT NULL, PRIMARY KEY (handler, message_key))",
    "messageId=message_key consumer=handler receivedAt=first_seen",
    "INSERT INTO message_dedup (message_key,handler,ttl_until) VALUES ('k1','h',now()+interval '1 d'),('k2','h',now()-interval '1 d')",
    "k1 published|unknown, k2 published|unknown",
  ),
  stated(
    `CREATE TABLE "InboxMessages" ("MessageId" uuid NOT NULL, "HandlerName" text NOT NULL, "Payload" jsonb, "ReceivedOnUtc" timestamptz NOT NULL DEFAULT now(), "HandledOnUtc" timestamptz, "FailedOnUtc" timestamptz, "FailureReason" text, PRIMARY KEY ("MessageId","HandlerName"))`,
    "messageId=MessageId consumer=HandlerName receivedAt=ReceivedOnUtc processedAt=HandledOnUtc error=FailureReason",
    `INSERT INTO "InboxMessages" ("MessageId","HandlerName","HandledOnUtc","FailedOnUtc","FailureReason") VALUES ('$1','h',NULL,NULL,NULL),('$2','h',now(),NULL,NULL),('$3','h',NULL,now(),'x'),('$4','h',now(),now()-interval '1 h','x')`,
    "$1 pending, $2 published, $3 failed, $4 published",
  ),
  // The step of a saga's reader, by words.
  stated(
    "CREATE TABLE bandeja_entrada (id bigserial PRIMARY KEY, id_mensaje uuid NOT NULL UNIQUE, tipo text NOT NULL, contenido jsonb NOT NULL, estado text NOT NULL DEFAULT 'RECIBIDO' CHECK (estado IN ('RECIBIDO','EN_PROCESO','PROCESADO','FALLIDO')), fecha_recepcion timestamptz NOT NULL DEFAULT now())",
    "messageId=id_mensaje eventType=tipo status=estado receivedAt=fecha_recepcion",
    "INSERT INTO bandeja_entrada (id_mensaje,tipo,contenido,estado) VALUES ('$1','a','{}','RECIBIDO'),('$2','a','{}','EN_PROCESO'),('$3','a','{}','PROCESADO'),('$4','a','{}','FALLIDO')",
    "$1 pending, $2 pending, $3 published, $4 failed",
  ),
];
