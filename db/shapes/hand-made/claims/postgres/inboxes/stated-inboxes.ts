import { type StatedTable, stated } from "../../../states/stated-table.ts";

/** Inboxes and tables of processed events. Here `failed` and `published` mean that processing failed or ended. */
export const STATED_INBOXES: readonly StatedTable[] = [
  stated(
    `CREATE TABLE "InboxMessages" ("Id" uuid PRIMARY KEY, "Type" text NOT NULL, "Content" text NOT NULL, "ReceivedOnUtc" timestamptz NOT NULL, "ProcessedOnUtc" timestamptz, "Error" text)`,
    "messageId=Id eventType=Type receivedAt=ReceivedOnUtc processedAt=ProcessedOnUtc error=Error",
    `INSERT INTO "InboxMessages" VALUES ('$1','A','{}',now(),NULL,NULL),('$2','A','{}',now(),now(),NULL),('$3','A','{}',now(),NULL,'x')`,
    "$1 pending, $2 published, $3 failed",
  ),
  stated(
    "CREATE TABLE processed_events (event_id uuid NOT NULL, consumer_group text NOT NULL, processed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (event_id, consumer_group))",
    "messageId=event_id consumer=consumer_group processedAt=processed_at",
    "INSERT INTO processed_events VALUES ('$1','g',now()),('$2','g',now())",
    "$1 published, $2 published",
  ),
  stated(
    "CREATE TABLE consumed_messages (message_id varchar(100) PRIMARY KEY, handler varchar(200) NOT NULL, consumed_at timestamp NOT NULL)",
    "messageId=message_id consumer=handler processedAt=consumed_at",
    "INSERT INTO consumed_messages VALUES ('a','h',now()),('b','h',now())",
    "a published, b published",
  ),
  stated(
    "CREATE TABLE bandeja_entrada (id_mensaje uuid PRIMARY KEY, tipo_mensaje varchar(100) NOT NULL, contenido jsonb NOT NULL, consumidor varchar(80) NOT NULL, fecha_recepcion timestamptz NOT NULL DEFAULT now(), fecha_procesado timestamptz, error text)",
    "messageId=id_mensaje eventType=tipo_mensaje consumer=consumidor receivedAt=fecha_recepcion processedAt=fecha_procesado error=error",
    "INSERT INTO bandeja_entrada (id_mensaje,tipo_mensaje,contenido,consumidor,fecha_procesado,error) VALUES ('$1','A','{}','c',NULL,NULL),('$2','A','{}','c',now(),NULL),('$3','A','{}','c',NULL,'x')",
    "$1 pending, $2 published, $3 failed",
  ),
  stated(
    "CREATE TABLE mensagens_processadas (id_mensagem uuid NOT NULL, consumidor varchar(100) NOT NULL, processado_em timestamp NOT NULL, PRIMARY KEY (id_mensagem, consumidor))",
    "messageId=id_mensagem consumer=consumidor processedAt=processado_em",
    "INSERT INTO mensagens_processadas VALUES ('$1','c',now()),('$2','c',now())",
    "$1 published, $2 published",
  ),
  stated(
    "CREATE TABLE verarbeitete_ereignisse (ereignis_id uuid PRIMARY KEY, verbraucher varchar(100) NOT NULL, verarbeitet_am timestamptz NOT NULL)",
    "messageId=ereignis_id consumer=verbraucher processedAt=verarbeitet_am",
    "INSERT INTO verarbeitete_ereignisse VALUES ('$1','c',now()),('$2','c',now())",
    "$1 published, $2 published",
  ),
  stated(
    "CREATE TABLE evenements_traites (id_evenement uuid PRIMARY KEY, consommateur varchar(100) NOT NULL, traite_le timestamptz NOT NULL)",
    "messageId=id_evenement consumer=consommateur processedAt=traite_le",
    "INSERT INTO evenements_traites VALUES ('$1','c',now()),('$2','c',now())",
    "$1 published, $2 published",
  ),
  stated(
    "CREATE TABLE inbox (id uuid PRIMARY KEY, source text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'RECEIVED' CHECK (status IN ('RECEIVED','PROCESSING','PROCESSED','FAILED')), attempts int NOT NULL DEFAULT 0, received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, last_error text)",
    "messageId=id eventType=event_type status?=status receivedAt=received_at processedAt=processed_at error=last_error",
    "INSERT INTO inbox (id,source,event_type,payload,status,processed_at,last_error) VALUES ('$1','s','A','{}','RECEIVED',NULL,NULL),('$2','s','A','{}','PROCESSED',now(),NULL),('$3','s','A','{}','FAILED',NULL,'x')",
    "$1 pending, $2 published, $3 failed",
  ),
  stated(
    `CREATE TABLE "inboxMessage" ("messageId" varchar PRIMARY KEY, "subscriberName" varchar NOT NULL, "eventName" varchar, "receivedAt" timestamptz NOT NULL DEFAULT now(), "handledAt" timestamptz)`,
    "messageId=messageId consumer=subscriberName eventType=eventName receivedAt=receivedAt processedAt=handledAt",
    `INSERT INTO "inboxMessage" VALUES ('a','s','A',now(),NULL),('b','s','A',now(),now())`,
    "a pending, b published",
  ),
  stated(
    "CREATE TABLE kafka_dedup (topic text NOT NULL, partition int NOT NULL, kafka_offset bigint NOT NULL, message_key text, seen_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (topic, partition, kafka_offset))",
    "messageId?=kafka_offset receivedAt?=seen_at processedAt?=seen_at eventType?=topic",
    "INSERT INTO kafka_dedup VALUES ('t',0,1,NULL,now()),('t',0,2,NULL,now())",
    "1 published|pending, 2 published|pending",
  ),
  stated(
    "CREATE TABLE EVT_RECUS (CD_EVT char(36) PRIMARY KEY, CD_CONSO varchar(40) NOT NULL, DH_RECEPTION timestamp NOT NULL, DH_TRAITEMENT timestamp)",
    "messageId=cd_evt consumer=cd_conso receivedAt=dh_reception processedAt=dh_traitement",
    "INSERT INTO EVT_RECUS VALUES ('$1','c',now(),NULL),('$2','c',now(),now())",
    "$1 pending, $2 published",
  ),
  stated(
    "CREATE TABLE inbox_events (id bigserial PRIMARY KEY, event_uuid uuid NOT NULL UNIQUE, event_type text NOT NULL, body jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
    "messageId=event_uuid eventType=event_type processed=processed receivedAt=created_at",
    "INSERT INTO inbox_events (event_uuid,event_type,body,processed) VALUES ('$1','A','{}',false),('$2','A','{}',true)",
    "$1 pending, $2 published",
  ),
  stated(
    "CREATE TABLE verwerkte_berichten (bericht_id uuid PRIMARY KEY, ontvanger varchar(80), verwerkt_op timestamptz NOT NULL)",
    "messageId=bericht_id consumer?=ontvanger processedAt=verwerkt_op",
    "INSERT INTO verwerkte_berichten VALUES ('$1','c',now()),('$2','c',now())",
    "$1 published, $2 published",
  ),
  stated(
    "CREATE TABLE messaggi_ricevuti (id_messaggio uuid PRIMARY KEY, tipo varchar(80) NOT NULL, contenuto jsonb, ricevuto_il timestamptz NOT NULL, elaborato_il timestamptz, errore text)",
    "messageId=id_messaggio eventType=tipo receivedAt=ricevuto_il processedAt=elaborato_il error=errore",
    "INSERT INTO messaggi_ricevuti VALUES ('$1','A','{}',now(),NULL,NULL),('$2','A','{}',now(),now(),NULL),('$3','A','{}',now(),NULL,'x')",
    "$1 pending, $2 published, $3 failed",
  ),
  stated(
    "CREATE TABLE event_dedupe (dedupe_key text NOT NULL, subscription text NOT NULL, first_seen_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (dedupe_key, subscription))",
    "messageId=dedupe_key consumer=subscription receivedAt?=first_seen_at processedAt?=first_seen_at",
    "INSERT INTO event_dedupe VALUES ('a','s',now()),('b','s',now())",
    "a published|pending, b published|pending",
  ),
];
