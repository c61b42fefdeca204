import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose names are of a language, of a script without spaces, or of one firm's way to shorten words. */
export const CLAIMED_SCRIPTS_AND_SPELLINGS: readonly ClaimedTable[] = [
  // Codes, words and times as Korean, Japanese and Polish teams shorten and spell them.
  claimed(
    stated(
      `CREATE TABLE tb_if_evt_snd (evt_sn bigserial PRIMARY KEY, evt_cd varchar(30) NOT NULL, evt_cn text NOT NULL, snd_yn char(1) NOT NULL DEFAULT 'N', snd_dt timestamp, retry_co int NOT NULL DEFAULT 0, err_cn varchar(4000), reg_dt timestamp NOT NULL DEFAULT now(), mod_dt timestamp);
       COMMENT ON TABLE tb_if_evt_snd IS '이벤트 발송 (outbox)'; COMMENT ON COLUMN tb_if_evt_snd.snd_yn IS '발송여부(Y:발송, N:미발송)'; COMMENT ON COLUMN tb_if_evt_snd.evt_cn IS '이벤트 내용'`,
      "id=evt_sn eventType=evt_cd payload=evt_cn publishedAt=snd_dt attempts=retry_co lastError=err_cn createdAt=reg_dt order?=evt_sn status?=snd_yn",
      "INSERT INTO tb_if_evt_snd (evt_cd,evt_cn,snd_yn,snd_dt,retry_co,err_cn) VALUES ('ORD','{}','N',NULL,0,NULL),('ORD','{}','Y',now(),0,NULL),('ORD','{}','N',NULL,2,'timeout'),('ORD','{}','Y',now(),1,NULL),('ORD','{}','N',NULL,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    "SELECT evt_sn FROM tb_if_evt_snd WHERE snd_yn = 'N'",
  ),
  claimed(
    stated(
      `CREATE TABLE t_event_soushin (event_id bigserial PRIMARY KEY, event_kbn varchar(20) NOT NULL, event_data text NOT NULL, soushin_flg char(1) NOT NULL DEFAULT '0', soushin_nichiji timestamp, retry_kaisu smallint NOT NULL DEFAULT 0, error_naiyo text, touroku_nichiji timestamp NOT NULL DEFAULT now(), koushin_nichiji timestamp);
       COMMENT ON COLUMN t_event_soushin.soushin_flg IS '送信フラグ 0:未送信 1:送信済 9:送信エラー'`,
      "id=event_id eventType=event_kbn payload=event_data status=soushin_flg publishedAt=soushin_nichiji attempts=retry_kaisu lastError=error_naiyo createdAt=touroku_nichiji order?=event_id",
      "INSERT INTO t_event_soushin (event_kbn,event_data,soushin_flg,soushin_nichiji,retry_kaisu,error_naiyo) VALUES ('A','{}','0',NULL,0,NULL),('A','{}','1',now(),0,NULL),('A','{}','9',NULL,3,'接続エラー'),('A','{}','0',NULL,1,'接続エラー'),('A','{}','1',now(),1,NULL)",
      "1 pending, 2 published, 3 failed|dead, 4 failed|pending, 5 published",
    ),
    "SELECT event_id FROM t_event_soushin WHERE soushin_flg = '0'",
  ),
  claimed(
    stated(
      `CREATE TABLE komunikaty_do_wyslania (id bigserial PRIMARY KEY, typ_komunikatu varchar(64) NOT NULL, klucz varchar(64), tresc jsonb NOT NULL, stan smallint NOT NULL DEFAULT 0 CHECK (stan IN (0,1,2,3)), liczba_prob int NOT NULL DEFAULT 0, ostatni_blad text, nastepna_proba timestamptz, utworzono timestamptz NOT NULL DEFAULT now(), wyslano timestamptz);
       COMMENT ON COLUMN komunikaty_do_wyslania.stan IS '0 - nowy, 1 - w trakcie, 2 - wysłany, 3 - odrzucony'`,
      "id=id eventType=typ_komunikatu aggregateId=klucz payload=tresc status=stan attempts=liczba_prob lastError=ostatni_blad availableAt=nastepna_proba createdAt=utworzono publishedAt=wyslano order?=id",
      "INSERT INTO komunikaty_do_wyslania (typ_komunikatu,tresc,stan,liczba_prob,ostatni_blad,nastepna_proba,wyslano) VALUES ('a','{}',0,0,NULL,NULL,NULL),('a','{}',1,0,NULL,NULL,NULL),('a','{}',2,1,NULL,NULL,now()),('a','{}',3,5,'x',NULL,NULL),('a','{}',0,2,'x',now()+interval '5 min',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 dead|failed, 5 failed",
    ),
    "SELECT id FROM komunikaty_do_wyslania WHERE stan = 0 AND (nastepna_proba IS NULL OR nastepna_proba <= {now})",
  ),
  // Names in scripts without spaces, in Cyrillic and in Turkish.
  claimed(
    stated(
      `CREATE TABLE "送信イベント" ("イベントID" bigserial PRIMARY KEY, "イベント種別" text NOT NULL, "集約ID" text NOT NULL, "ペイロード" jsonb NOT NULL, "作成日時" timestamptz NOT NULL DEFAULT now(), "送信日時" timestamptz, "試行回数" int NOT NULL DEFAULT 0, "エラー内容" text)`,
      "id=イベントID eventType=イベント種別 aggregateId=集約ID payload=ペイロード createdAt=作成日時 publishedAt=送信日時 attempts=試行回数 lastError=エラー内容 order?=イベントID",
      `INSERT INTO "送信イベント" ("イベント種別","集約ID","ペイロード","送信日時","試行回数","エラー内容") VALUES ('注文','1','{}',NULL,0,NULL),('注文','1','{}',now(),1,NULL),('注文','2','{}',NULL,2,'タイムアウト'),('注文','3','{}',now(),0,NULL),('注文','4','{}',NULL,0,NULL)`,
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    `SELECT "イベントID" FROM "送信イベント" WHERE "送信日時" IS NULL`,
  ),
  claimed(
    stated(
      `CREATE TABLE "черга_подій" ("ід" bigserial PRIMARY KEY, "тип_події" text NOT NULL, "ключ" text, "вміст" jsonb NOT NULL, "створено" timestamptz NOT NULL DEFAULT now(), "відправлено" timestamptz, "спроби" int NOT NULL DEFAULT 0, "помилка" text)`,
      "id=ід eventType=тип_події aggregateId=ключ payload=вміст createdAt=створено publishedAt=відправлено attempts=спроби lastError=помилка order?=ід",
      `INSERT INTO "черга_подій" ("тип_події","вміст","відправлено","спроби","помилка") VALUES ('а','{}',NULL,0,NULL),('а','{}',now(),1,NULL),('а','{}',NULL,2,'x'),('а','{}',now(),1,NULL),('а','{}',NULL,0,NULL)`,
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    `SELECT "ід" FROM "черга_подій" WHERE "відправлено" IS NULL`,
  ),
  claimed(
    stated(
      `CREATE TABLE gonderilecek_mesajlar (mesaj_id uuid PRIMARY KEY, konu varchar(120) NOT NULL, anahtar varchar(120), icerik jsonb NOT NULL, gonderildi_mi boolean NOT NULL DEFAULT false, gonderilme_tarihi timestamptz, deneme_sayisi int NOT NULL DEFAULT 0, hata_mesaji text, olusturma_tarihi timestamptz NOT NULL DEFAULT now())`,
      "id=mesaj_id topic=konu aggregateId=anahtar payload=icerik publishedAt=gonderilme_tarihi attempts=deneme_sayisi lastError=hata_mesaji createdAt=olusturma_tarihi eventType?=konu",
      "INSERT INTO gonderilecek_mesajlar (mesaj_id,konu,icerik,gonderildi_mi,gonderilme_tarihi,deneme_sayisi,hata_mesaji) VALUES ('$1','k','{}',false,NULL,0,NULL),('$2','k','{}',true,now(),1,NULL),('$3','k','{}',false,NULL,3,'baglanti'),('$4','k','{}',true,now(),2,NULL),('$5','k','{}',false,NULL,0,NULL)",
      "$1 pending, $2 published, $3 failed, $4 published, $5 pending",
    ),
    "SELECT mesaj_id FROM gonderilecek_mesajlar WHERE NOT gonderildi_mi",
  ),
  // Despatched, and a count with two words more; a word of the status that is not known.
  claimed(
    stated(
      `CREATE TABLE txn_event_despatch (despatch_id bigserial PRIMARY KEY, txn_ref_no varchar(40) NOT NULL, event_cd varchar(30) NOT NULL, msg_json text NOT NULL, despatch_status varchar(12) NOT NULL DEFAULT 'INITIATED', no_of_attempts int NOT NULL DEFAULT 0, failure_remarks varchar(500), created_on timestamp NOT NULL DEFAULT now(), despatched_on timestamp, CHECK (despatch_status IN ('INITIATED','DESPATCHED','FAILED','ABORTED')))`,
      "id=despatch_id aggregateId=txn_ref_no eventType=event_cd payload=msg_json status=despatch_status attempts=no_of_attempts lastError=failure_remarks createdAt=created_on publishedAt=despatched_on order?=despatch_id",
      "INSERT INTO txn_event_despatch (txn_ref_no,event_cd,msg_json,despatch_status,no_of_attempts,failure_remarks,despatched_on) VALUES ('T1','a','{}','INITIATED',0,NULL,NULL),('T1','a','{}','DESPATCHED',1,NULL,now()),('T2','a','{}','FAILED',2,'x',NULL),('T3','a','{}','ABORTED',5,'x',NULL),('T4','a','{}','INITIATED',0,NULL,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead, 5 pending",
    ),
    "SELECT despatch_id FROM txn_event_despatch WHERE despatch_status IN ('INITIATED','FAILED') AND no_of_attempts < 5",
  ),
  // German compounds, and a time until which the row is locked.
  claimed(
    stated(
      `CREATE TABLE versandauftrag_ereignis (id bigserial PRIMARY KEY, ereignistyp varchar(60) NOT NULL, fachobjekt_id varchar(60) NOT NULL, nutzdaten text NOT NULL, versandstatus varchar(20) NOT NULL DEFAULT 'OFFEN' CHECK (versandstatus IN ('OFFEN','IN_ARBEIT','VERSENDET','FEHLGESCHLAGEN','VERWORFEN')), anzahl_versuche int NOT NULL DEFAULT 0, naechster_versuch timestamp, fehlertext text, angelegt_am timestamp NOT NULL DEFAULT now(), versendet_am timestamp, sperre_bis timestamp)`,
      "id=id eventType=ereignistyp aggregateId=fachobjekt_id payload=nutzdaten status=versandstatus attempts=anzahl_versuche availableAt=naechster_versuch lastError=fehlertext createdAt=angelegt_am publishedAt=versendet_am lockedUntil=sperre_bis order?=id",
      "INSERT INTO versandauftrag_ereignis (ereignistyp,fachobjekt_id,nutzdaten,versandstatus,anzahl_versuche,naechster_versuch,fehlertext,versendet_am,sperre_bis) VALUES ('a','1','{}','OFFEN',0,NULL,NULL,NULL,NULL),('a','1','{}','IN_ARBEIT',0,NULL,NULL,NULL,now()+interval '5 min'),('a','1','{}','VERSENDET',1,NULL,NULL,now(),NULL),('a','1','{}','FEHLGESCHLAGEN',2,now()+interval '1 h','x',NULL,NULL),('a','1','{}','VERWORFEN',9,NULL,'x',NULL,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead|expired",
    ),
    "SELECT id FROM versandauftrag_ereignis WHERE versandstatus IN ('OFFEN','FEHLGESCHLAGEN') AND (naechster_versuch IS NULL OR naechster_versuch <= {now}) AND (sperre_bis IS NULL OR sperre_bis < {now})",
  ),
  // Commands that leave, and what a bus has yet to publish.
  claimed(
    stated(
      `CREATE TABLE saga_command_dispatch (command_id uuid PRIMARY KEY, saga_id uuid NOT NULL, command_name text NOT NULL, reply_channel text, body jsonb NOT NULL, dispatch_state text NOT NULL DEFAULT 'TO_SEND' CHECK (dispatch_state IN ('TO_SEND','SENT','SEND_FAILED')), created_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz, dispatch_attempts int NOT NULL DEFAULT 0, dispatch_error text)`,
      "id=command_id aggregateId=saga_id eventType=command_name topic?=reply_channel payload=body status=dispatch_state createdAt=created_at publishedAt=dispatched_at attempts=dispatch_attempts lastError=dispatch_error",
      "INSERT INTO saga_command_dispatch (command_id,saga_id,command_name,body,dispatch_state,dispatched_at,dispatch_attempts,dispatch_error) VALUES ('$1','$1','c','{}','TO_SEND',NULL,0,NULL),('$2','$1','c','{}','SENT',now(),1,NULL),('$3','$1','c','{}','SEND_FAILED',NULL,3,'x'),('$4','$1','c','{}','TO_SEND',NULL,1,'x'),('$5','$1','c','{}','SENT',now(),2,NULL)",
      "$1 pending, $2 published, $3 failed|dead, $4 failed, $5 published",
    ),
    "SELECT command_id FROM saga_command_dispatch WHERE dispatch_state = 'TO_SEND'",
  ),
  claimed(
    stated(
      `CREATE TABLE eventbus_pendingpublication (id bigserial PRIMARY KEY, routing_key varchar(255) NOT NULL, body_json text NOT NULL, headers_json text, created_ms bigint NOT NULL, published_ms bigint, next_try_ms bigint NOT NULL DEFAULT 0, try_count integer NOT NULL DEFAULT 0, traceback text)`,
      "id=id topic=routing_key payload=body_json headers=headers_json createdAt=created_ms publishedAt=published_ms availableAt=next_try_ms attempts=try_count lastError=traceback order?=id eventType?=routing_key",
      "INSERT INTO eventbus_pendingpublication (routing_key,body_json,created_ms,published_ms,next_try_ms,try_count,traceback) VALUES ('r','{}',1764300000000,NULL,0,0,NULL),('r','{}',1764300000000,1764300001000,0,1,NULL),('r','{}',1764300000000,NULL,1764300050000,3,'Tb'),('r','{}',1764300000000,1764300001000,0,1,NULL),('r','{}',1764300000000,NULL,0,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    "SELECT id FROM eventbus_pendingpublication WHERE published_ms IS NULL AND next_try_ms <= extract(epoch from {now})*1000",
  ),
  // States of a state machine in the progressive form.
  claimed(
    stated(
      `CREATE TABLE outgoing_domain_messages (id bigserial PRIMARY KEY, type varchar NOT NULL, subject_type varchar, subject_id bigint, data jsonb NOT NULL DEFAULT '{}', aasm_state varchar NOT NULL DEFAULT 'fresh', failures_count int NOT NULL DEFAULT 0, retry_at timestamp, broadcasted_at timestamp, created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now(), CHECK (aasm_state IN ('fresh','broadcasting','broadcasted','given_up')))`,
      "id=id eventType=type aggregateType=subject_type aggregateId=subject_id payload=data status=aasm_state attempts=failures_count availableAt=retry_at publishedAt=broadcasted_at createdAt=created_at order?=id",
      "INSERT INTO outgoing_domain_messages (type,data,aasm_state,failures_count,retry_at,broadcasted_at) VALUES ('A','{}','fresh',0,NULL,NULL),('A','{}','broadcasting',0,NULL,NULL),('A','{}','broadcasted',0,NULL,now()),('A','{}','given_up',5,NULL,NULL),('A','{}','fresh',2,now()+interval '3 min',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 dead, 5 failed",
    ),
    "SELECT id FROM outgoing_domain_messages WHERE aasm_state = 'fresh' AND (retry_at IS NULL OR retry_at <= {now})",
  ),
  // Queues of events in Turkish and Vietnamese, and what leaves in Swedish and Hungarian.
  claimed(
    stated(
      "CREATE TABLE siparis_olay_kuyrugu (id bigserial PRIMARY KEY, olay_turu varchar NOT NULL, siparis_no varchar NOT NULL, yuk jsonb NOT NULL, durum varchar NOT NULL DEFAULT 'bekliyor', deneme_sayisi integer NOT NULL DEFAULT 0, son_hata text, sonraki_deneme timestamp, created_at timestamp NOT NULL DEFAULT now(), gonderildi_at timestamp, CHECK (durum IN ('bekliyor','gonderiliyor','gonderildi','basarisiz')))",
      "id=id eventType=olay_turu aggregateId=siparis_no payload=yuk status=durum attempts=deneme_sayisi lastError=son_hata availableAt=sonraki_deneme createdAt=created_at publishedAt=gonderildi_at order?=id",
      "INSERT INTO siparis_olay_kuyrugu (olay_turu,siparis_no,yuk,durum,deneme_sayisi,son_hata,sonraki_deneme,gonderildi_at) VALUES ('a','1','{}','bekliyor',0,NULL,NULL,NULL),('a','1','{}','gonderiliyor',0,NULL,NULL,NULL),('a','1','{}','gonderildi',1,NULL,NULL,now()),('a','2','{}','basarisiz',5,'x',NULL,NULL),('a','3','{}','bekliyor',2,'x',timezone('utc',now())+interval '1 h',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 failed",
    ),
    "SELECT id FROM siparis_olay_kuyrugu WHERE durum = 'bekliyor' AND (sonraki_deneme IS NULL OR sonraki_deneme <= timezone('utc',{now}))",
  ),
  claimed(
    stated(
      "CREATE TABLE hang_doi_su_kien (id bigserial PRIMARY KEY, loai_su_kien varchar(60) NOT NULL, ma_doi_tuong varchar(60), noi_dung jsonb NOT NULL, trang_thai varchar(20) NOT NULL DEFAULT 'cho_gui' CHECK (trang_thai IN ('cho_gui','dang_gui','da_gui','loi')), so_lan_thu int NOT NULL DEFAULT 0, thong_bao_loi text, ngay_tao timestamptz NOT NULL DEFAULT now(), ngay_gui timestamptz)",
      "id=id eventType=loai_su_kien aggregateId=ma_doi_tuong payload=noi_dung status=trang_thai attempts=so_lan_thu lastError=thong_bao_loi createdAt=ngay_tao publishedAt=ngay_gui order?=id",
      "INSERT INTO hang_doi_su_kien (loai_su_kien,noi_dung,trang_thai,so_lan_thu,thong_bao_loi,ngay_gui) VALUES ('a','{}','cho_gui',0,NULL,NULL),('a','{}','dang_gui',0,NULL,NULL),('a','{}','da_gui',1,NULL,now()),('a','{}','loi',3,'x',NULL),('a','{}','cho_gui',1,'x',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 failed",
    ),
    "SELECT id FROM hang_doi_su_kien WHERE trang_thai = 'cho_gui'",
  ),
  claimed(
    stated(
      "CREATE TABLE utgaende_handelser (id uuid PRIMARY KEY, handelsetyp text NOT NULL, arende_id text NOT NULL, innehall jsonb NOT NULL, skapad timestamptz NOT NULL DEFAULT now(), skickad timestamptz, antal_forsok int NOT NULL DEFAULT 0, senaste_fel text, nasta_forsok timestamptz)",
      "id=id eventType=handelsetyp aggregateId=arende_id payload=innehall createdAt=skapad publishedAt=skickad attempts=antal_forsok lastError=senaste_fel availableAt=nasta_forsok",
      "INSERT INTO utgaende_handelser (id,handelsetyp,arende_id,innehall,skickad,antal_forsok,senaste_fel,nasta_forsok) VALUES ('$1','a','1','{}',NULL,0,NULL,NULL),('$2','a','1','{}',now(),1,NULL,NULL),('$3','a','2','{}',NULL,2,'x',now()+interval '1 h'),('$4','a','2','{}',now(),0,NULL,NULL),('$5','a','3','{}',NULL,0,NULL,NULL)",
      "$1 pending, $2 published, $3 failed, $4 published, $5 pending",
    ),
    "SELECT id FROM utgaende_handelser WHERE skickad IS NULL AND (nasta_forsok IS NULL OR nasta_forsok <= {now})",
  ),
  claimed(
    stated(
      "CREATE TABLE kimeno_esemenyek (id bigserial PRIMARY KEY, esemeny_tipus varchar(60) NOT NULL, tartalom jsonb NOT NULL, letrehozva timestamptz NOT NULL DEFAULT now(), elkuldve timestamptz, probalkozasok int NOT NULL DEFAULT 0, utolso_hiba text)",
      "id=id eventType=esemeny_tipus payload=tartalom createdAt=letrehozva publishedAt=elkuldve attempts=probalkozasok lastError=utolso_hiba order?=id",
      "INSERT INTO kimeno_esemenyek (esemeny_tipus,tartalom,elkuldve,probalkozasok,utolso_hiba) VALUES ('a','{}',NULL,0,NULL),('a','{}',now(),1,NULL),('a','{}',NULL,2,'x'),('a','{}',now(),1,NULL),('a','{}',NULL,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 published, 5 pending",
    ),
    "SELECT id FROM kimeno_esemenyek WHERE elkuldve IS NULL",
  ),
  // A key of the message that is no id, and attempts that are counted down.
  claimed(
    stated(
      "CREATE TABLE trade_event_outbox (outbox_key uuid PRIMARY KEY, evt text NOT NULL, doc jsonb NOT NULL, visible_from timestamptz NOT NULL DEFAULT now(), attempts_left smallint NOT NULL DEFAULT 5, done_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=outbox_key eventType=evt payload=doc availableAt=visible_from publishedAt=done_at createdAt=created_at",
      "INSERT INTO trade_event_outbox (outbox_key,evt,doc,attempts_left,done_at) VALUES ('$1','a','{}',5,NULL),('$2','a','{}',5,now()),('$3','a','{}',3,NULL),('$4','a','{}',0,NULL),('$5','a','{}',4,now())",
      "$1 pending, $2 published, $3 failed, $4 dead, $5 published",
    ),
    "SELECT outbox_key FROM trade_event_outbox WHERE done_at IS NULL AND attempts_left > 0 AND visible_from <= {now}",
  ),
  // Failures are counted, and a flag holds the row back, both of forwarding.
  claimed(
    stated(
      "CREATE TABLE cloud_event_buffer (ce_id text PRIMARY KEY, ce_source text NOT NULL, ce_type text NOT NULL, ce_subject text, ce_time timestamptz NOT NULL DEFAULT now(), ce_datacontenttype text, ce_data jsonb NOT NULL, forwarded_at timestamptz, forward_failures int NOT NULL DEFAULT 0, forward_blocked boolean NOT NULL DEFAULT false)",
      "id=ce_id eventType=ce_type createdAt=ce_time payload=ce_data publishedAt=forwarded_at attempts?=forward_failures aggregateId?=ce_subject topic?=ce_source",
      "INSERT INTO cloud_event_buffer (ce_id,ce_source,ce_type,ce_data,forwarded_at,forward_failures,forward_blocked) VALUES ('a','s','t','{}',NULL,0,false),('b','s','t','{}',now(),0,false),('c','s','t','{}',NULL,2,false),('d','s','t','{}',NULL,9,true),('e','s','t','{}',now(),1,false)",
      "a pending, b published, c failed, d dead|unknown, e published",
    ),
    "SELECT ce_id FROM cloud_event_buffer WHERE forwarded_at IS NULL AND NOT forward_blocked",
  ),
  // A fault is a failure, and arguments are the payload of an event; returns of a broker, and Korean words apart.
  claimed(
    stated(
      `CREATE TABLE "EventQueueItems" ("Id" bigserial PRIMARY KEY, "EventName" text NOT NULL, "EventArgs" jsonb NOT NULL, "QueuedAt" timestamptz NOT NULL DEFAULT now(), "CompletedAt" timestamptz, "IsFaulted" boolean NOT NULL DEFAULT false, "FaultMessage" text, "TryCount" int NOT NULL DEFAULT 0)`,
      "id=Id eventType=EventName payload=EventArgs createdAt=QueuedAt publishedAt=CompletedAt lastError=FaultMessage attempts=TryCount order?=Id",
      `INSERT INTO "EventQueueItems" ("EventName","EventArgs","CompletedAt","IsFaulted","FaultMessage","TryCount") VALUES ('a','{}',NULL,false,NULL,0),('a','{}',now(),false,NULL,1),('a','{}',NULL,true,'x',5)`,
      "1 pending, 2 published, 3 failed|dead",
    ),
    `SELECT "Id" FROM "EventQueueItems" WHERE "CompletedAt" IS NULL AND NOT "IsFaulted"`,
  ),
  claimed(
    stated(
      "CREATE TABLE mq_pending_publish (id bigserial PRIMARY KEY, exchange text NOT NULL, routing_key text NOT NULL, properties jsonb, body bytea NOT NULL, confirm_state smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), last_try_at timestamptz, tries int NOT NULL DEFAULT 0); COMMENT ON COLUMN mq_pending_publish.confirm_state IS '0=unconfirmed 1=confirmed 2=returned'",
      "id=id topic=routing_key headers=properties payload=body status=confirm_state createdAt=created_at attempts=tries order?=id eventType?=routing_key",
      "INSERT INTO mq_pending_publish (exchange,routing_key,body,confirm_state,tries) VALUES ('e','r','x',0,0),('e','r','x',1,1),('e','r','x',2,1)",
      "1 pending|unknown, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM mq_pending_publish WHERE confirm_state = 0",
  ),
  claimed(
    stated(
      `CREATE TABLE "이벤트_발행" ("순번" bigserial PRIMARY KEY, "이벤트_유형" text NOT NULL, "본문" jsonb NOT NULL, "발행_여부" boolean NOT NULL DEFAULT false, "발행_일시" timestamptz, "생성_일시" timestamptz NOT NULL DEFAULT now(), "실패_횟수" int NOT NULL DEFAULT 0)`,
      "id=순번 eventType=이벤트_유형 payload=본문 publishedAt=발행_일시 createdAt=생성_일시 attempts=실패_횟수 order?=순번",
      `INSERT INTO "이벤트_발행" ("이벤트_유형","본문","발행_여부","발행_일시","실패_횟수") VALUES ('a','{}',false,NULL,0),('a','{}',true,now(),0),('a','{}',false,NULL,2)`,
      "1 pending, 2 published, 3 failed",
    ),
    `SELECT "순번" FROM "이벤트_발행" WHERE NOT "발행_여부"`,
  ),
];
