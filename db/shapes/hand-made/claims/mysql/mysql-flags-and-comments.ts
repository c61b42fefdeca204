import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes in MySQL with flags and comments on them. */
export const CLAIMED_MYSQL_FLAGS_AND_COMMENTS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE d1_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent tinyint(1) NOT NULL DEFAULT 0, frozen_flag tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO d1_outbox (event_type,payload,sent,frozen_flag) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',0,1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM d1_outbox WHERE sent=0 AND frozen_flag=0",
  ),
  claimed(
    stated(
      "CREATE TABLE d2_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT '0:待处理;1:处理中;2:已完成;3:死信', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO d2_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending, 2 in_flight, 3 published, 4 dead",
    ),
    "SELECT id FROM d2_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE d3_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status varchar(16) NOT NULL DEFAULT '待发送', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO d3_outbox (event_type,payload,status) VALUES ('a','{}','待发送'),('a','{}','已发送'),('a','{}','发送失败')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM d3_outbox WHERE status='待发送'",
  ),
  claimed(
    stated(
      "CREATE TABLE d4_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, published_at datetime NULL, last_error text, error_code varchar(20), created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload publishedAt=published_at lastError=last_error createdAt=created_at order?=id",
      "INSERT INTO d4_outbox (event_type,payload,published_at,last_error,error_code) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'x','E1')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM d4_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE d5_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, done tinyint NOT NULL DEFAULT 0 COMMENT '是否完成 0否 1是', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARSET utf8mb4",
      "id=id eventType=event_type payload=payload createdAt=created_at status=done order?=id",
      "INSERT INTO d5_outbox (event_type,payload,done) VALUES ('a','{}',0),('a','{}',1)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM d5_outbox WHERE done=0",
  ),
];
