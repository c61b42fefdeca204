import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes of MySQL and MariaDB, each with the rows that its own relay would take. */
export const CLAIMED_MYSQL_TEAMS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE outbox_events (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_type varchar(50) NOT NULL, aggregate_id bigint unsigned NOT NULL, event_type varchar(50) NOT NULL, payload json NOT NULL, status enum('PENDING','PROCESSING','COMPLETED','FAILED','DEAD') NOT NULL DEFAULT 'PENDING', retry_count int unsigned NOT NULL DEFAULT 0, scheduled_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, processed_at datetime NULL, error_message varchar(500) NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=payload status=status attempts=retry_count availableAt=scheduled_at publishedAt=processed_at lastError=error_message createdAt=created_at order?=id",
      "INSERT INTO outbox_events (aggregate_type,aggregate_id,event_type,payload,status,retry_count,scheduled_at,processed_at) VALUES ('o',1,'a','{}','PENDING',0,UTC_TIMESTAMP(),NULL),('o',1,'a','{}','COMPLETED',0,UTC_TIMESTAMP(),UTC_TIMESTAMP()),('o',1,'a','{}','FAILED',2,UTC_TIMESTAMP() + INTERVAL 1 HOUR,NULL),('o',1,'a','{}','DEAD',9,UTC_TIMESTAMP(),NULL),('o',1,'a','{}','PROCESSING',0,UTC_TIMESTAMP(),NULL)",
      "1 pending, 2 published, 3 failed, 4 dead, 5 in_flight",
    ),
    "SELECT id FROM outbox_events WHERE status IN ('PENDING','FAILED') AND scheduled_at <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id char(36) NOT NULL PRIMARY KEY, topic varchar(200) NOT NULL, message_key varchar(200), payload longblob NOT NULL, processed tinyint(1) NOT NULL DEFAULT 0, processed_at datetime(6) NULL, failed tinyint(1) NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id topic=topic aggregateId=message_key payload=payload publishedAt=processed_at attempts=attempts createdAt=created_at",
      "INSERT INTO outbox_messages (id,topic,payload,processed,processed_at,failed,attempts) VALUES ('$1','t','x',0,NULL,0,0),('$2','t','x',1,UTC_TIMESTAMP(6),0,0),('$3','t','x',0,NULL,0,2),('$4','t','x',0,NULL,1,5)",
      "$1 pending, $2 published, $3 failed, $4 failed|dead",
    ),
    "SELECT id FROM outbox_messages WHERE processed = 0 AND failed = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE T_OUTBOX (ID bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, EVT_TYP varchar(50) NOT NULL, PAYLOAD longtext NOT NULL, STS char(1) NOT NULL DEFAULT 'N', CRE_DTTM datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, SND_DTTM datetime NULL, RTRY_CNT int NOT NULL DEFAULT 0, ERR_MSG varchar(2000))",
      "id=ID eventType=EVT_TYP payload=PAYLOAD createdAt=CRE_DTTM publishedAt=SND_DTTM attempts=RTRY_CNT lastError=ERR_MSG status=STS order?=ID",
      "INSERT INTO T_OUTBOX (EVT_TYP,PAYLOAD,STS,SND_DTTM,RTRY_CNT) VALUES ('a','x','N',NULL,0),('a','x','Y',UTC_TIMESTAMP(),0),('a','x','E',NULL,3)",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT ID FROM T_OUTBOX WHERE STS = 'N'",
  ),
  claimed(
    stated(
      "CREATE TABLE mq_outbox (id binary(16) NOT NULL PRIMARY KEY, event_name varchar(100) NOT NULL, event_body json NOT NULL, sent_at bigint NULL, created_at bigint NOT NULL, fail_reason text)",
      "id=id eventType=event_name payload=event_body publishedAt=sent_at createdAt=created_at lastError=fail_reason",
      "INSERT INTO mq_outbox VALUES (UNHEX('00000000000000000000000000000001'),'a','{}',NULL,1767225600000,NULL),(UNHEX('00000000000000000000000000000002'),'a','{}',1767225700000,1767225600000,NULL)",
      "00000000-0000-0000-0000-000000000001 pending, 00000000-0000-0000-0000-000000000002 published",
    ),
    "SELECT LOWER(HEX(id)) FROM mq_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE domain_event_outbox (event_id varchar(36) NOT NULL PRIMARY KEY, occurred_on datetime(6) NOT NULL, event_type varchar(255) NOT NULL, event_body text NOT NULL, published_on datetime(6) NULL, is_dead bit(1) NOT NULL DEFAULT b'0', attempts smallint NOT NULL DEFAULT 0)",
      "id=event_id createdAt=occurred_on eventType=event_type payload=event_body publishedAt=published_on attempts=attempts",
      "INSERT INTO domain_event_outbox VALUES ('$1',UTC_TIMESTAMP(6),'a','{}',NULL,b'0',0),('$2',UTC_TIMESTAMP(6),'a','{}',UTC_TIMESTAMP(6),b'0',0),('$3',UTC_TIMESTAMP(6),'a','{}',NULL,b'0',3),('$4',UTC_TIMESTAMP(6),'a','{}',NULL,b'1',9)",
      "$1 pending, $2 published, $3 failed, $4 dead|unknown",
    ),
    "SELECT event_id FROM domain_event_outbox WHERE published_on IS NULL AND is_dead = b'0'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_laporan (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, jenis enum('a','b') NOT NULL, payload json NOT NULL, ref_id varchar(100) NOT NULL UNIQUE, status enum('pending','sent','failed','duplicate') NOT NULL DEFAULT 'pending', attempts int unsigned NOT NULL DEFAULT 0, error varchar(255) NULL, created_at timestamp NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType?=jenis payload=payload status=status attempts=attempts lastError=error createdAt=created_at order?=id",
      "INSERT INTO outbox_laporan (jenis,payload,ref_id,status,attempts) VALUES ('a','{}','r1','pending',0),('a','{}','r2','sent',1),('a','{}','r3','failed',3),('a','{}','r4','duplicate',1)",
      "1 pending, 2 published, 3 failed|dead, 4 unknown|published|dead",
    ),
    "SELECT id FROM outbox_laporan WHERE status = 'pending'",
  ),
  claimed(
    stated(
      "CREATE TABLE bandeja_salida (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, tipo varchar(80) NOT NULL, datos json NOT NULL, publicado tinyint(1) NOT NULL DEFAULT 0, fecha_publicacion datetime NULL, fecha_creacion datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, intentos int NOT NULL DEFAULT 0)",
      "id=id eventType=tipo payload=datos publishedAt=fecha_publicacion createdAt=fecha_creacion attempts=intentos order?=id",
      "INSERT INTO bandeja_salida (tipo,datos,publicado,fecha_publicacion,intentos) VALUES ('a','{}',0,NULL,0),('a','{}',1,UTC_TIMESTAMP(),0),('a','{}',0,NULL,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM bandeja_salida WHERE publicado = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE `OutboxMessages` (`Id` char(36) NOT NULL PRIMARY KEY, `OccurredOnUtc` datetime(6) NOT NULL, `Type` longtext NOT NULL, `Content` longtext NOT NULL, `ProcessedOnUtc` datetime(6) NULL, `Error` longtext NULL)",
      "id=Id createdAt=OccurredOnUtc eventType=Type payload=Content publishedAt=ProcessedOnUtc lastError=Error",
      "INSERT INTO `OutboxMessages` VALUES ('$1',UTC_TIMESTAMP(6),'a','{}',NULL,NULL),('$2',UTC_TIMESTAMP(6),'a','{}',UTC_TIMESTAMP(6),NULL),('$3',UTC_TIMESTAMP(6),'a','{}',UTC_TIMESTAMP(6),'x')",
      "$1 pending, $2 published, $3 failed|dead|unknown",
    ),
    "SELECT `Id` FROM `OutboxMessages` WHERE `ProcessedOnUtc` IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE relay_outbox (uuid char(36) NOT NULL PRIMARY KEY, type varchar(120) NOT NULL, body mediumblob NOT NULL, recorded_on datetime(3) NOT NULL, relayed_on datetime(3) NULL, locked_by varchar(60) NULL, locked_at datetime(3) NULL, tries_left tinyint NOT NULL DEFAULT 3)",
      "id=uuid eventType=type payload=body createdAt=recorded_on publishedAt=relayed_on lockedBy=locked_by",
      "INSERT INTO relay_outbox VALUES ('$1','a','x',UTC_TIMESTAMP(3),NULL,NULL,NULL,3),('$2','a','x',UTC_TIMESTAMP(3),UTC_TIMESTAMP(3),NULL,NULL,3),('$3','a','x',UTC_TIMESTAMP(3),NULL,NULL,NULL,1),('$4','a','x',UTC_TIMESTAMP(3),NULL,'w',UTC_TIMESTAMP(3),3),('$5','a','x',UTC_TIMESTAMP(3),NULL,NULL,NULL,0)",
      "$1 pending, $2 published, $3 failed, $4 in_flight, $5 dead",
    ),
    "SELECT uuid FROM relay_outbox WHERE relayed_on IS NULL AND locked_by IS NULL AND tries_left > 0",
  ),
  claimed(
    stated(
      "CREATE TABLE open_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(80) NOT NULL, payload json NOT NULL, status enum('open','closed','sent') NOT NULL DEFAULT 'open', retries_left tinyint NOT NULL DEFAULT 3, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO open_outbox (event_type,payload,status,retries_left) VALUES ('a','{}','open',3),('a','{}','sent',2),('a','{}','open',1),('a','{}','open',0)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM open_outbox WHERE status = 'open' AND retries_left > 0",
  ),
  // The word of a new row says that it is being sent; in MySQL "sending" is the same word.
  claimed(
    stated(
      "CREATE TABLE tx_messages (msg_id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, routing_key varchar(100) NOT NULL, msg_content json NOT NULL, msg_state varchar(16) NOT NULL DEFAULT 'SENDING', retry_count int NOT NULL DEFAULT 0, create_time datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=msg_id topic=routing_key payload=msg_content status=msg_state attempts=retry_count createdAt=create_time order?=msg_id",
      "INSERT INTO tx_messages (routing_key,msg_content,msg_state,retry_count) VALUES ('k','{}','SENDING',0),('k','{}','SUCCESS',0),('k','{}','SENDING',2),('k','{}','FAILURE',3)",
      "1 pending, 2 published, 3 failed, 4 failed|dead",
    ),
    "SELECT msg_id FROM tx_messages WHERE msg_state = 'SENDING'",
  ),
  // Codes in a tiny number, and times in milliseconds.
  claimed(
    stated(
      "CREATE TABLE message_outbox (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, task_type varchar(32) NOT NULL, conversation_id varchar(64) NOT NULL, msg_id bigint unsigned NOT NULL, payload text NOT NULL, status tinyint NOT NULL DEFAULT 0, retry_count int NOT NULL DEFAULT 0, max_retries int NOT NULL DEFAULT 5, next_retry_at bigint NOT NULL DEFAULT 0, created_at bigint NOT NULL, updated_at bigint NOT NULL, last_error text, INDEX idx_status_retry (status, next_retry_at))",
      "id=id payload=payload status=status attempts=retry_count availableAt=next_retry_at createdAt=created_at lastError=last_error order?=id eventType?=task_type aggregateId?=conversation_id",
      "INSERT INTO message_outbox (task_type,conversation_id,msg_id,payload,status,retry_count,created_at,updated_at) VALUES ('t','c',1,'{}',0,0,1767225600000,1767225600000),('t','c',2,'{}',1,0,1767225600000,1767225600000),('t','c',3,'{}',2,5,1767225600000,1767225600000)",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM message_outbox WHERE status = 0",
  ),
  // Sent, arrived wrongly, and arrived.
  claimed(
    stated(
      "CREATE TABLE mq_outbox (message_id char(32) NOT NULL, content text, to_exchange varchar(255), routing_key varchar(255), class_type varchar(255), message_status int DEFAULT 0, create_time datetime, update_time datetime, PRIMARY KEY (message_id))",
      "id=message_id payload=content topic=routing_key status=message_status createdAt=create_time eventType?=class_type",
      "INSERT INTO mq_outbox VALUES ('a','{}','e','r','c',0,now(),now()),('b','{}','e','r','c',1,now(),now()),('c','{}','e','r','c',2,now(),now()),('d','{}','e','r','c',3,now(),now())",
      "a pending|unknown, b in_flight|unknown, c failed|unknown, d published|unknown",
    ),
    "SELECT message_id FROM mq_outbox WHERE message_status IN (0, 2)",
  ),
  // An answer confirms what was sent.
  claimed(
    stated(
      "CREATE TABLE integration_events (id varchar(36) PRIMARY KEY, type varchar(100) NOT NULL, payload json NOT NULL, target_system varchar(100), status enum('pending','sent','acknowledged','failed') DEFAULT 'pending', created_at timestamp DEFAULT CURRENT_TIMESTAMP, processed_at timestamp NULL, retry_count int DEFAULT 0, max_retries int DEFAULT 3, error_message text)",
      "id=id eventType=type payload=payload status=status createdAt=created_at publishedAt?=processed_at attempts=retry_count lastError=error_message topic?=target_system",
      "INSERT INTO integration_events (id,type,payload,status,retry_count,processed_at) VALUES ('a','t','{}','pending',0,NULL),('b','t','{}','sent',0,NULL),('c','t','{}','acknowledged',0,now()),('d','t','{}','failed',3,NULL)",
      "a pending, b in_flight|unknown|published, c published, d failed|dead",
    ),
    "SELECT id FROM integration_events WHERE status = 'pending' AND retry_count < max_retries",
  ),
  // Spanish, by an enum.
  claimed(
    stated(
      "CREATE TABLE eventos_pendientes (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, tipo varchar(100) NOT NULL, entidad_tipo varchar(50) NOT NULL, entidad_id bigint unsigned NOT NULL, payload json NOT NULL, estado enum('pendiente','procesando','enviado','fallido') NOT NULL DEFAULT 'pendiente', intentos int unsigned NOT NULL DEFAULT 0, proximo_intento_en datetime NULL, ultimo_error text NULL, creado_en datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, actualizado_en datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=tipo aggregateType=entidad_tipo aggregateId=entidad_id payload=payload status=estado attempts=intentos availableAt=proximo_intento_en lastError=ultimo_error createdAt=creado_en order?=id",
      "INSERT INTO eventos_pendientes (tipo,entidad_tipo,entidad_id,payload,estado,intentos) VALUES ('t','e',1,'{}','pendiente',0),('t','e',1,'{}','procesando',1),('t','e',1,'{}','enviado',1),('t','e',1,'{}','fallido',5)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM eventos_pendientes WHERE estado = 'pendiente'",
  ),
  // The first try counts, an inactive row is left, and a flag stands beside its time.
  claimed(
    stated(
      "CREATE TABLE outbox_message (id bigint AUTO_INCREMENT PRIMARY KEY, topic varchar(100) NOT NULL, payload json NOT NULL, is_published tinyint(1) NOT NULL DEFAULT 0, published_at datetime NULL, attempt int NOT NULL DEFAULT 1, is_active tinyint(1) NOT NULL DEFAULT 1, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id topic=topic payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO outbox_message (topic,payload,is_published,published_at,attempt,is_active) VALUES ('t','{}',0,NULL,1,1),('t','{}',1,now(),1,1),('t','{}',0,NULL,3,1),('t','{}',1,NULL,1,1),('t','{}',0,NULL,1,0)",
      "1 pending, 2 published, 3 failed, 4 unknown, 5 unknown",
    ),
    "SELECT id FROM outbox_message WHERE is_published = 0 AND is_active = 1",
  ),
  // A flag that is true while a row waits.
  claimed(
    stated(
      "CREATE TABLE outbox_waiting (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, is_pending tinyint(1) NOT NULL DEFAULT 1, attempts int NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=is_pending attempts=attempts order?=id",
      "INSERT INTO outbox_waiting (event_type,payload,is_pending,attempts) VALUES ('a','{}',1,0),('a','{}',0,1),('a','{}',1,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_waiting WHERE is_pending = 1",
  ),
  // A flag's type with a third value.
  claimed(
    stated(
      "CREATE TABLE outbox_digits (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, sent tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO outbox_digits (event_type,payload,sent) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 unknown, 2 unknown, 3 unknown",
    ),
    "SELECT id FROM outbox_digits WHERE sent = 0",
  ),
  // A status that the database computes, and a check of two columns.
  claimed(
    stated(
      "CREATE TABLE outbox_computed (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, sent_at datetime(6) NULL, status varchar(10) AS (IF(sent_at IS NULL, 'PENDING', 'SENT')) STORED, kind varchar(10) NOT NULL DEFAULT 'x', attempts int NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), CHECK (kind IN ('x','y') OR attempts IN (7)))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=attempts order?=id",
      "INSERT INTO outbox_computed (event_type,payload,sent_at,attempts) VALUES ('a','{}',NULL,0),('a','{}',UTC_TIMESTAMP(6),1),('a','{}',NULL,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_computed WHERE sent_at IS NULL",
  ),
  // A new row has a time that is none, a due time that is computed, and no error in a document that is never null.
  claimed(
    stated(
      "CREATE TABLE outbox_epoch (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, attempts int NOT NULL DEFAULT 0, errors json NOT NULL DEFAULT (json_array()), delay_seconds int NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), available_at datetime(6) AS (created_at + INTERVAL delay_seconds SECOND) STORED, sent_at datetime NOT NULL DEFAULT '1970-01-01 00:00:00')",
      "id=id eventType=event_type payload=payload attempts=attempts lastError=errors createdAt=created_at availableAt=available_at publishedAt=sent_at order?=id",
      "INSERT INTO outbox_epoch (event_type,payload,attempts) VALUES ('a','{}',0); INSERT INTO outbox_epoch (event_type,payload,attempts,sent_at) VALUES ('a','{}',1,UTC_TIMESTAMP()); INSERT INTO outbox_epoch (event_type,payload,attempts) VALUES ('a','{}',2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_epoch WHERE sent_at = '1970-01-01' AND available_at <= {now}",
  ),
  // A new row has a due time; one that was tried and has none was given up.
  claimed(
    stated(
      "CREATE TABLE TB_FILA_SAIDA (ID_MENSAGEM bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, DS_TIPO varchar(60) NOT NULL, DS_CONTEUDO longtext NOT NULL, CD_STATUS varchar(10) NOT NULL DEFAULT 'PENDENTE', QT_TENTATIVAS int NOT NULL DEFAULT 0, DT_PROXIMA_TENTATIVA datetime NULL DEFAULT CURRENT_TIMESTAMP, DT_INCLUSAO datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=ID_MENSAGEM eventType=DS_TIPO payload=DS_CONTEUDO status=CD_STATUS attempts=QT_TENTATIVAS availableAt=DT_PROXIMA_TENTATIVA createdAt=DT_INCLUSAO order?=ID_MENSAGEM",
      "INSERT INTO TB_FILA_SAIDA (DS_TIPO,DS_CONTEUDO,CD_STATUS,QT_TENTATIVAS,DT_PROXIMA_TENTATIVA) VALUES ('a','{}','PENDENTE',0,UTC_TIMESTAMP()),('a','{}','ENVIADO',1,NULL),('a','{}','PENDENTE',9,NULL)",
      "1 pending, 2 published, 3 dead|unknown",
    ),
    "SELECT ID_MENSAGEM FROM TB_FILA_SAIDA WHERE CD_STATUS = 'PENDENTE' AND DT_PROXIMA_TENTATIVA <= {now}",
  ),
];
