import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Codes in tinyint(1), flags that a row needs, and times that every change of a row writes. */
export const CLAIMED_MYSQL_CODES_AND_CHANGES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE t_event_publish (id bigint AUTO_INCREMENT PRIMARY KEY, event_key varchar(64) NOT NULL, event_name varchar(64) NOT NULL, event_body text NOT NULL, event_status tinyint(1) NOT NULL DEFAULT 0 COMMENT '0 unpublished 1 published', gmt_create datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id createdAt=gmt_create payload=event_body status=event_status aggregateId=event_key eventType=event_name order?=id",
      "INSERT INTO t_event_publish (event_key,event_name,event_body,event_status) VALUES ('k','a','{}',0),('k','a','{}',1)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM t_event_publish WHERE event_status=0",
  ),
  // Processed_at is the time of any change.
  claimed(
    stated(
      "CREATE TABLE onupd_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, attempts int NOT NULL DEFAULT 0, processed_at timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload attempts=attempts createdAt=created_at order?=id",
      "INSERT INTO onupd_outbox (event_type,payload,attempts,processed_at) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',3,now())",
      "1 pending|unknown, 2 unknown, 3 unknown",
    ),
    "SELECT id FROM onupd_outbox WHERE processed_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE kolejka_wyjsciowa (id bigint AUTO_INCREMENT PRIMARY KEY, typ_zdarzenia varchar(60) NOT NULL, tresc json NOT NULL, czy_wyslane tinyint(1) NOT NULL DEFAULT 0, czy_anulowane tinyint(1) NOT NULL DEFAULT 0, data_utworzenia datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, data_wyslania datetime NULL)",
      "id=id eventType=typ_zdarzenia payload=tresc createdAt=data_utworzenia publishedAt=data_wyslania order?=id",
      "INSERT INTO kolejka_wyjsciowa (typ_zdarzenia,tresc,czy_wyslane,czy_anulowane,data_wyslania) VALUES ('a','{}',0,0,NULL),('a','{}',1,0,now()),('a','{}',0,1,NULL)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM kolejka_wyjsciowa WHERE czy_wyslane=0 AND czy_anulowane=0",
  ),
  // Ready is set by a second transaction.
  claimed(
    stated(
      "CREATE TABLE ready_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, ready tinyint(1) NOT NULL DEFAULT 0, published tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO ready_outbox (event_type,payload,ready,published) VALUES ('a','{}',1,0),('a','{}',0,0),('a','{}',1,1)",
      "1 pending|unknown, 2 unknown|pending, 3 published",
    ),
    "SELECT id FROM ready_outbox WHERE ready=1 AND published=0",
  ),
  claimed(
    stated(
      "CREATE TABLE t_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, `state` tinyint unsigned NOT NULL DEFAULT 0 COMMENT '0 init 1 sending 2 success 3 fail 4 abandoned', gmt_create datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, gmt_modified datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)",
      "id=id eventType=event_type payload=payload status=state createdAt=gmt_create order?=id",
      "INSERT INTO t_outbox (event_type,payload,`state`) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3),('a','{}',4)",
      "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead",
    ),
    "SELECT id FROM t_outbox WHERE `state` IN (0,3)",
  ),
  claimed(
    stated(
      "CREATE TABLE ver_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, status smallint NOT NULL DEFAULT 0 COMMENT '-1 cancelled, 0 waiting, 1 in progress, 2 done', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO ver_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',-1)",
      "1 pending, 2 in_flight, 3 published, 4 unknown",
    ),
    "SELECT id FROM ver_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE eventos_salida (id bigint AUTO_INCREMENT PRIMARY KEY, tipo varchar(60) NOT NULL, datos json NOT NULL, estado enum('pendiente','enviando','enviado','error','descartado') NOT NULL DEFAULT 'pendiente', intentos tinyint NOT NULL DEFAULT 0, error_mensaje text, creado_el datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id payload=datos status=estado attempts=intentos createdAt=creado_el lastError=error_mensaje eventType=tipo order?=id",
      "INSERT INTO eventos_salida (tipo,datos,estado,intentos,error_mensaje) VALUES ('a','{}','pendiente',0,NULL),('a','{}','enviando',1,NULL),('a','{}','enviado',1,NULL),('a','{}','error',2,'x'),('a','{}','descartado',5,'x')",
      "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead",
    ),
    "SELECT id FROM eventos_salida WHERE estado='pendiente'",
  ),
  claimed(
    stated(
      "CREATE TABLE del2_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, status varchar(16) NOT NULL DEFAULT 'init', yn tinyint NOT NULL DEFAULT 1 COMMENT '1 valid 0 invalid', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO del2_outbox (event_type,payload,status,yn) VALUES ('a','{}','init',1),('a','{}','success',1),('a','{}','init',0)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM del2_outbox WHERE status='init' AND yn=1",
  ),
  claimed(
    stated(
      "CREATE TABLE fila_saida (id bigint AUTO_INCREMENT PRIMARY KEY, tipo_evento varchar(60) NOT NULL, mensagem json NOT NULL, enviada char(1) NOT NULL DEFAULT 'N', bloqueada char(1) NOT NULL DEFAULT 'N', qtd_tentativas int NOT NULL DEFAULT 0, dt_criacao datetime NOT NULL DEFAULT CURRENT_TIMESTAMP)",
      "id=id eventType=tipo_evento attempts=qtd_tentativas createdAt=dt_criacao status=enviada payload=mensagem order?=id",
      "INSERT INTO fila_saida (tipo_evento,mensagem,enviada,bloqueada,qtd_tentativas) VALUES ('a','{}','N','N',0),('a','{}','S','N',1),('a','{}','N','S',0),('a','{}','N','N',2)",
      "1 pending, 2 published, 3 unknown|in_flight, 4 failed",
    ),
    "SELECT id FROM fila_saida WHERE enviada='N' AND bloqueada='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE k_flag_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, sent_at datetime NULL, canceled char(1) NULL, hidden varchar(1) NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO k_flag_outbox (event_type,payload,sent_at,canceled,hidden) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'Y',NULL),('a','{}',NULL,NULL,'1')",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM k_flag_outbox WHERE sent_at IS NULL AND canceled IS NULL AND hidden IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE k_sent2_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, is_sent tinyint(1) NOT NULL DEFAULT 0 COMMENT '0=no,1=yes,2=abandoned', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at status=is_sent order?=id",
      "INSERT INTO k_sent2_outbox (event_type,payload,is_sent) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending|unknown, 2 published|unknown, 3 dead|unknown",
    ),
    "SELECT id FROM k_sent2_outbox WHERE is_sent=0",
  ),
  // No row has a 2 yet.
  claimed(
    stated(
      "CREATE TABLE k_sent2b_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, is_sent tinyint(1) NOT NULL DEFAULT 0 COMMENT '0 not sent, 1 sending, 2 sent', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at status=is_sent order?=id",
      "INSERT INTO k_sent2b_outbox (event_type,payload,is_sent) VALUES ('a','{}',0),('a','{}',1)",
      "1 pending|unknown, 2 in_flight|unknown",
    ),
    "SELECT id FROM k_sent2b_outbox WHERE is_sent=0",
  ),
  claimed(
    stated(
      "CREATE TABLE k_status1_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, status tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO k_status1_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 unknown|published, 3 unknown",
    ),
    "SELECT id FROM k_status1_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE k_upsert_outbox (sku varchar(40) PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, sent_at datetime(6) NULL, updated_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "eventType=event_type payload=payload publishedAt=sent_at id=sku",
      "INSERT INTO k_upsert_outbox (sku,event_type,payload,sent_at,updated_at) VALUES ('a','a','{}',NULL,now(6)),('b','a','{}',now(6),now(6)-INTERVAL 1 DAY),('c','a','{}',now(6)-INTERVAL 1 DAY,now(6))",
      "a pending, b published, c unknown|pending",
    ),
    "SELECT sku FROM k_upsert_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE k_errc_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, sent_at datetime NULL, attempts int NOT NULL DEFAULT 0, error_type enum('TRANSIENT','PERMANENT') NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload attempts=attempts createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO k_errc_outbox (event_type,payload,sent_at,attempts,error_type) VALUES ('a','{}',NULL,0,NULL),('a','{}',now(),1,NULL),('a','{}',NULL,1,'TRANSIENT'),('a','{}',NULL,1,'PERMANENT')",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM k_errc_outbox WHERE sent_at IS NULL AND (error_type IS NULL OR error_type='TRANSIENT')",
  ),
  claimed(
    stated(
      "CREATE TABLE k_delay_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, delay_ms int unsigned NOT NULL DEFAULT 0, state enum('NEW','SENT') NOT NULL DEFAULT 'NEW', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO k_delay_outbox (event_type,payload,delay_ms,state) VALUES ('a','{}',0,'NEW'),('a','{}',60000,'NEW'),('a','{}',0,'SENT')",
      "1 pending, 2 unknown|scheduled, 3 published",
    ),
    "SELECT id FROM k_delay_outbox WHERE state='NEW' AND delay_ms=0",
  ),
  claimed(
    stated(
      "CREATE TABLE k_rec_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, rec_status enum('A','D') NOT NULL DEFAULT 'A', sent tinyint(1) NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO k_rec_outbox (event_type,payload,rec_status,sent) VALUES ('a','{}','A',0),('a','{}','A',1),('a','{}','D',0)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM k_rec_outbox WHERE sent=0 AND rec_status='A'",
  ),
  claimed(
    stated(
      "CREATE TABLE k_perr_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, done tinyint(1) NOT NULL DEFAULT 0, error_message text NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=error_message publishedAt=done order?=id",
      "INSERT INTO k_perr_outbox (event_type,payload,done,error_message) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',1,'x'),('a','{}',0,'x')",
      "1 pending, 2 published, 3 unknown|failed|dead, 4 failed",
    ),
    "SELECT id FROM k_perr_outbox WHERE done=0",
  ),
  claimed(
    stated(
      "CREATE TABLE k_ver_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, version int NOT NULL DEFAULT 1, sent_version int NULL, sent_at datetime NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO k_ver_outbox (event_type,payload,version,sent_version,sent_at) VALUES ('a','{}',1,NULL,NULL),('a','{}',1,1,now()),('a','{}',3,2,now())",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM k_ver_outbox WHERE sent_version IS NULL OR sent_version<version",
  ),
  claimed(
    stated(
      "CREATE TABLE k_words_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL, status varchar(20) NOT NULL DEFAULT '待处理', created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO k_words_outbox (event_type,payload,status) VALUES ('a','{}','待处理'),('a','{}','处理成功'),('a','{}','处理失败'),('a','{}','已取消')",
      "1 pending, 2 published, 3 failed|dead, 4 unknown",
    ),
    "SELECT id FROM k_words_outbox WHERE status='待处理'",
  ),
];
