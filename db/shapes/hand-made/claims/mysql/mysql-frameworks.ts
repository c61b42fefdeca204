import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes as frameworks make them in MySQL, with comments in English and Chinese. */
export const CLAIMED_MYSQL_FRAMEWORKS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE outbox_events (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, uuid char(36) NOT NULL, event varchar(255) NOT NULL, payload json NOT NULL, status enum('pending','processing','processed','failed') NOT NULL DEFAULT 'pending', attempts tinyint unsigned NOT NULL DEFAULT 0, reserved_at timestamp NULL, created_at timestamp NULL, updated_at timestamp NULL)",
      "id=id payload=payload status=status attempts=attempts createdAt=created_at eventType=event order?=id",
      "INSERT INTO outbox_events (uuid,event,payload,status,attempts,reserved_at,created_at) VALUES ('a','e','{}','pending',0,NULL,now()),('b','e','{}','processed',1,NULL,now()),('c','e','{}','processing',0,now(),now()),('d','e','{}','failed',5,NULL,now())",
      "1 pending, 2 published, 3 in_flight, 4 failed|dead",
    ),
    "SELECT id FROM outbox_events WHERE status='pending'",
  ),
  claimed(
    stated(
      "CREATE TABLE shop_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent bit(1) NOT NULL DEFAULT b'0', failed bit(1) NOT NULL DEFAULT b'0', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO shop_outbox (event_type,payload,sent,failed) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',0,1)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM shop_outbox WHERE sent=0 AND failed=0",
  ),
  claimed(
    stated(
      "CREATE TABLE local_message (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, msg_key varchar(64) NOT NULL, exchange varchar(64) NOT NULL, routing_key varchar(64) NOT NULL, content text NOT NULL, msg_status tinyint NOT NULL DEFAULT '0' COMMENT '消息状态 0-待发送 1-发送中 2-发送成功 3-发送失败', retry_times int NOT NULL DEFAULT '0' COMMENT '重试次数', next_retry_time datetime DEFAULT NULL COMMENT '下次重试时间', create_time datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, update_time datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id topic?=routing_key payload=content attempts=retry_times createdAt=create_time availableAt=next_retry_time status=msg_status aggregateId?=msg_key order?=id",
      "INSERT INTO local_message (msg_key,exchange,routing_key,content,msg_status,retry_times) VALUES ('a','x','r','{}',0,0),('a','x','r','{}',1,0),('a','x','r','{}',2,0),('a','x','r','{}',3,3)",
      "1 pending|unknown, 2 in_flight|unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM local_message WHERE msg_status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE mq_outbox_record (record_id varchar(32) NOT NULL PRIMARY KEY, topic varchar(128) NOT NULL, tag varchar(64), body mediumtext NOT NULL, state int NOT NULL DEFAULT 1 COMMENT '1:init 2:success 3:fail 4:ignore', gmt_create datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, gmt_modified datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=record_id topic?=topic payload=body status=state createdAt=gmt_create",
      "INSERT INTO mq_outbox_record (record_id,topic,body,state) VALUES ('a','t','{}',1),('b','t','{}',2),('c','t','{}',3),('d','t','{}',4)",
      "a pending, b published, c failed|dead, d unknown|dead",
    ),
    "SELECT record_id FROM mq_outbox_record WHERE state=1",
  ),
  claimed(
    stated(
      "CREATE TABLE t_outbox (F_ID bigint AUTO_INCREMENT PRIMARY KEY, F_EVENT varchar(64) NOT NULL, F_DATA longtext NOT NULL, F_STATUS char(1) NOT NULL DEFAULT 'W' COMMENT 'W waiting, S sent, E error', F_CREATE_TIME int unsigned NOT NULL, F_SEND_TIME int unsigned NOT NULL DEFAULT 0)",
      "id=F_ID status=F_STATUS createdAt=F_CREATE_TIME payload=F_DATA eventType=F_EVENT order?=F_ID",
      "INSERT INTO t_outbox (F_EVENT,F_DATA,F_STATUS,F_CREATE_TIME,F_SEND_TIME) VALUES ('a','{}','W',1764000000,0),('a','{}','S',1764000000,1764000005),('a','{}','E',1764000000,0)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT F_ID FROM t_outbox WHERE F_STATUS='W'",
  ),
  claimed(
    stated(
      "CREATE TABLE hib_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_type varchar(255) DEFAULT NULL, aggregate_id varchar(255) DEFAULT NULL, created_at datetime(6) DEFAULT NULL, payload tinytext, status tinyint DEFAULT NULL, type varchar(255) DEFAULT NULL, CHECK (status BETWEEN 0 AND 2))",
      "id=id aggregateType?=aggregate_type aggregateId?=aggregate_id payload=payload status=status eventType=type createdAt=created_at order?=id",
      "INSERT INTO hib_outbox (aggregate_type,created_at,payload,status,type) VALUES ('o',now(),'{}',0,'a'),('o',now(),'{}',1,'a'),('o',now(),'{}',2,'a')",
      "1 pending|unknown, 2 published|in_flight|unknown, 3 failed|published|unknown",
    ),
    "SELECT id FROM hib_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE hib6_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, topic varchar(255), payload text, created_at datetime(6), status enum('FAILED','NEW','PUBLISHED','PUBLISHING') DEFAULT NULL)",
      "id=id topic?=topic payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO hib6_outbox (topic,payload,created_at,status) VALUES ('t','{}',now(),'NEW'),('t','{}',now(),'PUBLISHED'),('t','{}',now(),'FAILED'),('t','{}',now(),'PUBLISHING')",
      "1 pending, 2 published, 3 failed|dead, 4 in_flight",
    ),
    "SELECT id FROM hib6_outbox WHERE status='NEW'",
  ),
  claimed(
    stated(
      "CREATE TABLE zero_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NOT NULL DEFAULT '1970-01-01 00:00:00', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO zero_outbox (event_type,payload,sent_at) VALUES ('a','{}','1970-01-01 00:00:00'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM zero_outbox WHERE sent_at='1970-01-01 00:00:00'",
  ),
  claimed(
    stated(
      "CREATE TABLE far_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, dt_sent datetime NOT NULL DEFAULT '9999-12-31 23:59:59', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=dt_sent order?=id",
      "INSERT INTO far_outbox (event_type,payload,dt_sent) VALUES ('a','{}','9999-12-31 23:59:59'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM far_outbox WHERE dt_sent>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE ms_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, created bigint NOT NULL, published bigint NULL)",
      "id=id eventType=event_type payload=payload createdAt=created publishedAt=published order?=id",
      "INSERT INTO ms_outbox (event_type,payload,created,published) VALUES ('a','{}',1764000000000,NULL),('a','{}',1764000000000,1764000000500)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM ms_outbox WHERE published IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE pubint_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, published int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=published order?=id",
      "INSERT INTO pubint_outbox (event_type,payload,published) VALUES ('a','{}',0),('a','{}',1)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM pubint_outbox WHERE published=0",
  ),
  claimed(
    stated(
      "CREATE TABLE del_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, is_sent tinyint(1) NOT NULL DEFAULT 0, is_deleted tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=is_sent order?=id",
      "INSERT INTO del_outbox (event_type,payload,is_sent,is_deleted) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',0,1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM del_outbox WHERE is_sent=0 AND is_deleted=0",
  ),
  claimed(
    stated(
      "CREATE TABLE gorm_outbox (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, created_at datetime(3), updated_at datetime(3), deleted_at datetime(3), topic longtext, payload longblob, status varchar(191) DEFAULT 'pending', retry_count bigint DEFAULT 0)",
      "id=id topic?=topic payload=payload status=status attempts=retry_count createdAt=created_at order?=id",
      "INSERT INTO gorm_outbox (created_at,deleted_at,topic,payload,status,retry_count) VALUES (now(),NULL,'t','x','pending',0),(now(),NULL,'t','x','sent',0),(now(),NULL,'t','x','failed',3),(now(),now(),'t','x','pending',0)",
      "1 pending, 2 published, 3 failed|dead, 4 unknown",
    ),
    "SELECT id FROM gorm_outbox WHERE status='pending' AND deleted_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE dead_outbox_m (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NULL, dead tinyint(1) NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload attempts=attempts createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO dead_outbox_m (event_type,payload,sent_at,dead,attempts) VALUES ('a','{}',NULL,0,0),('a','{}',now(),0,1),('a','{}',NULL,1,5),('a','{}',NULL,0,2)",
      "1 pending, 2 published, 3 dead, 4 failed",
    ),
    "SELECT id FROM dead_outbox_m WHERE sent_at IS NULL AND dead=0",
  ),
  claimed(
    stated(
      "CREATE TABLE set_m_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, flags set('sent','failed','dead') NOT NULL DEFAULT '', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO set_m_outbox (event_type,payload,flags) VALUES ('a','{}',''),('a','{}','sent'),('a','{}','failed')",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM set_m_outbox WHERE flags=''",
  ),
  claimed(
    stated(
      "CREATE TABLE enumyn_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, processed enum('Y','N') NOT NULL DEFAULT 'N', processed_on datetime NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed_on status=processed order?=id",
      "INSERT INTO enumyn_outbox (event_type,payload,processed,processed_on) VALUES ('a','{}','N',NULL),('a','{}','Y',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM enumyn_outbox WHERE processed='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE enum01_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, is_published enum('0','1') NOT NULL DEFAULT '0', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=is_published order?=id",
      "INSERT INTO enum01_outbox (event_type,payload,is_published) VALUES ('a','{}','0'),('a','{}','1')",
      "1 pending, 2 published",
    ),
    "SELECT id FROM enum01_outbox WHERE is_published='0'",
  ),
  claimed(
    stated(
      "CREATE TABLE neg_m_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, state tinyint NOT NULL DEFAULT 0 COMMENT '0 待处理 1 已处理 -1 失败', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO neg_m_outbox (event_type,payload,state) VALUES ('a','{}',0),('a','{}',1),('a','{}',-1)",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM neg_m_outbox WHERE state=0",
  ),
  claimed(
    stated(
      "CREATE TABLE processed3_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, processed tinyint NOT NULL DEFAULT 0 COMMENT '0=no, 1=yes, 2=error', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=processed order?=id",
      "INSERT INTO processed3_outbox (event_type,payload,processed) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM processed3_outbox WHERE processed=0",
  ),
  claimed(
    stated(
      "CREATE TABLE tiny1_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent tinyint(1) NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO tiny1_outbox (event_type,payload,sent) VALUES ('a','{}',NULL),('a','{}',1),('a','{}',0),('a','{}',2)",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown, 4 unknown|failed",
    ),
    "SELECT id FROM tiny1_outbox WHERE sent IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE sched_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status enum('SCHEDULED','RUNNING','SUCCESS','ERROR','CANCELED') NOT NULL DEFAULT 'SCHEDULED', run_at datetime NOT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at availableAt=run_at order?=id",
      "INSERT INTO sched_outbox (event_type,payload,status,run_at) VALUES ('a','{}','SCHEDULED',now()),('a','{}','RUNNING',now()),('a','{}','SUCCESS',now()),('a','{}','ERROR',now()),('a','{}','CANCELED',now())",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 unknown|dead",
    ),
    "SELECT id FROM sched_outbox WHERE status='SCHEDULED'",
  ),
  claimed(
    stated(
      "CREATE TABLE worker_m_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, worker varchar(40) NULL, lease_until bigint NOT NULL DEFAULT 0, sent_at datetime NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload lockedUntil=lease_until createdAt=created_at publishedAt=sent_at lockedBy=worker order?=id",
      "INSERT INTO worker_m_outbox (event_type,payload,worker,lease_until,sent_at) VALUES ('a','{}',NULL,0,NULL),('a','{}','w',4102444800000,NULL),('a','{}','w',0,now())",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM worker_m_outbox WHERE sent_at IS NULL AND worker IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE magento_outbox (entity_id int unsigned AUTO_INCREMENT PRIMARY KEY, topic_name varchar(255) NOT NULL, body longtext, status smallint unsigned NOT NULL DEFAULT 2 COMMENT 'Message status: 2 new, 3 in progress, 4 complete, 5 retry required, 6 error, 7 to be deleted', number_of_trials smallint unsigned NOT NULL DEFAULT 0, created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "payload=body status=status createdAt=created_at topic?=topic_name id=entity_id order?=entity_id",
      "INSERT INTO magento_outbox (topic_name,body,status) VALUES ('t','{}',2),('t','{}',3),('t','{}',4),('t','{}',5),('t','{}',6),('t','{}',7)",
      "1 pending, 2 in_flight, 3 published, 4 failed|pending|unknown, 5 failed|dead, 6 unknown|dead",
    ),
    "SELECT entity_id FROM magento_outbox WHERE status IN (2,5)",
  ),
  claimed(
    stated(
      "CREATE TABLE `Outbox_Messages` (`Id` char(36) CHARACTER SET ascii NOT NULL PRIMARY KEY, `Type` longtext NOT NULL, `Content` longtext NOT NULL, `OccurredOnUtc` datetime(6) NOT NULL, `ProcessedOnUtc` datetime(6) NULL, `Error` longtext NULL, `Attempts` int NOT NULL DEFAULT 0)",
      "id=Id payload=Content attempts=Attempts createdAt=OccurredOnUtc publishedAt=ProcessedOnUtc lastError=Error eventType=Type",
      "INSERT INTO `Outbox_Messages` VALUES ('$1','a','{}',now(),NULL,NULL,0),('$2','a','{}',now(),now(),NULL,1),('$3','a','{}',now(),NULL,'x',2)",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT `Id` FROM `Outbox_Messages` WHERE `ProcessedOnUtc` IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE ok_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, send_time datetime NULL, send_result tinyint NULL COMMENT '1 ok 0 fail', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO ok_outbox (event_type,payload,send_time,send_result) VALUES ('a','{}',NULL,NULL),('a','{}',now(),1),('a','{}',now(),0)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM ok_outbox WHERE send_time IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE last_upd_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, updated_at datetime NULL ON UPDATE CURRENT_TIMESTAMP, delivery_status varchar(20) NOT NULL DEFAULT 'AWAITING')",
      "id=id eventType=event_type payload=payload createdAt=created_at status=delivery_status order?=id",
      "INSERT INTO last_upd_outbox (event_type,payload,delivery_status) VALUES ('a','{}','AWAITING'),('a','{}','DELIVERED'),('a','{}','UNDELIVERED'),('a','{}','BOUNCED')",
      "1 pending, 2 published, 3 failed|dead|unknown|pending, 4 failed|dead|unknown",
    ),
    "SELECT id FROM last_upd_outbox WHERE delivery_status='AWAITING'",
  ),
  claimed(
    stated(
      "CREATE TABLE vgen_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, processed_at datetime NULL, is_pending tinyint(1) GENERATED ALWAYS AS (IF(processed_at IS NULL,1,NULL)) VIRTUAL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=processed_at order?=id",
      "INSERT INTO vgen_outbox (event_type,payload,processed_at) VALUES ('a','{}',NULL),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM vgen_outbox WHERE processed_at IS NULL",
  ),
];
