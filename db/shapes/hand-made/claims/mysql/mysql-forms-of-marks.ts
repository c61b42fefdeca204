import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Dates, numbers, blank letters and empty texts as marks, refusals, and a status of the message's subject. */
export const CLAIMED_MYSQL_FORMS_OF_MARKS: readonly ClaimedTable[] = [
  // Typo3.
  claimed(
    stated(
      "CREATE TABLE tx_shop_outbox (uid int unsigned AUTO_INCREMENT PRIMARY KEY, pid int NOT NULL DEFAULT 0, tstamp int NOT NULL DEFAULT 0, crdate int NOT NULL DEFAULT 0, deleted tinyint NOT NULL DEFAULT 0, hidden tinyint NOT NULL DEFAULT 0, event_type varchar(100) NOT NULL, payload mediumtext NOT NULL, sent int unsigned NOT NULL DEFAULT 0)",
      "id=uid eventType=event_type payload=payload createdAt?=crdate publishedAt?=sent status?=sent order?=uid",
      "INSERT INTO tx_shop_outbox (crdate,deleted,hidden,event_type,payload,sent) VALUES (1751362530,0,0,'a','x',0),(1751362530,0,0,'a','x',1751362533),(1751362530,1,0,'a','x',0),(1751362530,0,1,'a','x',0)",
      "1 pending, 2 published, 3 unknown, 4 unknown|pending",
    ),
    "SELECT uid FROM tx_shop_outbox WHERE sent=0 AND deleted=0 AND hidden=0",
  ),
  // Date marks.
  claimed(
    stated(
      "CREATE TABLE date_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, cancelled_on date NULL, expiry_date date NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id expiresAt?=expiry_date",
      "INSERT INTO date_outbox (event_type,payload,published_at,cancelled_on,expiry_date) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',utc_timestamp(6),NULL,NULL),('a','{}',NULL,utc_date(),NULL),('a','{}',NULL,NULL,utc_date() - INTERVAL 3 DAY)",
      "1 pending, 2 published, 3 unknown, 4 expired|unknown",
    ),
    "SELECT id FROM date_outbox WHERE published_at IS NULL AND cancelled_on IS NULL AND (expiry_date IS NULL OR expiry_date >= utc_date())",
  ),
  // Numeric marks.
  claimed(
    stated(
      "CREATE TABLE decimal_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, cancelled_at decimal(20) NULL, dead bigint NOT NULL DEFAULT 0, abandoned_ts double NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO decimal_outbox (event_type,payload,published_at,cancelled_at,dead,abandoned_ts) VALUES ('a','{}',NULL,NULL,0,NULL),('a','{}',utc_timestamp(6),NULL,0,NULL),('a','{}',NULL,1751362530000,0,NULL),('a','{}',NULL,NULL,1,NULL),('a','{}',NULL,NULL,0,1751362530.5)",
      "1 pending, 2 published, 3 unknown, 4 dead|unknown, 5 dead|unknown",
    ),
    "SELECT id FROM decimal_outbox WHERE published_at IS NULL AND cancelled_at IS NULL AND dead=0 AND abandoned_ts IS NULL",
  ),
  // Letters with empty defaults.
  claimed(
    stated(
      "CREATE TABLE letter_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, loekz char(1) NOT NULL DEFAULT '', stop char(1) NOT NULL DEFAULT ' ')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO letter_outbox (event_type,payload,published_at,loekz,stop) VALUES ('a','{}',NULL,'',' '),('a','{}',utc_timestamp(6),'',' '),('a','{}',NULL,'X',' '),('a','{}',NULL,'','X')",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM letter_outbox WHERE published_at IS NULL AND loekz='' AND stop=' '",
  ),
  // Status of the parcel.
  claimed(
    stated(
      "CREATE TABLE disagree_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), status enum('PENDING','SHIPPED','DELIVERED') NOT NULL DEFAULT 'PENDING', published tinyint(1) NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id status?=status",
      "INSERT INTO disagree_outbox (event_type,payload,status,published) VALUES ('a','{}','PENDING',0),('a','{}','PENDING',1),('a','{}','DELIVERED',0),('a','{}','DELIVERED',1)",
      "1 pending, 2 published|unknown, 3 pending|unknown, 4 published",
    ),
    "SELECT id FROM disagree_outbox WHERE published=0",
  ),
  // Owner, connection_id.
  claimed(
    stated(
      "CREATE TABLE holder_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, owner varchar(60) NULL, connection_id bigint NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=owner",
      "INSERT INTO holder_outbox (event_type,payload,sent_at,owner,connection_id) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',utc_timestamp(6),NULL,NULL),('a','{}',NULL,'pod-1',NULL),('a','{}',NULL,NULL,77)",
      "1 pending, 2 published, 3 in_flight|unknown, 4 in_flight|unknown",
    ),
    "SELECT id FROM holder_outbox WHERE sent_at IS NULL AND owner IS NULL AND connection_id IS NULL",
  ),
  // Reject code.
  claimed(
    stated(
      "CREATE TABLE refuse_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, reject_code varchar(10) NULL, reject_msg varchar(200) NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO refuse_outbox (event_type,payload,sent_at,reject_code,reject_msg) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',utc_timestamp(6),NULL,NULL),('a','{}',utc_timestamp(6),'E1','bad')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM refuse_outbox WHERE sent_at IS NULL",
  ),
  // Max_retry_reached.
  claimed(
    stated(
      "CREATE TABLE flagless_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published tinyint NOT NULL DEFAULT 0, max_retry_reached tinyint NOT NULL DEFAULT 0, retries int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at attempts=retries order?=id publishedAt?=published status?=published",
      "INSERT INTO flagless_outbox (event_type,payload,published,max_retry_reached,retries) VALUES ('a','{}',0,0,0),('a','{}',1,0,1),('a','{}',0,0,2),('a','{}',0,1,5)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM flagless_outbox WHERE published=0 AND max_retry_reached=0",
  ),
  // Mysql texts with empty default.
  claimed(
    stated(
      "CREATE TABLE gotext_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, cancel_reason varchar(200) NOT NULL DEFAULT '', cancelled_by varchar(50) NOT NULL DEFAULT '', hold_code varchar(10) NOT NULL DEFAULT '')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO gotext_outbox (event_type,payload,sent_at,cancel_reason,cancelled_by,hold_code) VALUES ('a','{}',NULL,'','',''),('a','{}',utc_timestamp(6),'','',''),('a','{}',NULL,'dup','',''),('a','{}',NULL,'','ann',''),('a','{}',NULL,'','','H1')",
      "1 pending, 2 published, 3 unknown, 4 unknown, 5 unknown",
    ),
    "SELECT id FROM gotext_outbox WHERE sent_at IS NULL AND cancel_reason='' AND cancelled_by='' AND hold_code=''",
  ),
  // Mysql holders with empty default.
  claimed(
    stated(
      "CREATE TABLE gohold_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, owner varchar(40) NOT NULL DEFAULT '', batch_id varchar(40) NOT NULL DEFAULT '', worker_id bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=owner",
      "INSERT INTO gohold_outbox (event_type,payload,sent_at,owner,batch_id,worker_id) VALUES ('a','{}',NULL,'','',0),('a','{}',utc_timestamp(6),'','',0),('a','{}',NULL,'w','',0),('a','{}',NULL,'','b1',0),('a','{}',NULL,'','',7)",
      "1 pending, 2 published, 3 in_flight|unknown, 4 in_flight|unknown, 5 in_flight|unknown",
    ),
    "SELECT id FROM gohold_outbox WHERE sent_at IS NULL AND owner='' AND batch_id='' AND worker_id=0",
  ),
  // Mysql decimal dates.
  claimed(
    stated(
      "CREATE TABLE jde_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, cncl_dt decimal(8) NOT NULL DEFAULT 0, fehler_kz char(1) NOT NULL DEFAULT '')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO jde_outbox (event_type,payload,sent_at,cncl_dt,fehler_kz) VALUES ('a','{}',NULL,0,''),('a','{}',utc_timestamp(6),0,''),('a','{}',NULL,20260101,''),('a','{}',NULL,0,'X')",
      "1 pending, 2 published, 3 unknown, 4 failed|unknown",
    ),
    "SELECT id FROM jde_outbox WHERE sent_at IS NULL AND cncl_dt=0 AND fehler_kz=''",
  ),
  // Mysql numeric times of unknown meaning.
  claimed(
    stated(
      "CREATE TABLE closedn_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, closed_at bigint NULL, settled_on int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO closedn_outbox (event_type,payload,sent_at,closed_at,settled_on) VALUES ('a','{}',NULL,NULL,0),('a','{}',utc_timestamp(6),NULL,0),('a','{}',NULL,1751362530000,0),('a','{}',NULL,NULL,20260101)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM closedn_outbox WHERE sent_at IS NULL AND closed_at IS NULL AND settled_on=0",
  ),
  // Mysql partial failures.
  claimed(
    stated(
      "CREATE TABLE partly_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, failed_targets json NULL, sub_status varchar(20) NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO partly_outbox (event_type,payload,published_at,failed_targets,sub_status) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',utc_timestamp(6),'[]',NULL),('a','{}',utc_timestamp(6),'[\"a\"]',NULL),('a','{}',utc_timestamp(6),'[]','REJECTED')",
      "1 pending, 2 published, 3 unknown|failed, 4 unknown|failed",
    ),
    "SELECT id FROM partly_outbox WHERE published_at IS NULL",
  ),
  // Mysql given up by no next time.
  claimed(
    stated(
      "CREATE TABLE next_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent tinyint(1) NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0, next_retry_at datetime(6) NULL, undelivered tinyint(1) NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent attempts=attempts availableAt=next_retry_at order?=id",
      "INSERT INTO next_outbox (event_type,payload,sent,attempts,next_retry_at,undelivered) VALUES ('a','{}',0,0,NULL,0),('a','{}',1,1,NULL,0),('a','{}',0,2,utc_timestamp(6),0),('a','{}',0,5,NULL,0),('a','{}',1,1,NULL,1)",
      "1 pending, 2 published, 3 failed, 4 unknown|dead, 5 unknown|failed",
    ),
    "SELECT id FROM next_outbox WHERE sent=0 AND (attempts=0 OR next_retry_at <= {now})",
  ),
  // Mysql expires 0 = never.
  claimed(
    stated(
      "CREATE TABLE exp0_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, expires_at bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at expiresAt=expires_at order?=id",
      "INSERT INTO exp0_outbox (event_type,payload,sent_at,expires_at) VALUES ('a','{}',NULL,0),('a','{}',utc_timestamp(6),0),('a','{}',NULL,1751362530000),('a','{}',NULL,4102444800000)",
      "1 pending|unknown, 2 published, 3 expired|unknown, 4 pending|unknown",
    ),
    "SELECT id FROM exp0_outbox WHERE sent_at IS NULL AND (expires_at=0 OR expires_at > unix_timestamp()*1000)",
  ),
  // Mysql expired int flag.
  claimed(
    stated(
      "CREATE TABLE expint_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, expired int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO expint_outbox (event_type,payload,sent_at,expired) VALUES ('a','{}',NULL,0),('a','{}',utc_timestamp(6),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM expint_outbox WHERE sent_at IS NULL AND expired=0",
  ),
  // Mysql destinations as flag and number.
  claimed(
    stated(
      "CREATE TABLE fan_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), kafka_sent tinyint(1) NOT NULL DEFAULT 0, email_sent int NOT NULL DEFAULT 0, broker_ack char(1) NOT NULL DEFAULT '')",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=kafka_sent",
      "INSERT INTO fan_outbox (event_type,payload,kafka_sent,email_sent,broker_ack) VALUES ('a','{}',0,0,''),('a','{}',1,1,'Y'),('a','{}',1,0,'Y'),('a','{}',0,1,'')",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM fan_outbox WHERE kafka_sent=0",
  ),
  // Mysql expiry of the year 1000 for never.
  claimed(
    stated(
      "CREATE TABLE expdt_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), sent_at datetime(6) NULL, expires_at datetime NOT NULL DEFAULT '1000-01-01 00:00:00')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at expiresAt=expires_at order?=id",
      "INSERT INTO expdt_outbox (event_type,payload,sent_at,expires_at) VALUES ('a','{}',NULL,'1000-01-01 00:00:00'),('a','{}',utc_timestamp(6),'1000-01-01 00:00:00'),('a','{}',NULL,utc_timestamp() - INTERVAL 1 HOUR),('a','{}',NULL,utc_timestamp() + INTERVAL 1 HOUR)",
      "1 pending, 2 published, 3 expired|unknown, 4 pending",
    ),
    "SELECT id FROM expdt_outbox WHERE sent_at IS NULL AND (expires_at = '1000-01-01 00:00:00' OR expires_at > utc_timestamp())",
  ),
];
