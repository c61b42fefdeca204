import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes in MySQL with locks that are an empty text or a number, and times of milliseconds. */
export const CLAIMED_MYSQL_LOCKS_AND_TIMES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE cn_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT '0:待发送 1:已发送 2:失败', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status=status",
      "INSERT INTO cn_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM cn_outbox WHERE status = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE de_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT '0 = offen, 1 = gesendet, 2 = Fehler, 3 = verworfen', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status=status",
      "INSERT INTO de_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending, 2 published, 3 failed|dead, 4 dead",
    ),
    "SELECT id FROM de_outbox WHERE status = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE mttime_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_ts char(14), created_ts char(14) NOT NULL)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_ts publishedAt=sent_ts",
      "INSERT INTO mttime_outbox (event_type,payload,sent_ts,created_ts) VALUES ('a','{}',NULL,'20260101000000'),('a','{}','20260101000001','20260101000000')",
      "1 pending, 2 published",
    ),
    "SELECT id FROM mttime_outbox WHERE sent_ts IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE mlock_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, locked_by varchar(40) NOT NULL DEFAULT '', sent tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent lockedBy?=locked_by",
      "INSERT INTO mlock_outbox (event_type,payload,locked_by,sent) VALUES ('a','{}','',0),('a','{}','w',0),('a','{}','',1)",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM mlock_outbox WHERE sent = 0 AND locked_by = ''",
  ),
  claimed(
    stated(
      "CREATE TABLE mlockint_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, locked int NOT NULL DEFAULT 0, sent_at datetime, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO mlockint_outbox (event_type,payload,locked,sent_at) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',0,now())",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM mlockint_outbox WHERE sent_at IS NULL AND locked = 0",
  ),
];
