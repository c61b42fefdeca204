import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes as teams of several languages and tools write them. */
export const INBOXES_TEAMS: readonly StatedTable[] = [
  stated(
    "CREATE TABLE inbox_messages (message_id uuid NOT NULL, consumer text NOT NULL, processed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (message_id, consumer))",
    "messageId=message_id consumer=consumer processedAt=processed_at",
    "INSERT INTO inbox_messages VALUES ('$1','c',now()),('$2','c',now())",
    "$1 published, $2 published",
  ),
  stated(
    "CREATE TABLE inbox_events (id bigserial PRIMARY KEY, event_id varchar(64) NOT NULL UNIQUE, subject varchar NOT NULL, payload jsonb NOT NULL, status varchar NOT NULL DEFAULT 'received' CHECK (status IN ('received','processing','processed','failed')), last_error text, received_at timestamp, processed_at timestamp)",
    "messageId=event_id eventType?=subject topic?=subject source?=subject status?=status receivedAt=received_at processedAt=processed_at error=last_error",
    "INSERT INTO inbox_events (event_id,subject,payload,status,processed_at,last_error) VALUES ('a','s','{}','received',NULL,NULL),('b','s','{}','processed',now(),NULL),('c','s','{}','failed',NULL,'x')",
    "a pending, b published, c failed",
  ),
  stated(
    `CREATE TABLE "ProcessedEvent" ("eventId" text PRIMARY KEY, "consumerName" text NOT NULL, "processedAt" timestamp(3) NOT NULL DEFAULT now())`,
    "messageId=eventId consumer=consumerName processedAt=processedAt",
    `INSERT INTO "ProcessedEvent" VALUES ('a','c'),('b','c')`,
    "a published, b published",
  ),
  stated(
    "CREATE TABLE mensagens_recebidas (id_mensagem uuid PRIMARY KEY, tipo varchar(60) NOT NULL, conteudo jsonb NOT NULL, recebido_em timestamptz NOT NULL DEFAULT now(), processado_em timestamptz, erro text)",
    "messageId=id_mensagem eventType=tipo receivedAt=recebido_em processedAt=processado_em error=erro",
    "INSERT INTO mensagens_recebidas VALUES ('$1','a','{}',now(),NULL,NULL),('$2','a','{}',now(),now(),NULL),('$3','a','{}',now(),NULL,'x')",
    "$1 pending, $2 published, $3 failed",
  ),
  stated(
    "CREATE TABLE eingang_nachrichten (nachricht_id uuid PRIMARY KEY, typ text NOT NULL, empfangen_am timestamptz NOT NULL DEFAULT now(), verarbeitet boolean NOT NULL DEFAULT false)",
    "messageId=nachricht_id eventType=typ receivedAt=empfangen_am processed=verarbeitet",
    "INSERT INTO eingang_nachrichten VALUES ('$1','a',now(),false),('$2','a',now(),true)",
    "$1 pending, $2 published",
  ),
  stated(
    "CREATE TABLE kafka_inbox (topic text NOT NULL, partition int NOT NULL, kafka_offset bigint NOT NULL, message_id uuid NOT NULL UNIQUE, handled_at timestamptz, PRIMARY KEY (topic, partition, kafka_offset))",
    "messageId=message_id topic?=topic source?=topic processedAt=handled_at",
    "INSERT INTO kafka_inbox VALUES ('t',0,1,'$1',NULL),('t',0,2,'$2',now())",
    "$1 pending, $2 published",
  ),
  stated(
    "CREATE TABLE inbox_state (id bigserial PRIMARY KEY, message_id uuid NOT NULL, handler text NOT NULL, state smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), UNIQUE (message_id, handler))",
    "messageId=message_id consumer=handler receivedAt=created_at status?=state",
    "INSERT INTO inbox_state (message_id,handler,state) VALUES ('$1','h',0),('$2','h',1)",
    "$1 pending|unknown, $2 published|unknown",
  ),
  // A time, and beside it a status that says that processing failed.
  stated(
    "CREATE TABLE mensajes_recibidos (id_mensaje text PRIMARY KEY, tipo text NOT NULL, contenido jsonb, recibido_en timestamptz NOT NULL DEFAULT now(), procesado_en timestamptz, estado text NOT NULL DEFAULT 'RECIBIDO')",
    "messageId=id_mensaje eventType=tipo receivedAt=recibido_en processedAt=procesado_en status?=estado",
    "INSERT INTO mensajes_recibidos VALUES ('a','A','{}',now(),now(),'PROCESADO'),('b','A','{}',now(),NULL,'RECIBIDO'),('c','A','{}',now(),NULL,'ERROR')",
    "a published, b pending, c failed",
  ),
  stated(
    "CREATE TABLE event_dedup (event_key text PRIMARY KEY, handler text NOT NULL, seen_at timestamptz NOT NULL DEFAULT now())",
    "messageId=event_key consumer=handler receivedAt?=seen_at",
    "INSERT INTO event_dedup VALUES ('a','h',now())",
    "a unknown|published",
  ),
  // A word that says neither that it was processed nor that it waits.
  stated(
    "CREATE TABLE inbox_events (event_id uuid PRIMARY KEY, event_type text, body jsonb, status text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
    "messageId=event_id eventType=event_type receivedAt=created_at status=status",
    "INSERT INTO inbox_events (event_id,status) VALUES ('$1','RECEIVED'),('$2','DONE'),('$3','IGNORED')",
    "$1 pending|unknown, $2 published|unknown, $3 unknown",
  ),
  // Every row has a time, and a flag says how it went.
  stated(
    "CREATE TABLE processed_events (event_id uuid PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now(), success boolean NOT NULL DEFAULT true)",
    "messageId=event_id processedAt=processed_at",
    "INSERT INTO processed_events (event_id,success) VALUES ('$1',true),('$2',false)",
    "$1 published, $2 failed",
  ),
  // Consumed from the start, finished later.
  stated(
    "CREATE TABLE consumed_messages (message_id uuid NOT NULL, consumer_id text NOT NULL, consumed_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz, PRIMARY KEY (message_id, consumer_id))",
    "messageId=message_id consumer=consumer_id receivedAt?=consumed_at processedAt=finished_at",
    "INSERT INTO consumed_messages (message_id,consumer_id,finished_at) VALUES ('$1','c',NULL),('$2','c',now())",
    "$1 pending, $2 published",
  ),
  // 0 of a new row, and 1970, are no times of processing.
  stated(
    "CREATE TABLE inbox_messages (message_id text PRIMARY KEY, topic text NOT NULL, received_at bigint NOT NULL, processed_at bigint NOT NULL DEFAULT 0, last_error text)",
    "messageId=message_id receivedAt=received_at error=last_error eventType?=topic",
    "INSERT INTO inbox_messages VALUES ('a','t',1760000000,0,NULL),('b','t',1760000000,1760000001,NULL),('c','t',1760000000,0,'x')",
    "a pending, b published, c failed",
  ),
  stated(
    "CREATE TABLE inbox_events (event_id uuid PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00')",
    "messageId=event_id receivedAt=received_at",
    "INSERT INTO inbox_events VALUES ('$1',now(),DEFAULT),('$2',now(),now())",
    "$1 pending, $2 published",
  ),
  // Received, in Korean and Japanese spellings.
  stated(
    "CREATE TABLE tb_msg_recv_hist (msg_id varchar(40) NOT NULL, recv_svc_cd varchar(20) NOT NULL, recv_dtm timestamp NOT NULL DEFAULT now(), proc_yn char(1) NOT NULL DEFAULT 'N', proc_dtm timestamp, PRIMARY KEY (msg_id, recv_svc_cd))",
    "messageId=msg_id consumer=recv_svc_cd receivedAt=recv_dtm processedAt=proc_dtm status?=proc_yn processed?=proc_yn",
    "INSERT INTO tb_msg_recv_hist (msg_id,recv_svc_cd,proc_yn,proc_dtm) VALUES ('a','s','N',NULL),('b','s','Y',now())",
    "a pending, b published",
  ),
  stated(
    "CREATE TABLE jushin_message (message_id text PRIMARY KEY, message_kbn text NOT NULL, message_naiyo text NOT NULL, shori_flg char(1) NOT NULL DEFAULT '0', jushin_nichiji timestamp NOT NULL DEFAULT now(), shori_nichiji timestamp); COMMENT ON COLUMN jushin_message.shori_flg IS '処理フラグ 0:未処理 1:処理済 2:エラー'",
    "messageId=message_id eventType?=message_kbn receivedAt=jushin_nichiji processedAt=shori_nichiji status=shori_flg",
    "INSERT INTO jushin_message (message_id,message_kbn,message_naiyo,shori_flg,shori_nichiji) VALUES ('a','k','{}','0',NULL),('b','k','{}','1',now()),('c','k','{}','2',NULL)",
    "a pending, b published, c failed",
  ),
];
