import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes in MySQL with placeholders for times and locks, and codes of another table. */
export const CLAIMED_MYSQL_PLACEHOLDERS_AND_LOCKS: readonly ClaimedTable[] = [
  // Gesperrt: locked or blocked.
  claimed(
    stated(
      "CREATE TABLE t_ausgang_ereignis (id bigint AUTO_INCREMENT PRIMARY KEY, ereignis_typ varchar(60) NOT NULL, nutzdaten longtext NOT NULL, versendet tinyint(1) NOT NULL DEFAULT 0, gesperrt tinyint(1) NOT NULL DEFAULT 0, erstellt_am datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=ereignis_typ payload=nutzdaten publishedAt=versendet createdAt=erstellt_am",
      "INSERT INTO t_ausgang_ereignis (ereignis_typ,nutzdaten,versendet,gesperrt) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',0,1)",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM t_ausgang_ereignis WHERE versendet = 0 AND gesperrt = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE ereignis_ausgang (id bigint AUTO_INCREMENT PRIMARY KEY, typ varchar(60) NOT NULL, inhalt json NOT NULL, zustand enum('neu','in_arbeit','gesendet','fehler','verworfen') NOT NULL DEFAULT 'neu', versuche int NOT NULL DEFAULT 0, erstellt datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))",
      "id=id order?=id eventType=typ payload=inhalt status=zustand attempts=versuche createdAt=erstellt",
      "INSERT INTO ereignis_ausgang (typ,inhalt,zustand,versuche) VALUES ('a','{}','neu',0),('a','{}','in_arbeit',1),('a','{}','gesendet',1),('a','{}','fehler',3),('a','{}','verworfen',9),('a','{}','neu',2)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 dead|unknown, 6 failed",
    ),
    "SELECT id FROM ereignis_ausgang WHERE zustand = 'neu'",
  ),
  claimed(
    stated(
      "CREATE TABLE evt_outbox_1970 (id char(36) PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at timestamp NOT NULL DEFAULT '1970-01-02 00:00:00', created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO evt_outbox_1970 (id,event_type,payload,sent_at) VALUES ('$1','a','{}','1970-01-02 00:00:00'),('$2','a','{}',now())",
      "$1 pending, $2 published",
    ),
    "SELECT id FROM evt_outbox_1970 WHERE sent_at = '1970-01-02 00:00:00'",
  ),
  claimed(
    stated(
      "CREATE TABLE evt_outbox_9999 (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NOT NULL DEFAULT '9999-12-31 23:59:59', next_try datetime NOT NULL DEFAULT '1000-01-01 00:00:00', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at availableAt=next_try createdAt=created_at",
      "INSERT INTO evt_outbox_9999 (event_type,payload,sent_at,next_try) VALUES ('a','{}','9999-12-31 23:59:59','1000-01-01'),('a','{}',now(),'1000-01-01'),('a','{}','9999-12-31 23:59:59','9999-12-31 23:59:59')",
      "1 pending, 2 published, 3 dead|unknown|pending",
    ),
    "SELECT id FROM evt_outbox_9999 WHERE sent_at = '9999-12-31 23:59:59' AND next_try <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE fila_saida_bits (id bigint AUTO_INCREMENT PRIMARY KEY, tipo_evento varchar(60) NOT NULL, carga json NOT NULL, enviado bit(1) NOT NULL DEFAULT b'0', morto bit(1) NOT NULL DEFAULT b'0', criado_em datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=tipo_evento payload=carga publishedAt=enviado createdAt=criado_em",
      "INSERT INTO fila_saida_bits (tipo_evento,carga,enviado,morto) VALUES ('a','{}',b'0',b'0'),('a','{}',b'1',b'0'),('a','{}',b'0',b'1')",
      "1 pending, 2 published, 3 dead|failed|unknown",
    ),
    "SELECT id FROM fila_saida_bits WHERE enviado = 0 AND morto = 0",
  ),
  // 0 is on hold, says the table of codes.
  {
    ...claimed(
      stated(
        "CREATE TABLE outbox_status_ref (code tinyint unsigned PRIMARY KEY, label varchar(20) NOT NULL); INSERT INTO outbox_status_ref VALUES (0,'ON HOLD'),(1,'PENDING'),(2,'SENT'),(3,'FAILED'); CREATE TABLE outbox_codes (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint unsigned NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (status) REFERENCES outbox_status_ref(code))",
        "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
        "INSERT INTO outbox_codes (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
        "1 unknown, 2 pending|unknown, 3 published|unknown, 4 failed|dead|unknown",
      ),
      "SELECT id FROM outbox_codes WHERE status = 1",
    ),
    empties: "DELETE FROM outbox_codes; ALTER TABLE outbox_codes AUTO_INCREMENT = 1",
  },
  // Generated from JSON: never written.
  claimed(
    stated(
      "CREATE TABLE json_state_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, meta json NOT NULL, status varchar(20) GENERATED ALWAYS AS (json_unquote(json_extract(meta, '$.status'))) VIRTUAL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload headers?=meta status?=status createdAt=created_at",
      `INSERT INTO json_state_outbox (event_type,payload,meta) VALUES ('a','{}','{"status":"pending"}'),('a','{}','{"status":"sent"}'),('a','{}','{"status":"failed"}'),('a','{}','{}')`,
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown, 4 unknown",
    ),
    "SELECT id FROM json_state_outbox WHERE status = 'pending'",
  ),
  claimed(
    stated(
      "CREATE TABLE epoch_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, topic varchar(100) NOT NULL, msg mediumtext NOT NULL, created int unsigned NOT NULL, sent int unsigned NOT NULL DEFAULT 0, tries int NOT NULL DEFAULT 0)",
      "id=id order?=id topic=topic payload=msg createdAt=created publishedAt=sent attempts=tries",
      "INSERT INTO epoch_outbox (topic,msg,created,sent,tries) VALUES ('t','x',1764000000,0,0),('t','x',1764000000,1764000005,1),('t','x',1764000000,0,3)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM epoch_outbox WHERE sent = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE part_outbox (id bigint AUTO_INCREMENT, created_at datetime NOT NULL, event_type varchar(60) NOT NULL, payload json NOT NULL, published_at datetime(6), abandoned tinyint(1) NOT NULL DEFAULT 0, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (YEAR(created_at)) (PARTITION p0 VALUES LESS THAN (2026), PARTITION p1 VALUES LESS THAN MAXVALUE)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at",
      "INSERT INTO part_outbox (created_at,event_type,payload,published_at,abandoned) VALUES ('2025-11-01','a','{}',NULL,0),(now(),'a','{}',now(),0),(now(),'a','{}',NULL,1)",
      "1 pending, 2 published, 3 dead|unknown",
    ),
    "SELECT id FROM part_outbox WHERE published_at IS NULL AND abandoned = 0",
  ),
  // -1 gives up.
  claimed(
    stated(
      "CREATE TABLE neg_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, retry_count int NOT NULL DEFAULT 0, sent_at datetime, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload attempts=retry_count publishedAt=sent_at createdAt=created_at",
      "INSERT INTO neg_outbox (event_type,payload,retry_count,sent_at) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',3,NULL),('a','{}',-1,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM neg_outbox WHERE sent_at IS NULL AND retry_count >= 0",
  ),
  // The time is set with an error, too.
  claimed(
    stated(
      "CREATE TABLE OUT_MSG_Q (MSG_SEQ_NO bigint AUTO_INCREMENT PRIMARY KEY, MSG_TYP_CD varchar(10) NOT NULL, MSG_TXT longtext NOT NULL, PROC_FLG char(1) NOT NULL DEFAULT 'N', RTRY_CNT int NOT NULL DEFAULT 0, CRT_DTTM datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, PROC_DTTM datetime)",
      "id=MSG_SEQ_NO order?=MSG_SEQ_NO eventType=MSG_TYP_CD payload=MSG_TXT status?=PROC_FLG attempts=RTRY_CNT createdAt=CRT_DTTM publishedAt?=PROC_DTTM",
      "INSERT INTO OUT_MSG_Q (MSG_TYP_CD,MSG_TXT,PROC_FLG,RTRY_CNT,PROC_DTTM) VALUES ('a','{}','N',0,NULL),('a','{}','Y',0,now()),('a','{}','E',3,now()),('a','{}','P',0,NULL)",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown, 4 in_flight|unknown",
    ),
    "SELECT MSG_SEQ_NO FROM OUT_MSG_Q WHERE PROC_FLG = 'N'",
  ),
  // A set of destinations.
  claimed(
    stated(
      "CREATE TABLE set_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, delivered_to set('kafka','erp','mail') NOT NULL DEFAULT '', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at",
      "INSERT INTO set_outbox (event_type,payload,delivered_to) VALUES ('a','{}',''),('a','{}','kafka'),('a','{}','kafka,erp,mail')",
      "1 pending|unknown, 2 unknown|in_flight, 3 published|unknown",
    ),
    "SELECT id FROM set_outbox WHERE delivered_to <> 'kafka,erp,mail'",
  ),
  claimed(
    stated(
      "CREATE TABLE soft_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, published_at datetime(6), deleted_at datetime(6), is_deleted tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO soft_outbox (event_type,payload,published_at,deleted_at,is_deleted) VALUES ('a','{}',NULL,NULL,0),('a','{}',now(),NULL,0),('a','{}',NULL,now(),1),('a','{}',now(),now(),1)",
      "1 pending, 2 published, 3 unknown, 4 published|unknown",
    ),
    "SELECT id FROM soft_outbox WHERE published_at IS NULL AND is_deleted = 0",
  ),
  // Empty text for no lock.
  claimed(
    stated(
      "CREATE TABLE lock_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, locked_by varchar(64) NOT NULL DEFAULT '', locked_until datetime NOT NULL DEFAULT '1970-01-01 00:00:00', sent tinyint(1) NOT NULL DEFAULT 0, error_msg varchar(500) NOT NULL DEFAULT '', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload lockedBy=locked_by lockedUntil=locked_until publishedAt=sent lastError=error_msg createdAt=created_at",
      "INSERT INTO lock_outbox (event_type,payload,locked_by,locked_until,sent,error_msg) VALUES ('a','{}','','1970-01-01',0,''),('a','{}','w1',utc_timestamp()+interval 60 minute,0,''),('a','{}','','1970-01-01',1,''),('a','{}','','1970-01-01',0,'timeout')",
      "1 pending, 2 in_flight, 3 published, 4 failed|pending|unknown",
    ),
    "SELECT id FROM lock_outbox WHERE sent = 0 AND locked_until < {now}",
  ),
  // MySQL compares without case and trailing blanks.
  claimed(
    stated(
      "CREATE TABLE mixed_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status varchar(20) NOT NULL DEFAULT 'new', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO mixed_outbox (event_type,payload,status) VALUES ('a','{}','new'),('a','{}','New '),('a','{}','Sent'),('a','{}','SENT '),('a','{}',''),('a','{}','resent'),('a','{}','unsent'),('a','{}','not sent')",
      "1 pending, 2 pending|unknown, 3 published, 4 published|unknown, 5 unknown, 6 unknown|published|pending, 7 pending|unknown, 8 pending|unknown",
    ),
    "SELECT id FROM mixed_outbox WHERE status = 'new'",
  ),
  claimed(
    stated(
      "CREATE TABLE wallet_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime, http_code smallint unsigned, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO wallet_outbox (event_type,payload,sent_at,http_code) VALUES ('a','{}',NULL,NULL),('a','{}',now(),204),('a','{}',now(),409),('a','{}',NULL,500)",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 failed|unknown",
    ),
    "SELECT id FROM wallet_outbox WHERE sent_at IS NULL",
  ),
  {
    ...claimed(
      stated(
        "CREATE TABLE st_ref (id int PRIMARY KEY, name varchar(30) NOT NULL, position int NOT NULL); INSERT INTO st_ref VALUES (1,'rascunho',1),(2,'pendente',2),(3,'enviado',3),(4,'falha',4); CREATE TABLE codes_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status_id int NOT NULL DEFAULT 1, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, CONSTRAINT f FOREIGN KEY (status_id) REFERENCES st_ref(id))",
        "id=id order?=id eventType=event_type payload=payload status=status_id createdAt=created_at",
        "INSERT INTO codes_outbox (event_type,payload,status_id) VALUES ('a','{}',1),('a','{}',2),('a','{}',3),('a','{}',4)",
        "1 unknown, 2 pending, 3 published, 4 failed|dead",
      ),
      "SELECT id FROM codes_outbox WHERE status_id = 2",
    ),
    empties: "DELETE FROM codes_outbox; ALTER TABLE codes_outbox AUTO_INCREMENT = 1",
  },
  claimed(
    stated(
      "CREATE TABLE zerodate_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, published_at datetime, cancelled_at datetime NOT NULL DEFAULT '1970-01-01 00:00:00', abandoned_at datetime NOT NULL DEFAULT '9999-12-31 00:00:00', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO zerodate_outbox (event_type,payload,published_at,cancelled_at,abandoned_at) VALUES ('a','{}',NULL,'1970-01-01','9999-12-31'),('a','{}',now(),'1970-01-01','9999-12-31'),('a','{}',NULL,now(),'9999-12-31'),('a','{}',NULL,'1970-01-01',now())",
      "1 pending, 2 published, 3 unknown, 4 dead|unknown",
    ),
    "SELECT id FROM zerodate_outbox WHERE published_at IS NULL AND cancelled_at = '1970-01-01' AND abandoned_at = '9999-12-31'",
  ),
  claimed(
    stated(
      "CREATE TABLE left_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, retries_left tinyint NOT NULL DEFAULT 3, sent tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent createdAt=created_at",
      "INSERT INTO left_outbox (event_type,payload,retries_left,sent) VALUES ('a','{}',3,0),('a','{}',2,1),('a','{}',1,0),('a','{}',0,0),('a','{}',-1,0)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown, 5 dead|unknown",
    ),
    "SELECT id FROM left_outbox WHERE sent = 0 AND retries_left > 0",
  ),
  claimed(
    stated(
      "CREATE TABLE ack_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime, kafka_ack tinyint(1), created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload publishedAt?=sent_at createdAt=created_at",
      "INSERT INTO ack_outbox (event_type,payload,sent_at,kafka_ack) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),1),('a','{}',now(),0)",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM ack_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE kz_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, kz_storno char(1) NOT NULL DEFAULT 'N', kz_fehler char(1) NOT NULL DEFAULT 'N', gesendet_am datetime, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload publishedAt=gesendet_am createdAt=created_at",
      "INSERT INTO kz_outbox (event_type,payload,kz_storno,kz_fehler,gesendet_am) VALUES ('a','{}','N','N',NULL),('a','{}','N','N',now()),('a','{}','J','N',NULL),('a','{}','N','J',NULL)",
      "1 pending, 2 published, 3 unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM kz_outbox WHERE gesendet_am IS NULL AND kz_storno='N' AND kz_fehler='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE mdate_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_date date, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt?=sent_date",
      "INSERT INTO mdate_outbox (event_type,payload,sent_date) VALUES ('a','{}',NULL),('a','{}',current_date)",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM mdate_outbox WHERE sent_date IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE mnum_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent decimal(1,0) NOT NULL DEFAULT 0, failed decimal(1,0) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=sent publishedAt?=sent",
      "INSERT INTO mnum_outbox (event_type,payload,sent,failed) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',0,1)",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM mnum_outbox WHERE sent = 0 AND failed = 0",
  ),
  // A comment says what the numbers mean.
  claimed(
    stated(
      "CREATE TABLE mcomment_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status tinyint NOT NULL DEFAULT 0 COMMENT '0 held 1 pending 2 sent', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status=status",
      "INSERT INTO mcomment_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 unknown, 2 pending|unknown, 3 published|unknown",
    ),
    "SELECT id FROM mcomment_outbox WHERE status = 1",
  ),
  claimed(
    stated(
      "CREATE TABLE myear_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime NOT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt?=sent_at",
      "INSERT INTO myear_outbox (event_type,payload,sent_at) VALUES ('a','{}','0001-01-01'),('a','{}',now())",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM myear_outbox WHERE sent_at < '1000-01-01'",
  ),
  claimed(
    stated(
      "CREATE TABLE mset_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime, flags set('held','urgent') NOT NULL DEFAULT '', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at",
      "INSERT INTO mset_outbox (event_type,payload,sent_at,flags) VALUES ('a','{}',NULL,''),('a','{}',now(),''),('a','{}',NULL,'held')",
      "1 pending|unknown, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM mset_outbox WHERE sent_at IS NULL AND flags NOT LIKE '%held%'",
  ),
];
