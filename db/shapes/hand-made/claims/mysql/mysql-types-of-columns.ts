import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes with types, modes and defaults that only MySQL and MariaDB have. */
export const CLAIMED_MYSQL_TYPES_OF_COLUMNS: readonly ClaimedTable[] = [
  // Without a DEFAULT a new row has the first label.
  claimed(
    stated(
      "CREATE TABLE cola_eventos_salida (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, tipo_evento varchar(60) NOT NULL, contenido mediumtext NOT NULL, estado enum('CREADO','ENVIANDO','ENVIADO','ERROR','DESCARTADO') NOT NULL, intentos tinyint unsigned NOT NULL DEFAULT 0, creado_en datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=tipo_evento payload=contenido status=estado attempts=intentos createdAt=creado_en order?=id",
      "INSERT INTO cola_eventos_salida (tipo_evento,contenido) VALUES ('a','{}'); INSERT INTO cola_eventos_salida (tipo_evento,contenido,estado,intentos) VALUES ('a','{}','ENVIANDO',0),('a','{}','ENVIADO',0),('a','{}','ERROR',2),('a','{}','DESCARTADO',9),('a','{}','CREADO',0)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 dead, 6 pending",
    ),
    "SELECT id FROM cola_eventos_salida WHERE estado = 'CREADO'",
  ),
  // A set of what has happened: a row may be sent and failed at once.
  claimed(
    stated(
      "CREATE TABLE outbox_marks (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, marks set('sent','acked','failed') NOT NULL DEFAULT '', created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status?=marks",
      "INSERT INTO outbox_marks (event_type,payload,marks) VALUES ('a','{}',''),('a','{}','sent'),('a','{}','sent,acked'),('a','{}','failed'),('a','{}','sent,failed')",
      "1 pending, 2 published|in_flight, 3 published, 4 failed, 5 failed",
    ),
    "SELECT id FROM outbox_marks WHERE FIND_IN_SET('sent', marks) = 0",
  ),
  // The same as the only status.
  claimed(
    stated(
      "CREATE TABLE outbox_state_set (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status set('PENDING','SENT','FAILED') NOT NULL DEFAULT 'PENDING', created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=status",
      "INSERT INTO outbox_state_set (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','SENT'),('a','{}','PENDING,FAILED'),('a','{}','SENT,FAILED'),('a','{}','FAILED'),('a','{}','')",
      "1 pending, 2 published, 3 failed, 4 published|failed, 5 failed|dead, 6 unknown",
    ),
    "SELECT id FROM outbox_state_set WHERE FIND_IN_SET('PENDING', status) > 0",
  ),
  // Two bits, of which the second ends a row.
  claimed(
    stated(
      "CREATE TABLE event_outbox (event_no bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_key varchar(80) NOT NULL, event_name varchar(80) NOT NULL, event_body longtext NOT NULL, sent bit(1) NOT NULL DEFAULT b'0', gave_up bit(1) NOT NULL DEFAULT b'0', tries smallint unsigned NOT NULL DEFAULT 0, raised_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=event_no aggregateId=event_key eventType=event_name payload=event_body publishedAt=sent attempts=tries createdAt=raised_at order?=event_no",
      "INSERT INTO event_outbox (event_key,event_name,event_body,sent,gave_up,tries) VALUES ('k','a','{}',b'0',b'0',0),('k','a','{}',b'1',b'0',1),('k','a','{}',b'0',b'0',2),('k','a','{}',b'0',b'1',9)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT event_no FROM event_outbox WHERE sent = b'0' AND gave_up = b'0'",
  ),
  // Codes below zero, in the column's comment.
  claimed(
    stated(
      "CREATE TABLE evt_outbox_codes (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, type varchar(60) NOT NULL, body text NOT NULL, state tinyint NOT NULL DEFAULT 0 COMMENT '0 new, 1 sent, -1 failed, -2 dead', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=type payload=body status=state createdAt=created_at order?=id",
      "INSERT INTO evt_outbox_codes (type,body,state) VALUES ('a','{}',0),('a','{}',1),('a','{}',-1),('a','{}',-2)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM evt_outbox_codes WHERE state IN (0)",
  ),
  // A flag's type that holds a 9 for what is left alone.
  claimed(
    stated(
      "CREATE TABLE outbox_nine (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, processed tinyint(1) unsigned NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload publishedAt?=processed status?=processed createdAt=created_at order?=id",
      "INSERT INTO outbox_nine (event_type,payload,processed) VALUES ('a','{}',0),('a','{}',1),('a','{}',9)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM outbox_nine WHERE processed = 0",
  ),
  // A zero date for not yet, by default.
  claimed(
    stated(
      "SET SESSION sql_mode=''; CREATE TABLE outbox_zero (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload longtext NOT NULL, sent_at datetime NOT NULL DEFAULT '0000-00-00 00:00:00', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, tries int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at attempts=tries order?=id",
      "SET SESSION sql_mode=''; INSERT INTO outbox_zero (event_type,payload) VALUES ('a','{}'); INSERT INTO outbox_zero (event_type,payload,sent_at,tries) VALUES ('a','{}','2026-01-05 10:00:00',1),('a','{}','0000-00-00 00:00:00',2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_zero WHERE sent_at = 0",
  ),
  // A zero date in rows alone, beside nulls.
  claimed(
    stated(
      "SET SESSION sql_mode=''; CREATE TABLE outbox_zero_rows (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload longtext NOT NULL, sent_at datetime NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at order?=id",
      "SET SESSION sql_mode=''; INSERT INTO outbox_zero_rows (event_type,payload,sent_at) VALUES ('a','{}',NULL),('a','{}','2026-01-05 10:00:00'),('a','{}','0000-00-00 00:00:00')",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM outbox_zero_rows WHERE sent_at IS NULL OR sent_at = 0",
  ),
  // Ids beyond what a signed number holds.
  claimed(
    stated(
      "CREATE TABLE outbox_huge_ids (id bigint unsigned NOT NULL PRIMARY KEY, aggregate_id bigint unsigned NOT NULL, event_type varchar(60) NOT NULL, payload json NOT NULL, status varchar(12) NOT NULL DEFAULT 'NEW', retry_count int NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id aggregateId=aggregate_id eventType=event_type payload=payload status=status attempts=retry_count createdAt=created_at order?=id",
      "INSERT INTO outbox_huge_ids (id,aggregate_id,event_type,payload,status,retry_count) VALUES (18446744073709551615,18446744073709551614,'a','{}','NEW',0),(18446744073709551613,9223372036854775808,'a','{}','PUBLISHED',0),(9223372036854775809,1,'a','{}','FAILED',3)",
      "18446744073709551615 pending, 18446744073709551613 published, 9223372036854775809 failed|dead",
    ),
    "SELECT id FROM outbox_huge_ids WHERE status = 'NEW'",
  ),
  // A stored mark of waiting rows that the database computes, for its index.
  claimed(
    stated(
      "CREATE TABLE outbox_open_mark (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, sent_at datetime(6) NULL, open_mark tinyint AS (IF(sent_at IS NULL, 1, NULL)) STORED, failed_count int NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), KEY (open_mark, id))",
      "id=id eventType=event_type payload=payload publishedAt=sent_at attempts=failed_count createdAt=created_at order?=id",
      "INSERT INTO outbox_open_mark (event_type,payload,sent_at,failed_count) VALUES ('a','{}',NULL,0),('a','{}',UTC_TIMESTAMP(6),0),('a','{}',NULL,4)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_open_mark WHERE open_mark = 1",
  ),
  // Words in any case, which this collation does not tell apart.
  claimed(
    stated(
      "CREATE TABLE outbox_cases (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload text NOT NULL, status varchar(12) CHARACTER SET utf8 COLLATE utf8_general_ci NOT NULL DEFAULT 'pending', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_cases (event_type,payload,status) VALUES ('a','{}','pending'),('a','{}','Sent'),('a','{}','SENT '),('a','{}','fAiLeD'),('a','{}','Pending')",
      "1 pending, 2 published, 3 published, 4 failed|dead, 5 pending",
    ),
    "SELECT id FROM outbox_cases WHERE status = 'pending'",
  ),
  // A binary collation does tell them apart: the relay sees only its own spelling.
  claimed(
    stated(
      "CREATE TABLE outbox_exact_cases (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload text NOT NULL, sent char(1) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL DEFAULT 'n', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload status?=sent publishedAt?=sent createdAt=created_at order?=id",
      "INSERT INTO outbox_exact_cases (event_type,payload,sent) VALUES ('a','{}','n'),('a','{}','y'),('a','{}','f')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_exact_cases WHERE sent = 'n'",
  ),
  // The only status is computed from a document, so that it cannot be written.
  claimed(
    stated(
      "CREATE TABLE outbox_docs (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, delivery json NOT NULL, status varchar(20) AS (JSON_UNQUOTE(JSON_EXTRACT(delivery, '$.status'))) VIRTUAL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      `INSERT INTO outbox_docs (event_type,payload,delivery) VALUES ('a','{}','{"status":"pending"}'),('a','{}','{"status":"sent"}'),('a','{}','{"status":"failed"}')`,
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_docs WHERE status = 'pending'",
  ),
  // Times as unsigned numbers of seconds, 0 for none.
  claimed(
    stated(
      "CREATE TABLE tbl_outbox (outbox_id mediumint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, subject_id int unsigned NOT NULL, evt varchar(40) NOT NULL, msg blob NOT NULL, ctime int unsigned NOT NULL, next_try int unsigned NOT NULL DEFAULT 0, sent_time int unsigned NOT NULL DEFAULT 0, fails tinyint unsigned NOT NULL DEFAULT 0)",
      "id=outbox_id aggregateId?=subject_id eventType=evt payload=msg createdAt=ctime availableAt=next_try publishedAt=sent_time attempts=fails order?=outbox_id",
      "INSERT INTO tbl_outbox (subject_id,evt,msg,ctime,next_try,sent_time,fails) VALUES (1,'a','x',1767225600,0,0,0),(1,'a','x',1767225600,0,1767225700,0),(1,'a','x',1767225600,1767225900,0,2),(1,'a','x',1767225600,4000000000,0,1)",
      "1 pending, 2 published, 3 failed, 4 failed",
    ),
    "SELECT outbox_id FROM tbl_outbox WHERE sent_time = 0 AND next_try <= UNIX_TIMESTAMP()",
  ),
  // Partitioned by day: the key has two columns.
  claimed(
    stated(
      "CREATE TABLE outbox_by_day (id bigint NOT NULL AUTO_INCREMENT, day date NOT NULL, event_type varchar(60) NOT NULL, payload json NOT NULL, published tinyint(1) NOT NULL DEFAULT 0, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (id, day)) PARTITION BY RANGE (TO_DAYS(day)) (PARTITION p0 VALUES LESS THAN (TO_DAYS('2026-01-02')), PARTITION p1 VALUES LESS THAN MAXVALUE)",
      "id=id eventType=event_type payload=payload publishedAt=published createdAt=created_at order?=id",
      "INSERT INTO outbox_by_day (day,event_type,payload,published) VALUES ('2026-01-01','a','{}',0),('2026-01-02','a','{}',1),('2026-01-03','a','{}',0)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM outbox_by_day WHERE published = 0",
  ),
  // A decimal for a code, explained in Portuguese.
  claimed(
    stated(
      "CREATE TABLE TB_EVENTO_SAIDA (CD_EVENTO bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, TP_EVENTO varchar(60) NOT NULL, TX_CONTEUDO longtext NOT NULL, ST_ENVIO decimal(1,0) NOT NULL DEFAULT 0 COMMENT '0 - aguardando; 1 - enviado; 2 - erro; 3 - cancelado', NR_TENTATIVAS decimal(3,0) NOT NULL DEFAULT 0, DT_CRIACAO datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=CD_EVENTO eventType=TP_EVENTO payload=TX_CONTEUDO status=ST_ENVIO attempts=NR_TENTATIVAS createdAt=DT_CRIACAO order?=CD_EVENTO",
      "INSERT INTO TB_EVENTO_SAIDA (TP_EVENTO,TX_CONTEUDO,ST_ENVIO,NR_TENTATIVAS) VALUES ('a','x',0,0),('a','x',1,0),('a','x',2,3),('a','x',3,0)",
      "1 pending, 2 published, 3 failed|dead, 4 unknown|dead",
    ),
    "SELECT CD_EVENTO FROM TB_EVENTO_SAIDA WHERE ST_ENVIO = 0",
  ),
  // A time that every change writes stands before the mark.
  claimed(
    stated(
      "CREATE TABLE outbox_touched (id binary(16) NOT NULL PRIMARY KEY, topic varchar(100) NOT NULL, payload varbinary(8000) NOT NULL, dispatched_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, dispatched tinyint(1) NOT NULL DEFAULT 0, error_count tinyint NOT NULL DEFAULT 0)",
      "id=id topic=topic payload=payload publishedAt=dispatched attempts=error_count",
      "INSERT INTO outbox_touched (id,topic,payload,dispatched,error_count) VALUES (UNHEX('00000000000000000000000000000001'),'a','x',0,0),(UNHEX('00000000000000000000000000000002'),'a','x',1,0),(UNHEX('00000000000000000000000000000003'),'a','x',0,2)",
      "00000000-0000-0000-0000-000000000001 pending, 00000000-0000-0000-0000-000000000002 published, 00000000-0000-0000-0000-000000000003 failed",
    ),
    "SELECT LOWER(INSERT(INSERT(INSERT(INSERT(HEX(id), 21, 0, '-'), 17, 0, '-'), 13, 0, '-'), 9, 0, '-')) FROM outbox_touched WHERE dispatched = 0",
  ),
  // A label of no letters, as a row gets in a session without strict mode.
  claimed(
    stated(
      "SET SESSION sql_mode=''; CREATE TABLE outbox_lax (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(60) NOT NULL, payload json NOT NULL, status enum('new','sent','failed') NOT NULL DEFAULT 'new', created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "SET SESSION sql_mode=''; INSERT INTO outbox_lax (event_type,payload,status) VALUES ('a','{}','new'),('a','{}','sent'),('a','{}','publishedd')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM outbox_lax WHERE status = 'new'",
  ),
];
