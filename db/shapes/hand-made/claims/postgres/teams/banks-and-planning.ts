import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Outboxes of banks, of programs of resource planning, and of teams that write Turkish, Russian, Czech, Japanese or
 * Korean.
 */
export const CLAIMED_BANKS_AND_PLANNING: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE t_outbox_vorgang (vorg_nr bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ereignis_art varchar(40) NOT NULL, nutzdaten text NOT NULL, kz_verarb smallint NOT NULL DEFAULT 0 CHECK (kz_verarb IN (0,1,9)), anz_fehlvers smallint NOT NULL DEFAULT 0, erf_dat timestamp NOT NULL DEFAULT now()); COMMENT ON COLUMN t_outbox_vorgang.kz_verarb IS '0 = unverarbeitet, 1 = verarbeitet, 9 = fehlerhaft'",
      "eventType=ereignis_art payload=nutzdaten attempts=anz_fehlvers status=kz_verarb id=vorg_nr order?=vorg_nr",
      "INSERT INTO t_outbox_vorgang (ereignis_art,nutzdaten,kz_verarb,anz_fehlvers) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',9,5),('a','{}',0,2)",
      "1 pending, 2 published, 3 failed|dead, 4 failed",
    ),
    "SELECT vorg_nr FROM t_outbox_vorgang WHERE kz_verarb=0",
  ),
  claimed(
    stated(
      "CREATE TABLE giden_kutusu (id bigserial PRIMARY KEY, olay_tipi varchar(100) NOT NULL, icerik jsonb NOT NULL, durum varchar(20) NOT NULL DEFAULT 'BEKLIYOR', deneme_sayisi int NOT NULL DEFAULT 0, olusturma_tarihi timestamptz NOT NULL DEFAULT now(), gonderim_tarihi timestamptz)",
      "id=id eventType=olay_tipi payload=icerik status=durum attempts=deneme_sayisi createdAt=olusturma_tarihi publishedAt=gonderim_tarihi order?=id",
      "INSERT INTO giden_kutusu (olay_tipi,icerik,durum,deneme_sayisi,gonderim_tarihi) VALUES ('a','{}','BEKLIYOR',0,NULL),('a','{}','GONDERILDI',1,now()),('a','{}','HATA',3,NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM giden_kutusu WHERE durum='BEKLIYOR'",
  ),
  claimed(
    stated(
      "CREATE TABLE siparis_outbox (id bigserial PRIMARY KEY, olay_adi text NOT NULL, payload jsonb NOT NULL, durum smallint NOT NULL DEFAULT 0, gonderildi_mi boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id payload=payload status=durum createdAt=created_at publishedAt=gonderildi_mi eventType=olay_adi order?=id",
      "INSERT INTO siparis_outbox (olay_adi,payload,durum,gonderildi_mi) VALUES ('a','{}',0,false),('a','{}',1,true),('a','{}',2,false)",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM siparis_outbox WHERE NOT gonderildi_mi AND durum=0",
  ),
  claimed(
    stated(
      "CREATE TABLE ishodyaschie_sobytiya (id bigserial PRIMARY KEY, tip_sobytiya varchar(80) NOT NULL, dannye jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT 'NOVOE', data_sozdaniya timestamptz NOT NULL DEFAULT now(), data_otpravki timestamptz)",
      "id=id eventType=tip_sobytiya payload=dannye status=status createdAt=data_sozdaniya publishedAt=data_otpravki order?=id",
      "INSERT INTO ishodyaschie_sobytiya (tip_sobytiya,dannye,status,data_otpravki) VALUES ('a','{}','NOVOE',NULL),('a','{}','OTPRAVLENO',now()),('a','{}','OSHIBKA',NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM ishodyaschie_sobytiya WHERE status='NOVOE'",
  ),
  claimed(
    stated(
      "CREATE TABLE zakaz_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, otpravleno boolean NOT NULL DEFAULT false, oshibka text, sozdano timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lastError=oshibka createdAt=sozdano publishedAt=otpravleno",
      "INSERT INTO zakaz_outbox (id,event_type,payload,otpravleno,oshibka) VALUES ('$1','a','{}',false,NULL),('$2','a','{}',true,NULL),('$3','a','{}',false,'x')",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM zakaz_outbox WHERE NOT otpravleno",
  ),
  claimed(
    stated(
      "CREATE TABLE soshin_outbox (id bigserial PRIMARY KEY, shubetsu varchar(50) NOT NULL, naiyo jsonb NOT NULL, jotai char(1) NOT NULL DEFAULT '0', sakusei_nichiji timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN soshin_outbox.jotai IS '0:未送信 1:送信中 2:送信済 9:エラー'",
      "id=id payload=naiyo status=jotai createdAt=sakusei_nichiji eventType=shubetsu order?=id",
      "INSERT INTO soshin_outbox (shubetsu,naiyo,jotai) VALUES ('a','{}','0'),('a','{}','1'),('a','{}','2'),('a','{}','9')",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM soshin_outbox WHERE jotai='0'",
  ),
  claimed(
    stated(
      "CREATE TABLE message_sortant (id bigserial PRIMARY KEY, nom_evenement varchar(120) NOT NULL, contenu jsonb NOT NULL, etat varchar(15) NOT NULL DEFAULT 'A_ENVOYER' CHECK (etat IN ('A_ENVOYER','EN_COURS','ENVOYE','EN_ERREUR','ABANDONNE')), nb_essais int NOT NULL DEFAULT 0, date_creation timestamptz NOT NULL DEFAULT now(), date_envoi timestamptz)",
      "id=id payload=contenu status=etat attempts=nb_essais createdAt=date_creation publishedAt=date_envoi eventType=nom_evenement order?=id",
      "INSERT INTO message_sortant (nom_evenement,contenu,etat,nb_essais,date_envoi) VALUES ('a','{}','A_ENVOYER',0,NULL),('a','{}','EN_COURS',0,NULL),('a','{}','ENVOYE',1,now()),('a','{}','EN_ERREUR',2,NULL),('a','{}','ABANDONNE',9,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead",
    ),
    "SELECT id FROM message_sortant WHERE etat IN ('A_ENVOYER','EN_ERREUR')",
  ),
  claimed(
    stated(
      "CREATE TABLE tb_salida_mensajes (cod_mensaje bigserial PRIMARY KEY, tip_mensaje varchar(50) NOT NULL, des_contenido text NOT NULL, ind_enviado varchar(10) NOT NULL DEFAULT 'N', ind_error varchar(10) NOT NULL DEFAULT 'N', fec_alta timestamp NOT NULL DEFAULT now(), fec_envio timestamp)",
      "payload=des_contenido createdAt=fec_alta publishedAt=fec_envio eventType=tip_mensaje status=ind_enviado id=cod_mensaje order?=cod_mensaje",
      "INSERT INTO tb_salida_mensajes (tip_mensaje,des_contenido,ind_enviado,ind_error,fec_envio) VALUES ('a','{}','N','N',NULL),('a','{}','S','N',now()),('a','{}','N','S',NULL)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT cod_mensaje FROM tb_salida_mensajes WHERE ind_enviado='N' AND ind_error='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE zdarzenia_do_wyslania (id bigserial PRIMARY KEY, typ_zdarzenia varchar(80) NOT NULL, dane jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT 'OCZEKUJE', liczba_prob int NOT NULL DEFAULT 0, data_utworzenia timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=typ_zdarzenia payload=dane status=status attempts=liczba_prob createdAt=data_utworzenia order?=id",
      "INSERT INTO zdarzenia_do_wyslania (typ_zdarzenia,dane,status,liczba_prob) VALUES ('a','{}','OCZEKUJE',0),('a','{}','WYSLANE',1),('a','{}','BLAD',3),('a','{}','ODRZUCONE',5)",
      "1 pending, 2 published, 3 failed, 4 dead|failed|unknown",
    ),
    "SELECT id FROM zdarzenia_do_wyslania WHERE status='OCZEKUJE'",
  ),
  claimed(
    stated(
      "CREATE TABLE evento_saida (id_evento uuid PRIMARY KEY, nome_evento varchar(100) NOT NULL, corpo jsonb NOT NULL, situacao char(2) NOT NULL DEFAULT 'PE' CHECK (situacao IN ('PE','EN','ER','CA')), criado_em timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN evento_saida.situacao IS 'PE - pendente; EN - enviado; ER - erro; CA - cancelado'",
      "id=id_evento payload=corpo status=situacao createdAt=criado_em eventType=nome_evento",
      "INSERT INTO evento_saida (id_evento,nome_evento,corpo,situacao) VALUES ('$1','a','{}','PE'),('$2','a','{}','EN'),('$3','a','{}','ER'),('$4','a','{}','CA')",
      "$1 pending, $2 published, $3 failed|dead, $4 unknown|dead",
    ),
    "SELECT id_evento FROM evento_saida WHERE situacao='PE'",
  ),
  claimed(
    stated(
      "CREATE TABLE pay_outbox (msg_id char(36) PRIMARY KEY, msg_typ char(8) NOT NULL, msg_body text NOT NULL, proc_sts char(1) NOT NULL DEFAULT 'P' CHECK (proc_sts IN ('P','S','F','H')), ins_ts timestamp NOT NULL DEFAULT now())",
      "id=msg_id status=proc_sts payload=msg_body createdAt=ins_ts eventType=msg_typ",
      "INSERT INTO pay_outbox (msg_id,msg_typ,msg_body,proc_sts) VALUES ('a','t','b','P'),('b','t','b','S'),('c','t','b','F'),('d','t','b','H')",
      "a pending|unknown, b published|unknown, c failed|dead|unknown, d unknown",
    ),
    "SELECT msg_id FROM pay_outbox WHERE proc_sts='P'",
  ),
  claimed(
    stated(
      "CREATE TABLE bank_outbox (id bigserial PRIMARY KEY, msg_type varchar(10) NOT NULL, msg text NOT NULL, sts char(1) NOT NULL DEFAULT 'N', created_ts timestamp NOT NULL DEFAULT now())",
      "id=id status=sts createdAt=created_ts eventType=msg_type payload=msg order?=id",
      "INSERT INTO bank_outbox (msg_type,msg,sts) VALUES ('a','{}','N'),('a','{}','P'),('a','{}','E')",
      "1 pending|unknown, 2 published|in_flight|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM bank_outbox WHERE sts='N'",
  ),
  claimed(
    stated(
      "CREATE DOMAIN outbox_status_t AS smallint DEFAULT 10 CHECK (VALUE IN (10,20,30,90)); CREATE TABLE depot_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, st outbox_status_t NOT NULL, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON DOMAIN outbox_status_t IS '10 new, 20 in progress, 30 sent, 90 failed'",
      "id=id eventType=event_type payload=payload createdAt=created_at status?=st order?=id",
      "INSERT INTO depot_outbox (event_type,payload,st) VALUES ('a','{}',10),('a','{}',20),('a','{}',30),('a','{}',90)",
      "1 pending|unknown, 2 in_flight|unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM depot_outbox WHERE st=10",
  ),
  claimed(
    stated(
      "CREATE TABLE sensor_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at integer NOT NULL, delivered_at integer, next_try integer NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at availableAt=next_try publishedAt=delivered_at order?=id",
      "INSERT INTO sensor_outbox (event_type,payload,created_at,delivered_at,next_try) VALUES ('a','{}',1764000000,NULL,0),('a','{}',1764000000,1764000100,0),('a','{}',1764000000,NULL,1999999999)",
      "1 pending, 2 published, 3 pending|failed",
    ),
    "SELECT id FROM sensor_outbox WHERE delivered_at IS NULL AND next_try <= extract(epoch from {now})",
  ),
  claimed(
    stated(
      "CREATE TABLE trade_evt_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_ns bigint NOT NULL, sent_ns bigint NOT NULL DEFAULT 0, lock_ns bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_ns publishedAt=sent_ns order?=id",
      "INSERT INTO trade_evt_outbox (event_type,payload,created_ns,sent_ns,lock_ns) VALUES ('a','{}',1764000000000000000,0,0),('a','{}',1764000000000000000,1764000001000000000,0)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM trade_evt_outbox WHERE sent_ns=0",
  ),
  claimed(
    stated(
      "CREATE TABLE lot_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz NOT NULL DEFAULT 'infinity', failed_at timestamptz NOT NULL DEFAULT 'infinity')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO lot_outbox (event_type,payload,sent_at,failed_at) VALUES ('a','{}','infinity','infinity'),('a','{}',now(),'infinity'),('a','{}','infinity',now())",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM lot_outbox WHERE sent_at='infinity' AND failed_at='infinity'",
  ),
  claimed(
    stated(
      "CREATE TABLE gate_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivered boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=delivered order?=id",
      "INSERT INTO gate_outbox (event_type,payload,delivered) VALUES ('a','{}',NULL),('a','{}',true),('a','{}',false)",
      "1 pending|unknown, 2 published, 3 failed|unknown",
    ),
    "SELECT id FROM gate_outbox WHERE delivered IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE fleet_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, retries int NOT NULL DEFAULT 0, max_retries int NOT NULL DEFAULT 3, next_retry_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=retries createdAt=created_at availableAt=next_retry_at publishedAt=sent_at order?=id",
      "INSERT INTO fleet_outbox (event_type,payload,sent_at,retries,next_retry_at) VALUES ('a','{}',NULL,0,NULL),('a','{}',now(),1,NULL),('a','{}',NULL,1,now()+interval '5 min'),('a','{}',NULL,3,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead|failed|unknown",
    ),
    "SELECT id FROM fleet_outbox WHERE sent_at IS NULL AND retries<max_retries",
  ),
  claimed(
    stated(
      "CREATE TABLE dock_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, retries_left int NOT NULL DEFAULT 5, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO dock_outbox (event_type,payload,sent_at,retries_left) VALUES ('a','{}',NULL,5),('a','{}',now(),5),('a','{}',NULL,3),('a','{}',NULL,0)",
      "1 pending, 2 published, 3 failed|unknown|pending, 4 dead|unknown",
    ),
    "SELECT id FROM dock_outbox WHERE sent_at IS NULL AND retries_left>0",
  ),
  claimed(
    stated(
      "CREATE TABLE multi_dest_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, kafka_sent boolean NOT NULL DEFAULT false, email_sent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=kafka_sent order?=id",
      "INSERT INTO multi_dest_outbox (event_type,payload,kafka_sent,email_sent) VALUES ('a','{}',false,false),('a','{}',true,true),('a','{}',true,false)",
      "1 pending|unknown, 2 published|unknown, 3 unknown|pending",
    ),
    "SELECT id FROM multi_dest_outbox WHERE NOT kafka_sent OR NOT email_sent",
  ),
  claimed(
    stated(
      "CREATE TABLE cobol_outbox (rec_no numeric(12) PRIMARY KEY, evt_cd char(4) NOT NULL, msg_txt text NOT NULL, sts_cd char(2) NOT NULL, cre_ts char(26) NOT NULL, snd_ts char(26) NOT NULL); COMMENT ON COLUMN cobol_outbox.sts_cd IS '00=READY 10=SENT 99=ERROR'",
      "status=sts_cd payload=msg_txt eventType=evt_cd id=rec_no",
      "INSERT INTO cobol_outbox VALUES (1,'A','x','00','2026-01-01-10.00.00.000000','0001-01-01-00.00.00.000000'),(2,'A','x','10','2026-01-01-10.00.00.000000','2026-01-01-10.00.01.000000'),(3,'A','x','99','2026-01-01-10.00.00.000000','0001-01-01-00.00.00.000000')",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT rec_no FROM cobol_outbox WHERE sts_cd='00'",
  ),
  claimed(
    stated(
      "CREATE TABLE actv_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_yn varchar(10) NOT NULL DEFAULT 'N', use_yn varchar(10) NOT NULL DEFAULT 'Y', reg_dt timestamptz NOT NULL DEFAULT now(), send_dt timestamptz)",
      "id=id eventType=event_type payload=payload status=sent_yn createdAt=reg_dt order?=id",
      "INSERT INTO actv_outbox (event_type,payload,sent_yn,use_yn,send_dt) VALUES ('a','{}','N','Y',NULL),('a','{}','Y','Y',now()),('a','{}','N','N',NULL)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM actv_outbox WHERE sent_yn='N' AND use_yn='Y'",
  ),
  claimed(
    stated(
      "CREATE TABLE kr_outbox (seq bigserial PRIMARY KEY, evt_nm varchar(50) NOT NULL, evt_data jsonb NOT NULL, proc_yn varchar(10) NOT NULL DEFAULT 'N', del_yn varchar(10) NOT NULL DEFAULT 'N', reg_dtm timestamptz NOT NULL DEFAULT now())",
      "order?=seq eventType=evt_nm payload=evt_data status=proc_yn createdAt=reg_dtm id=seq",
      "INSERT INTO kr_outbox (evt_nm,evt_data,proc_yn,del_yn) VALUES ('a','{}','N','N'),('a','{}','Y','N'),('a','{}','N','Y')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT seq FROM kr_outbox WHERE proc_yn='N' AND del_yn='N'",
  ),
];
