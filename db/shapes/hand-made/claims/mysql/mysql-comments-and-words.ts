import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes in the manner of MySQL, with codes that only a comment explains and words of an enum. */
export const CLAIMED_MYSQL_COMMENTS_AND_WORDS: readonly ClaimedTable[] = [
  // Codes that only a comment explains.
  claimed(
    stated(
      "CREATE TABLE sys_event_outbox (id bigint unsigned NOT NULL AUTO_INCREMENT, biz_type varchar(32) NOT NULL COMMENT 'business', biz_id varchar(64) NOT NULL, event_name varchar(64) NOT NULL, event_json longtext NOT NULL, send_status tinyint NOT NULL DEFAULT 0 COMMENT '0 init 1 sent 2 failed', fail_times int NOT NULL DEFAULT 0, gmt_create datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, gmt_modified datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id), KEY idx_status (send_status, gmt_create))",
      "id=id eventType=event_name payload=event_json status=send_status createdAt=gmt_create aggregateId?=biz_id aggregateType?=biz_type attempts?=fail_times order?=id",
      "INSERT INTO sys_event_outbox (biz_type,biz_id,event_name,event_json,send_status,fail_times) VALUES ('o','1','a','{}',0,0),('o','1','a','{}',1,0),('o','1','a','{}',2,3)",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM sys_event_outbox WHERE send_status = 0",
  ),
  // Seconds since 1970, and 0 for "not yet".
  claimed(
    stated(
      "CREATE TABLE message_outbox (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, queue varchar(100) NOT NULL, message mediumtext NOT NULL, created int unsigned NOT NULL, sent int unsigned NOT NULL DEFAULT 0, tries tinyint unsigned NOT NULL DEFAULT 0)",
      "id=id topic=queue payload=message createdAt=created publishedAt?=sent attempts=tries order?=id status?=sent",
      "INSERT INTO message_outbox (queue,message,created,sent,tries) VALUES ('q','{}',1760000000,0,0),('q','{}',1760000000,1760000100,1),('q','{}',1760000000,0,2)",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM message_outbox WHERE sent = 0",
  ),
  // A withdrawn row by a word of an enum.
  claimed(
    stated(
      "CREATE TABLE domain_event_outbox (event_id char(36) NOT NULL PRIMARY KEY, stream varchar(120) NOT NULL, event_type varchar(120) NOT NULL, data json NOT NULL, meta json NULL, state enum('waiting','leased','published','failed','cancelled') NOT NULL DEFAULT 'waiting', lease_expires_at datetime(3) NULL, attempts smallint unsigned NOT NULL DEFAULT 0, recorded_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))",
      "id=event_id eventType=event_type payload=data headers=meta status=state lockedUntil=lease_expires_at attempts=attempts createdAt=recorded_at aggregateId?=stream",
      "INSERT INTO domain_event_outbox (event_id,stream,event_type,data,state,lease_expires_at,attempts) VALUES ('$1','s','a','{}','waiting',NULL,0),('$2','s','a','{}','leased','2099-01-01',1),('$3','s','a','{}','published',NULL,1),('$4','s','a','{}','failed',NULL,3),('$5','s','a','{}','cancelled',NULL,0)",
      "$1 pending, $2 in_flight, $3 published, $4 failed|dead, $5 unknown",
    ),
    "SELECT event_id FROM domain_event_outbox WHERE state IN ('waiting') OR (state = 'failed' AND attempts < 5)",
  ),
  // A German flag of two letters beside its time.
  claimed(
    stated(
      "CREATE TABLE ausgangsnachrichten (lfd_nr bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, nachrichtentyp varchar(80) NOT NULL, inhalt longtext NOT NULL, versendet enum('J','N') NOT NULL DEFAULT 'N', versendet_am datetime NULL, fehlermeldung varchar(500) NULL, erstellt_am datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=lfd_nr eventType=nachrichtentyp payload=inhalt createdAt=erstellt_am lastError=fehlermeldung status?=versendet publishedAt?=versendet_am order?=lfd_nr",
      "INSERT INTO ausgangsnachrichten (nachrichtentyp,inhalt,versendet,versendet_am,fehlermeldung) VALUES ('a','{}','N',NULL,NULL),('a','{}','J',now(),NULL),('a','{}','N',NULL,'kaputt')",
      "1 pending, 2 published, 3 failed|pending",
    ),
    "SELECT lfd_nr FROM ausgangsnachrichten WHERE versendet = 'N'",
  ),
  // A computed flag beside its time, and soft deletes.
  claimed(
    stated(
      "CREATE TABLE `Outbox` (`OutboxId` bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, `EventType` varchar(255) NOT NULL, `EventPayload` json NOT NULL, `DispatchedAt` datetime(6) NULL, `IsDispatched` tinyint(1) GENERATED ALWAYS AS (`DispatchedAt` IS NOT NULL) VIRTUAL, `DeletedAt` datetime(6) NULL, `CreatedAt` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=OutboxId eventType=EventType payload=EventPayload publishedAt=DispatchedAt createdAt=CreatedAt order?=OutboxId",
      "INSERT INTO `Outbox` (`EventType`,`EventPayload`,`DispatchedAt`,`DeletedAt`) VALUES ('a','{}',NULL,NULL),('a','{}',UTC_TIMESTAMP(6),NULL),('a','{}',NULL,UTC_TIMESTAMP(6))",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT OutboxId FROM `Outbox` WHERE DispatchedAt IS NULL AND DeletedAt IS NULL",
  ),
  // Given up at a limit of its own.
  claimed(
    stated(
      "CREATE TABLE mq_local_message (msg_id varchar(64) NOT NULL PRIMARY KEY, topic varchar(64) NOT NULL, tag varchar(64) NULL, msg_body text NOT NULL, msg_status varchar(16) NOT NULL DEFAULT 'NEW', retry_times int NOT NULL DEFAULT 0, max_retry_times int NOT NULL DEFAULT 3, next_retry_time datetime NULL, create_time datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, update_time datetime NULL)",
      "id=msg_id topic=topic payload=msg_body status=msg_status attempts=retry_times availableAt=next_retry_time createdAt=create_time",
      "INSERT INTO mq_local_message (msg_id,topic,msg_body,msg_status,retry_times) VALUES ('a','t','{}','NEW',0),('b','t','{}','SENT',0),('c','t','{}','SEND_FAIL',1),('d','t','{}','SEND_FAIL',3)",
      "a pending, b published, c failed|unknown, d dead|unknown",
    ),
    "SELECT msg_id FROM mq_local_message WHERE msg_status IN ('NEW','SEND_FAIL') AND retry_times < max_retry_times",
  ),
  // Held by a token and a time.
  claimed(
    stated(
      "CREATE TABLE outbox_records (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, topic varchar(80) NOT NULL, record_key varchar(80) NULL, record_value blob NOT NULL, batch_token char(36) NULL, taken_at timestamp NULL, finished_at timestamp NULL, created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id topic=topic aggregateId=record_key payload=record_value publishedAt=finished_at createdAt=created_at order?=id",
      "INSERT INTO outbox_records (topic,record_value,batch_token,taken_at,finished_at) VALUES ('t','x',NULL,NULL,NULL),('t','x','b',UTC_TIMESTAMP(),NULL),('t','x','b',UTC_TIMESTAMP(),UTC_TIMESTAMP())",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM outbox_records WHERE finished_at IS NULL AND batch_token IS NULL",
  ),
  // Sent, and confirmed or refused by the broker.
  claimed(
    stated(
      "CREATE TABLE rabbit_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, exchange_name varchar(100) NOT NULL, routing_key varchar(100) NOT NULL, body json NOT NULL, published_at datetime(3) NULL, confirmed_at datetime(3) NULL, nacked tinyint(1) NOT NULL DEFAULT 0, created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))",
      "id=id topic?=routing_key payload=body createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO rabbit_outbox (exchange_name,routing_key,body,published_at,confirmed_at,nacked) VALUES ('e','r','{}',NULL,NULL,0),('e','r','{}',UTC_TIMESTAMP(3),UTC_TIMESTAMP(3),0),('e','r','{}',UTC_TIMESTAMP(3),NULL,0),('e','r','{}',UTC_TIMESTAMP(3),NULL,1)",
      "1 pending, 2 published, 3 unknown|in_flight, 4 unknown|failed",
    ),
    "SELECT id FROM rabbit_outbox WHERE confirmed_at IS NULL",
  ),
  // Spanish words without a default.
  claimed(
    stated(
      "CREATE TABLE cola_eventos_salida (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, tipo_evento varchar(60) NOT NULL, cuerpo json NOT NULL, estado varchar(20) NOT NULL, num_reintentos int NOT NULL DEFAULT 0, fecha_creacion datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, fecha_envio datetime NULL)",
      "id=id eventType=tipo_evento payload=cuerpo status=estado attempts=num_reintentos createdAt=fecha_creacion publishedAt=fecha_envio order?=id",
      "INSERT INTO cola_eventos_salida (tipo_evento,cuerpo,estado,num_reintentos,fecha_envio) VALUES ('a','{}','Pendiente',0,NULL),('a','{}','Enviado',0,now()),('a','{}','Fallido',2,NULL),('a','{}','Cancelado',0,NULL)",
      "1 pending, 2 published, 3 failed, 4 unknown",
    ),
    "SELECT id FROM cola_eventos_salida WHERE estado = 'Pendiente'",
  ),
  // The places to which it went, beside the mark.
  claimed(
    stated(
      "CREATE TABLE event_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(80) NOT NULL, payload json NOT NULL, delivered_to set('kafka','search') NOT NULL DEFAULT '', done tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=name payload=payload publishedAt=done createdAt=created_at order?=id",
      "INSERT INTO event_outbox (name,payload,delivered_to,done) VALUES ('a','{}','',0),('a','{}','kafka',0),('a','{}','kafka,search',1)",
      "1 pending, 2 pending|unknown, 3 published",
    ),
    "SELECT id FROM event_outbox WHERE done = 0",
  ),
  // A key of two numbers, of which neither is the id.
  claimed(
    stated(
      "CREATE TABLE tx_outbox (tx_id bigint NOT NULL, seq int NOT NULL, entity varchar(60) NOT NULL, entity_id varchar(60) NOT NULL, op varchar(20) NOT NULL, doc json NOT NULL, pushed_at datetime(6) NULL, on_hold tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), PRIMARY KEY (tx_id, seq))",
      "id=tx_id aggregateType=entity aggregateId=entity_id eventType=op payload=doc publishedAt=pushed_at createdAt=created_at",
      "INSERT INTO tx_outbox (tx_id,seq,entity,entity_id,op,doc,pushed_at,on_hold) VALUES (1,1,'o','1','ins','{}',NULL,0),(2,1,'o','1','upd','{}',UTC_TIMESTAMP(6),0),(3,1,'o','1','upd','{}',NULL,1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT tx_id FROM tx_outbox WHERE pushed_at IS NULL AND on_hold = 0",
  ),
  // A flag of success that is null until it was tried.
  claimed(
    stated(
      "CREATE TABLE kafka_message_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, kafka_topic varchar(80) NOT NULL, kafka_key varchar(80) NULL, kafka_payload longblob NOT NULL, success tinyint(1) NULL, error_text text NULL, created_time bigint NOT NULL, sent_time bigint NULL)",
      "id=id topic=kafka_topic aggregateId=kafka_key payload=kafka_payload createdAt=created_time publishedAt=sent_time lastError=error_text order?=id",
      "INSERT INTO kafka_message_outbox (kafka_topic,kafka_payload,success,error_text,created_time,sent_time) VALUES ('t','x',NULL,NULL,1760000000000,NULL),('t','x',1,NULL,1760000000000,1760000000500),('t','x',0,'refused',1760000000000,1760000000500)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM kafka_message_outbox WHERE sent_time IS NULL",
  ),
  // Expires, and is given up by a word.
  claimed(
    stated(
      "CREATE TABLE outbound_events (event_ulid char(26) NOT NULL PRIMARY KEY, aggregate varchar(50) NOT NULL, aggregate_key varchar(50) NOT NULL, event_name varchar(80) NOT NULL, event_body json NOT NULL, dispatch_state varchar(20) NOT NULL DEFAULT 'ready', dispatch_attempts int NOT NULL DEFAULT 0, dispatch_error text NULL, dispatched_on datetime NULL, expires_on datetime NULL, created_on datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=event_ulid aggregateType=aggregate aggregateId=aggregate_key eventType=event_name payload=event_body status=dispatch_state attempts=dispatch_attempts lastError=dispatch_error publishedAt=dispatched_on expiresAt=expires_on createdAt=created_on",
      "INSERT INTO outbound_events (event_ulid,aggregate,aggregate_key,event_name,event_body,dispatch_state,dispatch_attempts,dispatch_error,dispatched_on,expires_on) VALUES ('a','o','1','n','{}','ready',0,NULL,NULL,NULL),('b','o','1','n','{}','dispatched',1,NULL,now(),NULL),('c','o','1','n','{}','ready',2,'x',NULL,NULL),('d','o','1','n','{}','undeliverable',9,'x',NULL,NULL),('e','o','1','n','{}','ready',0,NULL,NULL,'2001-01-01')",
      "a pending, b published, c failed, d dead, e expired",
    ),
    "SELECT event_ulid FROM outbound_events WHERE dispatch_state = 'ready' AND (expires_on IS NULL OR expires_on > {now})",
  ),
  // What the message is about has a status, too: invented.
  claimed(
    stated(
      "CREATE TABLE shipment_outbox (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, shipment_id bigint NOT NULL, status varchar(20) NOT NULL, payload json NOT NULL, published tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id order?=id payload=payload publishedAt=published createdAt=created_at status?=status",
      "INSERT INTO shipment_outbox (shipment_id,status,payload,published) VALUES (1,'CREATED','{}',0),(1,'DELIVERED','{}',0),(1,'CREATED','{}',1),(1,'DELIVERED','{}',1),(1,'CANCELLED','{}',0)",
      "1 pending|unknown, 2 pending|unknown, 3 published|unknown, 4 published|unknown, 5 pending|unknown",
    ),
    "SELECT id FROM shipment_outbox WHERE published = 0",
  ),
  // A message that its producer prepares, and confirms: invented after RocketMQ's half messages.
  claimed(
    stated(
      "CREATE TABLE mq_transaction_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, topic varchar(64) NOT NULL, body longtext NOT NULL, status enum('PREPARED','CONFIRMED','SENT','CANCELLED') NOT NULL DEFAULT 'PREPARED', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id topic=topic payload=body status=status createdAt=created_at",
      "INSERT INTO mq_transaction_outbox (topic,body,status) VALUES ('t','x','PREPARED'),('t','x','CONFIRMED'),('t','x','SENT'),('t','x','CANCELLED')",
      "1 unknown, 2 pending|unknown, 3 published|unknown, 4 unknown",
    ),
    "SELECT id FROM mq_transaction_outbox WHERE status = 'CONFIRMED'",
  ),
  // Superseded by a newer message of its aggregate; what is still to be: invented.
  claimed(
    stated(
      "CREATE TABLE outbox_message (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_id varchar(36) NOT NULL, event_type varchar(100) NOT NULL, payload json NOT NULL, status varchar(20) NOT NULL DEFAULT 'TO_BE_SENT', superseded_by bigint NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id aggregateId=aggregate_id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO outbox_message (aggregate_id,event_type,payload,status,superseded_by) VALUES ('a','e','{}','TO_BE_SENT',NULL),('a','e','{}','SENT',NULL),('a','e','{}','SEND_FAIL',NULL),('a','e','{}','TO_BE_SENT',1)",
      "1 pending, 2 published, 3 failed|dead, 4 unknown",
    ),
    "SELECT id FROM outbox_message WHERE status = 'TO_BE_SENT' AND superseded_by IS NULL",
  ),
  // Codes in Chinese comments, with a count of the current attempts and a time of success.
  claimed(
    stated(
      "CREATE TABLE message_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, topic varchar(50) NOT NULL, tags varchar(50), msg_key varchar(100) NOT NULL, body text NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT '发送状态  0:发送中  1:重试中  2:发送失败  3:发送成功', max_retry_times tinyint NOT NULL DEFAULT 5, current_retry_times tinyint DEFAULT NULL, send_success_time datetime(3) DEFAULT NULL, create_time datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))",
      "id=id topic=topic aggregateId=msg_key payload=body status=status attempts=current_retry_times publishedAt=send_success_time createdAt=create_time order?=id",
      "INSERT INTO message_outbox (topic,msg_key,body,status,current_retry_times,send_success_time) VALUES ('t','k','x',0,NULL,NULL),('t','k','x',1,1,NULL),('t','k','x',2,5,NULL),('t','k','x',3,1,UTC_TIMESTAMP(3))",
      "1 pending|in_flight, 2 failed, 3 failed|dead, 4 published",
    ),
    "SELECT id FROM message_outbox WHERE status IN (0, 1)",
  ),
  claimed(
    stated(
      "CREATE TABLE kafka_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, push_started_at datetime NULL, push_completed_at datetime NULL, topic varchar(255) NOT NULL, payload_json json NOT NULL, payload_headers json NOT NULL, push_attempts tinyint NOT NULL DEFAULT 0, errored tinyint NOT NULL DEFAULT 0, error_reason varchar(255) NOT NULL DEFAULT '', created_at datetime DEFAULT CURRENT_TIMESTAMP)",
      "id=id topic=topic payload=payload_json headers=payload_headers attempts=push_attempts lastError=error_reason publishedAt=push_completed_at createdAt=created_at order?=id",
      "INSERT INTO kafka_outbox (topic,payload_json,payload_headers,push_started_at,push_completed_at,push_attempts,errored,error_reason) VALUES ('t','{}','{}',NULL,NULL,0,0,''),('t','{}','{}',UTC_TIMESTAMP(),NULL,0,0,''),('t','{}','{}',UTC_TIMESTAMP() - INTERVAL 1 HOUR,UTC_TIMESTAMP(),0,0,''),('t','{}','{}',NULL,NULL,3,1,'x'),('t','{}','{}',NULL,NULL,1,0,'')",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 failed",
    ),
    "SELECT id FROM kafka_outbox WHERE push_completed_at IS NULL AND push_started_at IS NULL AND errored = 0",
  ),
];
