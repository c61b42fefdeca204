import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes in MySQL with errors, codes, flags and placeholders. */
export const CLAIMED_MYSQL_CODES_AND_ERRORS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE a1_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent tinyint NOT NULL DEFAULT 0, error text, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=error status=sent order?=id",
      "INSERT INTO a1_outbox (event_type,payload,sent,error) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',0,'boom')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM a1_outbox WHERE sent=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a2_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NULL, error text, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lastError=error order?=id",
      "INSERT INTO a2_outbox (event_type,payload,sent_at,error) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'boom')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM a2_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE a3_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status int NOT NULL DEFAULT 0 COMMENT '状态：0未发送，1已发送，2发送失败', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO a3_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM a3_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a4_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT 'status (0-new,1-sending,2-sent,3-failed)', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO a4_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM a4_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a5_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, is_deleted tinyint NOT NULL DEFAULT 0, status varchar(16) NOT NULL DEFAULT 'NEW', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO a5_outbox (event_type,payload,is_deleted,status) VALUES ('a','{}',0,'NEW'),('a','{}',0,'SENT'),('a','{}',1,'NEW')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM a5_outbox WHERE status='NEW' AND is_deleted=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a6_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, deleted bit(1) NOT NULL DEFAULT b'0', status varchar(16) NOT NULL DEFAULT 'NEW', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO a6_outbox (event_type,payload,deleted,status) VALUES ('a','{}',0,'NEW'),('a','{}',0,'SENT'),('a','{}',1,'NEW')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM a6_outbox WHERE status='NEW' AND deleted=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a7_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, yn tinyint NOT NULL DEFAULT 1 COMMENT '是否有效', status varchar(16) NOT NULL DEFAULT 'NEW', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO a7_outbox (event_type,payload,yn,status) VALUES ('a','{}',1,'NEW'),('a','{}',1,'SENT'),('a','{}',0,'NEW')",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM a7_outbox WHERE status='NEW' AND yn=1",
  ),
  claimed(
    stated(
      "CREATE TABLE a8_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_time bigint NOT NULL DEFAULT 0, fail_count int NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_time attempts=fail_count order?=id",
      "INSERT INTO a8_outbox (event_type,payload,sent_time,fail_count) VALUES ('a','{}',0,0),('a','{}',1764000000000,0),('a','{}',0,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM a8_outbox WHERE sent_time=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a9_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, lock_flag tinyint(1) NOT NULL DEFAULT 0, sent_at datetime NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO a9_outbox (event_type,payload,lock_flag,sent_at) VALUES ('a','{}',0,NULL),('a','{}',0,now()),('a','{}',1,NULL)",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM a9_outbox WHERE sent_at IS NULL AND lock_flag=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a10_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, published enum('no','yes','failed') NOT NULL DEFAULT 'no', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at status=published order?=id",
      "INSERT INTO a10_outbox (event_type,payload,published) VALUES ('a','{}','no'),('a','{}','yes'),('a','{}','failed')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM a10_outbox WHERE published='no'",
  ),
  claimed(
    stated(
      "CREATE TABLE a11_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, state enum('0','1','2') NOT NULL DEFAULT '0', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO a11_outbox (event_type,payload,state) VALUES ('a','{}','0'),('a','{}','1'),('a','{}','2')",
      "1 pending|unknown, 2 unknown|published|in_flight, 3 unknown|published|failed",
    ),
    "SELECT id FROM a11_outbox WHERE state='0'",
  ),
  claimed(
    stated(
      "CREATE TABLE a12_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, done_at timestamp NULL DEFAULT NULL, dead_at timestamp NULL DEFAULT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=done_at order?=id",
      "INSERT INTO a12_outbox (event_type,payload,done_at,dead_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM a12_outbox WHERE done_at IS NULL AND dead_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE a13_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, send_status varchar(10) NOT NULL DEFAULT 'WAIT', send_count int NOT NULL DEFAULT 0, max_send_count int NOT NULL DEFAULT 5, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at status=send_status attempts=send_count order?=id",
      "INSERT INTO a13_outbox (event_type,payload,send_status,send_count) VALUES ('a','{}','WAIT',0),('a','{}','SUCCESS',1),('a','{}','WAIT',2),('a','{}','FAIL',5)",
      "1 pending, 2 published, 3 failed|pending, 4 failed|dead",
    ),
    "SELECT id FROM a13_outbox WHERE send_status='WAIT'",
  ),
  claimed(
    stated(
      "CREATE TABLE a14_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, dt_envio datetime NULL, ind_erro tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=dt_envio order?=id",
      "INSERT INTO a14_outbox (event_type,payload,dt_envio,ind_erro) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM a14_outbox WHERE dt_envio IS NULL AND ind_erro=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a15_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime(3) NOT NULL DEFAULT '0001-01-01 00:00:00.000', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO a15_outbox (event_type,payload,sent_at) VALUES ('a','{}','0001-01-01 00:00:00.000'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM a15_outbox WHERE sent_at<'1000-01-01'",
  ),
  claimed(
    stated(
      "CREATE TABLE a16_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at int NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO a16_outbox (event_type,payload,sent_at) VALUES ('a','{}',0),('a','{}',1764000000)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM a16_outbox WHERE sent_at=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a17_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent int NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO a17_outbox (event_type,payload,sent) VALUES ('a','{}',0),('a','{}',1764000000)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM a17_outbox WHERE sent=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a18_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, processed smallint NOT NULL DEFAULT 0, process_error varchar(255) DEFAULT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=process_error status=processed order?=id",
      "INSERT INTO a18_outbox (event_type,payload,processed,process_error) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',0,'x')",
      "1 pending, 2 published, 3 failed|unknown",
    ),
    "SELECT id FROM a18_outbox WHERE processed=0",
  ),
  claimed(
    stated(
      "CREATE TABLE a19_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status varchar(16) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL DEFAULT 'N', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO a19_outbox (event_type,payload,status) VALUES ('a','{}','N'),('a','{}','Y')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM a19_outbox WHERE status='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE a20_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, ack tinyint(1) NOT NULL DEFAULT 0, sent tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO a20_outbox (event_type,payload,ack,sent) VALUES ('a','{}',0,0),('a','{}',1,1),('a','{}',0,1)",
      "1 pending, 2 published, 3 unknown|in_flight|published",
    ),
    "SELECT id FROM a20_outbox WHERE sent=0",
  ),
  claimed(
    stated(
      "CREATE TABLE b1_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NOT NULL DEFAULT '2099-12-31 00:00:00', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO b1_outbox (event_type,payload,sent_at) VALUES ('a','{}','2099-12-31 00:00:00'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM b1_outbox WHERE sent_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE b2_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at timestamp NOT NULL DEFAULT '2038-01-01 00:00:00', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO b2_outbox (event_type,payload,sent_at) VALUES ('a','{}','2038-01-01 00:00:00'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM b2_outbox WHERE sent_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE b3_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT '投递状态(0:待投递,1:投递中,2:投递成功,3:投递失败)', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO b3_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM b3_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE b4_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status varchar(20) NOT NULL DEFAULT 'INIT' COMMENT '状态 INIT/SENDING/SUCCESS/FAIL', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO b4_outbox (event_type,payload,status) VALUES ('a','{}','INIT'),('a','{}','SENDING'),('a','{}','SUCCESS'),('a','{}','FAIL')",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM b4_outbox WHERE status='INIT'",
  ),
  claimed(
    stated(
      "CREATE TABLE b5_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent bit(1) NOT NULL DEFAULT b'0', error varchar(500), created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=error publishedAt=sent order?=id",
      "INSERT INTO b5_outbox (event_type,payload,sent,error) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',0,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM b5_outbox WHERE sent=0",
  ),
  claimed(
    stated(
      "CREATE TABLE b6_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NULL, is_valid tinyint(1) NOT NULL DEFAULT 1, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO b6_outbox (event_type,payload,sent_at,is_valid) VALUES ('a','{}',NULL,1),('a','{}',now(),1),('a','{}',NULL,0)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM b6_outbox WHERE sent_at IS NULL AND is_valid=1",
  ),
  claimed(
    stated(
      "CREATE TABLE b7_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NULL, del_flag char(1) NOT NULL DEFAULT '0', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO b7_outbox (event_type,payload,sent_at,del_flag) VALUES ('a','{}',NULL,'0'),('a','{}',now(),'0'),('a','{}',NULL,'1')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM b7_outbox WHERE sent_at IS NULL AND del_flag='0'",
  ),
  claimed(
    stated(
      "CREATE TABLE b8_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, state smallint NOT NULL DEFAULT 10 COMMENT '10 created / 20 sent / 30 error / 40 cancelled', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO b8_outbox (event_type,payload,state) VALUES ('a','{}',10),('a','{}',20),('a','{}',30),('a','{}',40)",
      "1 pending, 2 published, 3 failed|dead, 4 unknown",
    ),
    "SELECT id FROM b8_outbox WHERE state=10",
  ),
  claimed(
    stated(
      "CREATE TABLE b9_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, handled tinyint(1) NOT NULL DEFAULT 0, handled_result varchar(20), created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=handled order?=id",
      "INSERT INTO b9_outbox (event_type,payload,handled,handled_result) VALUES ('a','{}',0,NULL),('a','{}',1,'OK'),('a','{}',1,'ERROR')",
      "1 pending, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM b9_outbox WHERE handled=0",
  ),
  claimed(
    stated(
      "CREATE TABLE b10_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, mq_status tinyint NOT NULL DEFAULT 0 COMMENT '0未发送 1已发送', yn tinyint NOT NULL DEFAULT 1 COMMENT '1有效 0无效', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at status=mq_status order?=id",
      "INSERT INTO b10_outbox (event_type,payload,mq_status,yn) VALUES ('a','{}',0,1),('a','{}',1,1)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM b10_outbox WHERE mq_status=0",
  ),
];
