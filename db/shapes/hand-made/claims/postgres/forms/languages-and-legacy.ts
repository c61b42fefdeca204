import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes named in further languages and scripts, and in the abbreviations of old systems. */
export const CLAIMED_LANGUAGES_AND_LEGACY: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE ausgehende_ereignisse (laufnummer bigserial PRIMARY KEY, ereignisart varchar(80) NOT NULL, geschaeftsobjekt_id varchar(40), nutzlast jsonb NOT NULL, versandstatus varchar(30) NOT NULL DEFAULT 'neu' CHECK (versandstatus IN ('neu','in_zustellung','zugestellt','gescheitert','endgueltig_gescheitert')), versuchszaehler int NOT NULL DEFAULT 0, naechster_versuch_um timestamptz, anlagezeitpunkt timestamptz NOT NULL DEFAULT now())",
      "id=laufnummer eventType=ereignisart aggregateId?=geschaeftsobjekt_id payload=nutzlast status=versandstatus attempts=versuchszaehler availableAt=naechster_versuch_um createdAt=anlagezeitpunkt order?=laufnummer",
      "INSERT INTO ausgehende_ereignisse (ereignisart,nutzlast,versandstatus,versuchszaehler,naechster_versuch_um) VALUES ('a','{}','neu',0,NULL),('a','{}','in_zustellung',0,NULL),('a','{}','zugestellt',1,NULL),('a','{}','gescheitert',2,now()),('a','{}','endgueltig_gescheitert',9,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead",
    ),
    "SELECT laufnummer FROM ausgehende_ereignisse WHERE versandstatus IN ('neu','gescheitert') AND (naechster_versuch_um IS NULL OR naechster_versuch_um <= {now})",
  ),
  // SAP: a blank for open, X for done, dates and times apart.
  claimed(
    stated(
      "CREATE TABLE zevt_outbox (mandt char(3) NOT NULL DEFAULT '100', guid char(32) PRIMARY KEY, evtyp varchar(30) NOT NULL, nutzd text NOT NULL, proc_flg char(1) NOT NULL DEFAULT ' ', err_flg char(1) NOT NULL DEFAULT ' ', erdat char(8) NOT NULL, erzet char(6) NOT NULL)",
      "id=guid payload=nutzd eventType=evtyp publishedAt?=proc_flg status?=proc_flg",
      "INSERT INTO zevt_outbox (guid,evtyp,nutzd,proc_flg,err_flg,erdat,erzet) VALUES ('a','e','x',' ',' ','20260101','101010'),('b','e','x','X',' ','20260101','101010'),('c','e','x',' ','X','20260101','101010')",
      "a pending, b published, c failed|dead",
    ),
    "SELECT guid FROM zevt_outbox WHERE proc_flg = ' ' AND err_flg = ' '",
  ),
  // Codes of two digits beside a flag of a letter; only the flag is what the job asks for.
  claimed(
    stated(
      "CREATE TABLE t_evt_out (evt_out_seq_no bigserial PRIMARY KEY, evt_tp_cd varchar(10) NOT NULL, evt_cn text NOT NULL, msg_stat_cd char(2) NOT NULL DEFAULT '10', proc_flg char(1) NOT NULL DEFAULT 'N', rgst_dtm timestamp NOT NULL DEFAULT now(), proc_dtm timestamp, rty_cnt int NOT NULL DEFAULT 0)",
      "id=evt_out_seq_no eventType=evt_tp_cd payload=evt_cn status?=msg_stat_cd publishedAt?=proc_dtm createdAt=rgst_dtm attempts=rty_cnt order?=evt_out_seq_no",
      "INSERT INTO t_evt_out (evt_tp_cd,evt_cn,msg_stat_cd,proc_flg,proc_dtm,rty_cnt) VALUES ('a','x','10','N',NULL,0),('a','x','30','Y',now(),0),('a','x','90','N',now(),3),('a','x','99','E',now(),9)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT evt_out_seq_no FROM t_evt_out WHERE proc_flg = 'N'",
  ),
  claimed(
    stated(
      "CREATE TABLE boite_envoi (identifiant uuid PRIMARY KEY, type_evenement text NOT NULL, charge_utile jsonb NOT NULL, etat text NOT NULL DEFAULT 'A_ENVOYER' CHECK (etat IN ('A_ENVOYER','EN_COURS','ENVOYE','EN_ERREUR','ABANDONNE')), nb_essais int NOT NULL DEFAULT 0, dernier_message_erreur text, cree_le timestamptz NOT NULL DEFAULT now(), a_partir_du timestamptz NOT NULL DEFAULT now())",
      "id=identifiant eventType=type_evenement payload=charge_utile status=etat attempts=nb_essais lastError=dernier_message_erreur createdAt=cree_le availableAt?=a_partir_du",
      "INSERT INTO boite_envoi (identifiant,type_evenement,charge_utile,etat,nb_essais,dernier_message_erreur) VALUES ('$1','a','{}','A_ENVOYER',0,NULL),('$2','a','{}','EN_COURS',0,NULL),('$3','a','{}','ENVOYE',0,NULL),('$4','a','{}','EN_ERREUR',2,'x'),('$5','a','{}','ABANDONNE',9,'x')",
      "$1 pending, $2 in_flight, $3 published, $4 failed, $5 dead",
    ),
    "SELECT identifiant FROM boite_envoi WHERE etat IN ('A_ENVOYER','EN_ERREUR')",
  ),
  claimed(
    stated(
      "CREATE TABLE fila_saida_eventos (id_evento bigserial PRIMARY KEY, tipo_evento varchar(60) NOT NULL, chave_agregado varchar(60), corpo_mensagem text NOT NULL, situacao char(1) NOT NULL DEFAULT 'A', qtd_tentativas int NOT NULL DEFAULT 0, data_criacao timestamp NOT NULL DEFAULT now(), data_envio timestamp); COMMENT ON COLUMN fila_saida_eventos.situacao IS 'A=aguardando, P=processando, E=enviado, F=falha, X=descartado'",
      "id=id_evento eventType=tipo_evento aggregateId=chave_agregado payload=corpo_mensagem status=situacao attempts=qtd_tentativas createdAt=data_criacao publishedAt=data_envio order?=id_evento",
      "INSERT INTO fila_saida_eventos (tipo_evento,corpo_mensagem,situacao,qtd_tentativas,data_envio) VALUES ('a','x','A',0,NULL),('a','x','P',0,NULL),('a','x','E',0,now()),('a','x','F',3,NULL),('a','x','X',9,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead",
    ),
    "SELECT id_evento FROM fila_saida_eventos WHERE situacao IN ('A','F')",
  ),
  claimed(
    stated(
      "CREATE TABLE mensajes_salientes (id uuid PRIMARY KEY, tema varchar(80) NOT NULL, cuerpo jsonb NOT NULL, entregado boolean NOT NULL DEFAULT false, fecha_entrega timestamptz, num_reintentos int NOT NULL DEFAULT 0, proximo_reintento timestamptz, motivo_fallo text, fecha_alta timestamptz NOT NULL DEFAULT now())",
      "id=id topic=tema payload=cuerpo publishedAt=entregado attempts=num_reintentos availableAt=proximo_reintento lastError=motivo_fallo createdAt=fecha_alta",
      "INSERT INTO mensajes_salientes (id,tema,cuerpo,entregado,fecha_entrega,num_reintentos,proximo_reintento,motivo_fallo) VALUES ('$1','t','{}',false,NULL,0,NULL,NULL),('$2','t','{}',true,now(),0,NULL,NULL),('$3','t','{}',false,NULL,2,now()+interval '1 h','x'),('$4','t','{}',true,now(),1,now()-interval '1 h','x')",
      "$1 pending, $2 published, $3 failed, $4 published",
    ),
    "SELECT id FROM mensajes_salientes WHERE NOT entregado AND (proximo_reintento IS NULL OR proximo_reintento <= {now})",
  ),
  claimed(
    stated(
      "CREATE TABLE giden_olaylar (kimlik bigserial PRIMARY KEY, olay_turu text NOT NULL, icerik jsonb NOT NULL, durum text NOT NULL DEFAULT 'BEKLIYOR' CHECK (durum IN ('BEKLIYOR','ISLENIYOR','GONDERILDI','HATALI','IPTAL')), deneme_sayisi int NOT NULL DEFAULT 0, hata_mesaji text, olusturma_zamani timestamptz NOT NULL DEFAULT now(), sonraki_deneme_zamani timestamptz)",
      "id=kimlik eventType=olay_turu payload=icerik status=durum attempts=deneme_sayisi lastError=hata_mesaji createdAt=olusturma_zamani availableAt=sonraki_deneme_zamani order?=kimlik",
      "INSERT INTO giden_olaylar (olay_turu,icerik,durum,deneme_sayisi,hata_mesaji) VALUES ('a','{}','BEKLIYOR',0,NULL),('a','{}','ISLENIYOR',0,NULL),('a','{}','GONDERILDI',0,NULL),('a','{}','HATALI',2,'x'),('a','{}','IPTAL',0,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 unknown|dead",
    ),
    "SELECT kimlik FROM giden_olaylar WHERE durum = 'BEKLIYOR'",
  ),
  claimed(
    stated(
      "CREATE TABLE skrzynka_nadawcza (id bigserial PRIMARY KEY, typ_zdarzenia varchar(80) NOT NULL, tresc jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT 'OCZEKUJE' CHECK (status IN ('OCZEKUJE','W_TRAKCIE','WYSLANO','BLAD','PORZUCONO')), liczba_prob int NOT NULL DEFAULT 0, utworzono timestamptz NOT NULL DEFAULT now(), wyslano timestamptz)",
      "id=id eventType=typ_zdarzenia payload=tresc status=status attempts=liczba_prob createdAt=utworzono publishedAt=wyslano order?=id",
      "INSERT INTO skrzynka_nadawcza (typ_zdarzenia,tresc,status,liczba_prob,wyslano) VALUES ('a','{}','OCZEKUJE',0,NULL),('a','{}','W_TRAKCIE',0,NULL),('a','{}','WYSLANO',0,now()),('a','{}','BLAD',2,NULL),('a','{}','PORZUCONO',9,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 dead",
    ),
    "SELECT id FROM skrzynka_nadawcza WHERE status = 'OCZEKUJE'",
  ),
  // Japanese in Latin letters, with codes that its comment explains in Japanese.
  claimed(
    stated(
      "CREATE TABLE t_soshin_event (id bigserial PRIMARY KEY, event_shubetsu varchar(40) NOT NULL, naiyo text NOT NULL, soshin_jotai smallint NOT NULL DEFAULT 0, sakusei_nichiji timestamp NOT NULL DEFAULT now(), soshin_nichiji timestamp); COMMENT ON COLUMN t_soshin_event.soshin_jotai IS '0:未送信 1:送信済み 9:エラー'",
      "id=id eventType=event_shubetsu payload=naiyo status=soshin_jotai createdAt=sakusei_nichiji publishedAt=soshin_nichiji order?=id",
      "INSERT INTO t_soshin_event (event_shubetsu,naiyo,soshin_jotai,soshin_nichiji) VALUES ('a','x',0,NULL),('a','x',1,now()),('a','x',9,NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM t_soshin_event WHERE soshin_jotai = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE daifasong_xiaoxi (id bigserial PRIMARY KEY, xiaoxi_leixing varchar(60) NOT NULL, xiaoxi_neirong text NOT NULL, zhuangtai varchar(10) NOT NULL DEFAULT '待发送', chongshi_cishu int NOT NULL DEFAULT 0, chuangjian_shijian timestamp NOT NULL DEFAULT now(), fasong_shijian timestamp)",
      "id=id eventType=xiaoxi_leixing payload=xiaoxi_neirong status=zhuangtai attempts=chongshi_cishu createdAt=chuangjian_shijian publishedAt=fasong_shijian order?=id",
      "INSERT INTO daifasong_xiaoxi (xiaoxi_leixing,xiaoxi_neirong,zhuangtai,chongshi_cishu,fasong_shijian) VALUES ('a','x','待发送',0,NULL),('a','x','已发送',0,now()),('a','x','发送失败',3,NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM daifasong_xiaoxi WHERE zhuangtai = '待发送'",
  ),
  claimed(
    stated(
      `CREATE TABLE "发件箱" ("编号" bigserial PRIMARY KEY, "事件类型" text NOT NULL, "内容" jsonb NOT NULL, "状态" text NOT NULL DEFAULT '待发送', "重试次数" int NOT NULL DEFAULT 0, "创建时间" timestamptz NOT NULL DEFAULT now(), "发送时间" timestamptz)`,
      "id=编号 eventType=事件类型 payload=内容 status=状态 attempts=重试次数 createdAt=创建时间 publishedAt=发送时间 order?=编号",
      `INSERT INTO "发件箱" ("事件类型","内容","状态","重试次数","发送时间") VALUES ('a','{}','待发送',0,NULL),('a','{}','已发送',0,now()),('a','{}','失败',3,NULL)`,
      "1 pending, 2 published, 3 failed|dead",
    ),
    `SELECT "编号" FROM "发件箱" WHERE "状态" = '待发送'`,
  ),
  claimed(
    stated(
      "CREATE TABLE ishodyaschie_sobytiya (id bigserial PRIMARY KEY, tip_sobytiya text NOT NULL, soderzhimoe jsonb NOT NULL, sostoyanie text NOT NULL DEFAULT 'NOVOE', chislo_popytok int NOT NULL DEFAULT 0, data_sozdaniya timestamptz NOT NULL DEFAULT now(), data_otpravki timestamptz, oshibka text)",
      "id=id eventType=tip_sobytiya payload=soderzhimoe status=sostoyanie attempts=chislo_popytok createdAt=data_sozdaniya publishedAt=data_otpravki lastError=oshibka order?=id",
      "INSERT INTO ishodyaschie_sobytiya (tip_sobytiya,soderzhimoe,sostoyanie,chislo_popytok,data_otpravki,oshibka) VALUES ('a','{}','NOVOE',0,NULL,NULL),('a','{}','OTPRAVLENO',0,now(),NULL),('a','{}','OSHIBKA',3,NULL,'x')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM ishodyaschie_sobytiya WHERE sostoyanie = 'NOVOE'",
  ),
  claimed(
    stated(
      "CREATE TABLE kotak_keluar (id bigserial PRIMARY KEY, jenis_peristiwa varchar(60) NOT NULL, isi jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT 'menunggu' CHECK (status IN ('menunggu','diproses','terkirim','gagal')), jumlah_percobaan int NOT NULL DEFAULT 0, dibuat_pada timestamptz NOT NULL DEFAULT now(), dikirim_pada timestamptz)",
      "id=id eventType=jenis_peristiwa payload=isi status=status attempts=jumlah_percobaan createdAt=dibuat_pada publishedAt=dikirim_pada order?=id",
      "INSERT INTO kotak_keluar (jenis_peristiwa,isi,status,jumlah_percobaan,dikirim_pada) VALUES ('a','{}','menunggu',0,NULL),('a','{}','diproses',0,NULL),('a','{}','terkirim',0,now()),('a','{}','gagal',3,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM kotak_keluar WHERE status = 'menunggu'",
  ),
  claimed(
    stated(
      "CREATE TABLE lahtevat_viestit (id bigserial PRIMARY KEY, viestityyppi text NOT NULL, sisalto jsonb NOT NULL, tila text NOT NULL DEFAULT 'ODOTTAA' CHECK (tila IN ('ODOTTAA','LAHETETTY','VIRHE')), luotu timestamptz NOT NULL DEFAULT now(), lahetetty timestamptz)",
      "id=id eventType=viestityyppi payload=sisalto status=tila createdAt=luotu publishedAt=lahetetty order?=id",
      "INSERT INTO lahtevat_viestit (viestityyppi,sisalto,tila,lahetetty) VALUES ('a','{}','ODOTTAA',NULL),('a','{}','LAHETETTY',now()),('a','{}','VIRHE',NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM lahtevat_viestit WHERE tila = 'ODOTTAA'",
  ),
  // A status of publication beside one of the order, in Italian.
  claimed(
    stated(
      "CREATE TABLE eventi_in_uscita (id bigserial PRIMARY KEY, tipo_evento text NOT NULL, contenuto jsonb NOT NULL, stato_ordine text NOT NULL DEFAULT 'NUOVO', stato_invio text NOT NULL DEFAULT 'DA_INVIARE' CHECK (stato_invio IN ('DA_INVIARE','INVIATO','ERRORE')), creato_il timestamptz NOT NULL DEFAULT now(), inviato_il timestamptz)",
      "id=id eventType=tipo_evento payload=contenuto status=stato_invio createdAt=creato_il publishedAt=inviato_il order?=id",
      "INSERT INTO eventi_in_uscita (tipo_evento,contenuto,stato_ordine,stato_invio,inviato_il) VALUES ('a','{}','NUOVO','DA_INVIARE',NULL),('a','{}','SPEDITO','DA_INVIARE',NULL),('a','{}','NUOVO','INVIATO',now()),('a','{}','CONSEGNATO','ERRORE',NULL)",
      "1 pending, 2 pending, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM eventi_in_uscita WHERE stato_invio = 'DA_INVIARE'",
  ),
  // Vietnamese without signs.
  claimed(
    stated(
      "CREATE TABLE outbox_su_kien (id bigserial PRIMARY KEY, loai_su_kien text NOT NULL, noi_dung jsonb NOT NULL, trang_thai text NOT NULL DEFAULT 'CHO_GUI', so_lan_thu int NOT NULL DEFAULT 0, thoi_gian_tao timestamptz NOT NULL DEFAULT now(), thoi_gian_gui timestamptz)",
      "id=id eventType=loai_su_kien payload=noi_dung status=trang_thai attempts=so_lan_thu createdAt=thoi_gian_tao publishedAt=thoi_gian_gui order?=id",
      "INSERT INTO outbox_su_kien (loai_su_kien,noi_dung,trang_thai,so_lan_thu,thoi_gian_gui) VALUES ('a','{}','CHO_GUI',0,NULL),('a','{}','DA_GUI',0,now()),('a','{}','LOI',3,NULL)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_su_kien WHERE trang_thai = 'CHO_GUI'",
  ),
];
