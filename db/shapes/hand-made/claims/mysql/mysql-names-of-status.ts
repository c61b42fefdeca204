import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes of MySQL whose status has a further word in its name, or whose names are of a language. */
export const CLAIMED_MYSQL_NAMES_OF_STATUS: readonly ClaimedTable[] = [
  // The status of a task, which no default begins with.
  claimed(
    stated(
      "CREATE TABLE domain_event_publication_task (id binary(16) NOT NULL PRIMARY KEY, aggregate_root_id varchar(255) NOT NULL, event_class_name varchar(255) NOT NULL, serialized_event longtext NOT NULL, task_status enum('READY','RUNNING','SUCCEEDED','FAILED_RETRYABLE','FAILED_PERMANENTLY') NOT NULL, execution_count int NOT NULL, next_execution_time datetime(6) NULL, claimed_by varchar(64) NULL, claim_expiry datetime(6) NULL, created_time datetime(6) NOT NULL, completed_time datetime(6) NULL)",
      "id=id aggregateId=aggregate_root_id eventType=event_class_name payload=serialized_event status=task_status attempts=execution_count availableAt=next_execution_time lockedBy=claimed_by lockedUntil=claim_expiry createdAt=created_time publishedAt=completed_time",
      "INSERT INTO domain_event_publication_task VALUES (UNHEX('00000000000000000000000000000001'),'a','E','{}','READY',0,NULL,NULL,NULL,UTC_TIMESTAMP(6),NULL),(UNHEX('00000000000000000000000000000002'),'a','E','{}','RUNNING',1,NULL,'w',UTC_TIMESTAMP(6) + INTERVAL 1 HOUR,UTC_TIMESTAMP(6),NULL),(UNHEX('00000000000000000000000000000003'),'a','E','{}','SUCCEEDED',1,NULL,NULL,NULL,UTC_TIMESTAMP(6),UTC_TIMESTAMP(6)),(UNHEX('00000000000000000000000000000004'),'a','E','{}','FAILED_RETRYABLE',2,UTC_TIMESTAMP(6) + INTERVAL 1 HOUR,NULL,NULL,UTC_TIMESTAMP(6),NULL),(UNHEX('00000000000000000000000000000005'),'a','E','{}','FAILED_PERMANENTLY',5,NULL,NULL,NULL,UTC_TIMESTAMP(6),NULL)",
      "00000000-0000-0000-0000-000000000001 pending, 00000000-0000-0000-0000-000000000002 in_flight, 00000000-0000-0000-0000-000000000003 published, 00000000-0000-0000-0000-000000000004 failed, 00000000-0000-0000-0000-000000000005 dead",
    ),
    "SELECT LOWER(CONCAT_WS('-',SUBSTR(HEX(id),1,8),SUBSTR(HEX(id),9,4),SUBSTR(HEX(id),13,4),SUBSTR(HEX(id),17,4),SUBSTR(HEX(id),21))) FROM domain_event_publication_task WHERE task_status IN ('READY','FAILED_RETRYABLE') AND (next_execution_time IS NULL OR next_execution_time <= {now})",
  ),
  // A status of sending in Indonesian; Russian and Finnish names of what is to be sent.
  claimed(
    stated(
      "CREATE TABLE antrian_kirim_event (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, jenis_event varchar(60) NOT NULL, kode_referensi varchar(60), isi_pesan json NOT NULL, status_kirim enum('menunggu','diproses','terkirim','gagal') NOT NULL DEFAULT 'menunggu', jumlah_percobaan int NOT NULL DEFAULT 0, pesan_error text, dibuat_pada datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, dikirim_pada datetime NULL)",
      "id=id eventType=jenis_event aggregateId=kode_referensi payload=isi_pesan status=status_kirim attempts=jumlah_percobaan lastError=pesan_error createdAt=dibuat_pada publishedAt=dikirim_pada order?=id",
      "INSERT INTO antrian_kirim_event (jenis_event,isi_pesan,status_kirim,jumlah_percobaan,pesan_error,dikirim_pada) VALUES ('a','{}','menunggu',0,NULL,NULL),('a','{}','diproses',0,NULL,NULL),('a','{}','terkirim',1,NULL,UTC_TIMESTAMP()),('a','{}','gagal',3,'x',NULL),('a','{}','menunggu',1,'x',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 failed",
    ),
    "SELECT id FROM antrian_kirim_event WHERE status_kirim = 'menunggu'",
  ),
  claimed(
    stated(
      "CREATE TABLE ochered_otpravki (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, tip_sobytiya varchar(50) NOT NULL, soderzhimoe longtext NOT NULL, otpravleno tinyint(1) NOT NULL DEFAULT 0, data_otpravki datetime NULL, popytki int NOT NULL DEFAULT 0, oshibka text, sozdano datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=tip_sobytiya payload=soderzhimoe publishedAt=data_otpravki attempts=popytki lastError=oshibka createdAt=sozdano order?=id",
      "INSERT INTO ochered_otpravki (tip_sobytiya,soderzhimoe,otpravleno,data_otpravki,popytki,oshibka) VALUES ('a','{}',0,NULL,0,NULL),('a','{}',1,UTC_TIMESTAMP(),1,NULL),('a','{}',0,NULL,2,'x'),('a','{}',1,UTC_TIMESTAMP(),1,NULL),('a','{}',0,NULL,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    "SELECT id FROM ochered_otpravki WHERE otpravleno = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE lahetettavat_tapahtumat (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, tapahtuman_tyyppi varchar(80) NOT NULL, sisalto json NOT NULL, luotu datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, lahetetty datetime NULL, yritykset int NOT NULL DEFAULT 0, viimeisin_virhe text)",
      "id=id eventType=tapahtuman_tyyppi payload=sisalto createdAt=luotu publishedAt=lahetetty attempts=yritykset lastError=viimeisin_virhe order?=id",
      "INSERT INTO lahetettavat_tapahtumat (tapahtuman_tyyppi,sisalto,lahetetty,yritykset,viimeisin_virhe) VALUES ('a','{}',NULL,0,NULL),('a','{}',UTC_TIMESTAMP(),1,NULL),('a','{}',NULL,2,'x'),('a','{}',UTC_TIMESTAMP(),1,NULL),('a','{}',NULL,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    "SELECT id FROM lahetettavat_tapahtumat WHERE lahetetty IS NULL",
  ),
  // Codes that a comment explains in Korean.
  claimed(
    stated(
      "CREATE TABLE event_publish_queue (seq bigint NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT '순번', event_name varchar(100) NOT NULL COMMENT '이벤트명', event_key varchar(100) COMMENT '이벤트키', event_body json NOT NULL COMMENT '이벤트본문', pub_stat varchar(2) NOT NULL DEFAULT '00' COMMENT '발행상태(00:대기,10:발행중,20:발행완료,99:실패)', fail_cnt int NOT NULL DEFAULT 0 COMMENT '실패횟수', fail_rsn varchar(1000) COMMENT '실패사유', frst_regr_dtm datetime NOT NULL DEFAULT CURRENT_TIMESTAMP COMMENT '최초등록일시', pub_dtm datetime COMMENT '발행일시')",
      "id=seq eventType=event_name aggregateId=event_key payload=event_body status=pub_stat attempts=fail_cnt lastError=fail_rsn createdAt=frst_regr_dtm publishedAt=pub_dtm order?=seq",
      "INSERT INTO event_publish_queue (event_name,event_body,pub_stat,fail_cnt,fail_rsn,pub_dtm) VALUES ('a','{}','00',0,NULL,NULL),('a','{}','10',0,NULL,NULL),('a','{}','20',0,NULL,UTC_TIMESTAMP()),('a','{}','99',3,'x',NULL),('a','{}','00',1,'x',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 failed",
    ),
    "SELECT seq FROM event_publish_queue WHERE pub_stat = '00'",
  ),
  // Times with a zone behind them.
  claimed(
    stated(
      "CREATE TABLE wp_acme_event_queue (ID bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_name varchar(191) NOT NULL, event_data longtext NOT NULL, event_status varchar(20) NOT NULL DEFAULT 'pending', retry_count int NOT NULL DEFAULT 0, date_created_gmt datetime NOT NULL, date_published_gmt datetime NULL, error_log longtext)",
      "id=ID eventType=event_name payload=event_data status=event_status attempts=retry_count createdAt=date_created_gmt publishedAt=date_published_gmt lastError=error_log order?=ID",
      "INSERT INTO wp_acme_event_queue (event_name,event_data,event_status,retry_count,date_created_gmt,date_published_gmt,error_log) VALUES ('a','{}','pending',0,UTC_TIMESTAMP(),NULL,NULL),('a','{}','published',0,UTC_TIMESTAMP(),UTC_TIMESTAMP(),NULL),('a','{}','failed',3,UTC_TIMESTAMP(),NULL,'x'),('a','{}','pending',1,UTC_TIMESTAMP(),NULL,'x'),('a','{}','published',1,UTC_TIMESTAMP(),UTC_TIMESTAMP(),NULL)",
      "1 pending, 2 published, 3 failed|dead, 4 failed, 5 published",
    ),
    "SELECT ID FROM wp_acme_event_queue WHERE event_status = 'pending'",
  ),
  // Words of a status that is not read, of which none is a default: a row with another than a waiting one is unknown.
  claimed(
    stated(
      "CREATE TABLE hop_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(80) NOT NULL, payload json NOT NULL, hop_status enum('READY','DONE','REFUSED','FAILED_PERMANENTLY') NOT NULL, published_at datetime(6) NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id status?=hop_status",
      "INSERT INTO hop_outbox (event_type,payload,hop_status,published_at) VALUES ('a','{}','READY',NULL),('a','{}','DONE',UTC_TIMESTAMP(6)),('a','{}','FAILED_PERMANENTLY',NULL),('a','{}','REFUSED',NULL)",
      "1 pending, 2 published, 3 dead|unknown, 4 unknown",
    ),
    "SELECT id FROM hop_outbox WHERE hop_status = 'READY'",
  ),
  // Each column begins with the same letters, and is shortened.
  claimed(
    stated(
      "CREATE TABLE evt_bus_out (evt_uid varchar(36) NOT NULL PRIMARY KEY, evt_ver int NOT NULL DEFAULT 1, evt_typ varchar(60) NOT NULL, evt_dat json NOT NULL, evt_crt_ts bigint NOT NULL, evt_snt_ts bigint NOT NULL DEFAULT -1, evt_rty int NOT NULL DEFAULT 0, evt_err text)",
      "id=evt_uid eventType=evt_typ payload=evt_dat createdAt=evt_crt_ts publishedAt=evt_snt_ts attempts=evt_rty lastError=evt_err",
      "INSERT INTO evt_bus_out (evt_uid,evt_typ,evt_dat,evt_crt_ts,evt_snt_ts,evt_rty,evt_err) VALUES ('a','t','{}',1764300000000,-1,0,NULL),('b','t','{}',1764300000000,1764300001000,0,NULL),('c','t','{}',1764300000000,-1,2,'x'),('d','t','{}',1764300000000,1764300001000,1,NULL),('e','t','{}',1764300000000,-1,0,NULL)",
      "a pending, b published, c failed, d published, e pending",
    ),
    "SELECT evt_uid FROM evt_bus_out WHERE evt_snt_ts = -1",
  ),
  // A flag beside the time, and whether it succeeded: a retry takes back all three.
  claimed(
    stated(
      `CREATE TABLE ended_outbox (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(80) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), done tinyint(1) NOT NULL DEFAULT 0, done_at datetime(6) NULL, done_ok tinyint(1) NULL, err text)`,
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=done_at lastError=err",
      "INSERT INTO ended_outbox (event_type,payload,done,done_at,done_ok,err) VALUES ('a','{}',0,NULL,NULL,NULL),('a','{}',1,UTC_TIMESTAMP(6),1,NULL),('a','{}',1,UTC_TIMESTAMP(6),0,'x')",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM ended_outbox WHERE done = 0",
  ),
];
