import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Marks in a form of which only whether there is one is read: dates, numbers, letters that begin blank, texts that
 * begin empty.
 */
export const CLAIMED_FORMS_OF_MARKS: readonly ClaimedTable[] = [
  // Date-typed cancel and expiry.
  claimed(
    stated(
      "CREATE TABLE ddate_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, cancelled_on date, expiry_date date)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id expiresAt?=expiry_date",
      "INSERT INTO ddate_outbox (event_type,payload,published_at,cancelled_on,expiry_date) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,current_date,NULL),('a','{}',NULL,NULL,current_date - 3)",
      "1 pending, 2 published, 3 unknown, 4 expired|unknown",
    ),
    "SELECT id FROM ddate_outbox WHERE published_at IS NULL AND cancelled_on IS NULL AND (expiry_date IS NULL OR expiry_date >= current_date)",
  ),
  // Numeric times, bigint flag.
  claimed(
    stated(
      "CREATE TABLE dnum_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, cancelled_at numeric(20), dead bigint NOT NULL DEFAULT 0, abandoned_ts double precision)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO dnum_outbox (event_type,payload,published_at,cancelled_at,dead,abandoned_ts) VALUES ('a','{}',NULL,NULL,0,NULL),('a','{}',now(),NULL,0,NULL),('a','{}',NULL,1751362530000,0,NULL),('a','{}',NULL,NULL,1,NULL),('a','{}',NULL,NULL,0,1751362530.5)",
      "1 pending, 2 published, 3 unknown, 4 dead|unknown, 5 dead|unknown",
    ),
    "SELECT id FROM dnum_outbox WHERE published_at IS NULL AND cancelled_at IS NULL AND dead=0 AND abandoned_ts IS NULL",
  ),
  // SAP deletion flag default ''.
  claimed(
    stated(
      "CREATE TABLE xmark_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, loevm char(1) NOT NULL DEFAULT '', gesperrt char(1) NOT NULL DEFAULT ' ')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO xmark_outbox (event_type,payload,sent_at,loevm,gesperrt) VALUES ('a','{}',NULL,'',' '),('a','{}',now(),'',' '),('a','{}',NULL,'X',' '),('a','{}',NULL,'','X')",
      "1 pending, 2 published, 3 unknown, 4 unknown|in_flight",
    ),
    "SELECT id FROM xmark_outbox WHERE sent_at IS NULL AND loevm='' AND gesperrt=' '",
  ),
  // Status and date marks.
  claimed(
    stated(
      "CREATE TABLE st_date_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(40) NOT NULL DEFAULT 'PENDING', storno_datum date, geloescht_am date)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status order?=id",
      "INSERT INTO st_date_outbox (event_type,payload,status,storno_datum,geloescht_am) VALUES ('a','{}','PENDING',NULL,NULL),('a','{}','SENT',NULL,NULL),('a','{}','PENDING',current_date,NULL),('a','{}','PENDING',NULL,current_date)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM st_date_outbox WHERE status='PENDING' AND storno_datum IS NULL AND geloescht_am IS NULL",
  ),
  // AS/400 dates with default 0.
  claimed(
    stated(
      "CREATE TABLE jde_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, cncl_dt numeric(8) NOT NULL DEFAULT 0, cancel_date int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO jde_outbox (event_type,payload,sent_at,cncl_dt,cancel_date) VALUES ('a','{}',NULL,0,0),('a','{}',now(),0,0),('a','{}',NULL,20260101,0),('a','{}',NULL,0,20260101)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM jde_outbox WHERE sent_at IS NULL AND cncl_dt=0 AND cancel_date=0",
  ),
  // Go texts with empty default.
  claimed(
    stated(
      "CREATE TABLE gotext_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, cancel_reason text NOT NULL DEFAULT '', cancelled_by varchar(50) NOT NULL DEFAULT '', hold_code varchar(10) NOT NULL DEFAULT '')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO gotext_outbox (event_type,payload,sent_at,cancel_reason,cancelled_by,hold_code) VALUES ('a','{}',NULL,'','',''),('a','{}',now(),'','',''),('a','{}',NULL,'dup','',''),('a','{}',NULL,'','ann',''),('a','{}',NULL,'','','H1')",
      "1 pending, 2 published, 3 unknown, 4 unknown, 5 unknown",
    ),
    "SELECT id FROM gotext_outbox WHERE sent_at IS NULL AND cancel_reason='' AND cancelled_by='' AND hold_code=''",
  ),
  // Holders with empty default.
  claimed(
    stated(
      "CREATE TABLE gohold_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, owner text NOT NULL DEFAULT '', batch_id text NOT NULL DEFAULT '', publisher_pod text NOT NULL DEFAULT '')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id lockedBy?=owner",
      "INSERT INTO gohold_outbox (event_type,payload,sent_at,owner,batch_id,publisher_pod) VALUES ('a','{}',NULL,'','',''),('a','{}',now(),'','','p'),('a','{}',NULL,'w','',''),('a','{}',NULL,'','b1',''),('a','{}',NULL,'','','p')",
      "1 pending, 2 published, 3 in_flight|unknown, 4 in_flight|unknown, 5 in_flight|unknown",
    ),
    "SELECT id FROM gohold_outbox WHERE sent_at IS NULL AND owner='' AND batch_id='' AND publisher_pod=''",
  ),
  // Zero uuid defaults.
  claimed(
    stated(
      "CREATE TABLE zerouuid_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, cancelled_by uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000', locked_by uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO zerouuid_outbox (event_type,payload,sent_at,cancelled_by,locked_by) VALUES ('a','{}',NULL,'00000000-0000-0000-0000-000000000000','00000000-0000-0000-0000-000000000000'),('a','{}',now(),'00000000-0000-0000-0000-000000000000','00000000-0000-0000-0000-000000000000'),('a','{}',NULL,'$9','00000000-0000-0000-0000-000000000000'),('a','{}',NULL,'00000000-0000-0000-0000-000000000000','$9')",
      "1 pending, 2 published, 3 unknown, 4 in_flight|unknown",
    ),
    "SELECT id FROM zerouuid_outbox WHERE sent_at IS NULL AND cancelled_by='00000000-0000-0000-0000-000000000000' AND locked_by='00000000-0000-0000-0000-000000000000'",
  ),
  // Block_reason_id.
  claimed(
    stated(
      "CREATE TABLE blockid_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, block_reason_id int, hold_type_id int)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO blockid_outbox (event_type,payload,sent_at,block_reason_id,hold_type_id) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,3,NULL),('a','{}',NULL,NULL,2)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM blockid_outbox WHERE sent_at IS NULL AND block_reason_id IS NULL AND hold_type_id IS NULL",
  ),
  // Int flags beside time; speed.
  claimed(
    stated(
      "CREATE TABLE bare_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, shadowed int NOT NULL DEFAULT 0, hold int NOT NULL DEFAULT 0, parked int NOT NULL DEFAULT 0, speed smallint NOT NULL DEFAULT 1, failed_over int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO bare_outbox (event_type,payload,published_at,hold,parked,speed,failed_over,shadowed) VALUES ('a','{}',NULL,0,0,1,0,0),('a','{}',now(),0,0,1,0,0),('a','{}',NULL,1,0,1,0,0),('a','{}',NULL,0,1,1,0,0),('a','{}',NULL,0,0,3,0,0),('a','{}',NULL,0,0,1,1,0)",
      "1 pending, 2 published, 3 unknown, 4 unknown|dead, 5 pending, 6 pending|unknown|failed",
    ),
    "SELECT id FROM bare_outbox WHERE published_at IS NULL AND hold=0 AND parked=0 AND shadowed=0",
  ),
  // Content only: nothing to ask.
  claimed(
    stated(
      "CREATE TABLE calm_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, invoice_date date, owner_id uuid NOT NULL DEFAULT gen_random_uuid(), account_owner text, host text NOT NULL DEFAULT 'h', source_pid int NOT NULL DEFAULT 5, retry_policy text NOT NULL DEFAULT 'exponential', is_retry boolean NOT NULL DEFAULT false, current_version int NOT NULL DEFAULT 1, value_date date NOT NULL DEFAULT current_date, posting_dt date)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO calm_outbox (event_type,payload,sent_at,invoice_date,account_owner,retry_policy,is_retry,current_version,posting_dt) VALUES ('a','{}',NULL,current_date,'ann','linear',true,4,current_date),('a','{}',now(),current_date,'ann','linear',true,4,current_date)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM calm_outbox WHERE sent_at IS NULL",
  ),
  // De gescheitert.
  claimed(
    stated(
      "CREATE TABLE ereignis_ausgang (id uuid PRIMARY KEY, art varchar(60) NOT NULL, inhalt text NOT NULL, erfasst_am timestamptz NOT NULL DEFAULT now(), versendet boolean NOT NULL DEFAULT false, versuche int NOT NULL DEFAULT 0, naechster_versuch timestamptz, endgueltig_gescheitert boolean NOT NULL DEFAULT false, gueltig_bis timestamptz)",
      "id=id eventType=art payload=inhalt createdAt=erfasst_am publishedAt=versendet attempts=versuche availableAt=naechster_versuch expiresAt=gueltig_bis",
      "INSERT INTO ereignis_ausgang (id,art,inhalt,versendet,versuche,naechster_versuch,endgueltig_gescheitert,gueltig_bis) VALUES ('$1','a','x',false,0,NULL,false,NULL),('$2','a','x',true,0,NULL,false,NULL),('$3','a','x',false,2,now()+interval '1 h',false,NULL),('$4','a','x',false,9,NULL,true,NULL),('$5','a','x',false,0,NULL,false,now()-interval '1 h')",
      "$1 pending, $2 published, $3 failed, $4 dead|unknown, $5 expired|unknown",
    ),
    "SELECT id FROM ereignis_ausgang WHERE NOT versendet AND NOT endgueltig_gescheitert AND (naechster_versuch IS NULL OR naechster_versuch <= {now}) AND (gueltig_bis IS NULL OR gueltig_bis > {now})",
  ),
  // Es fecha_baja = deletion.
  claimed(
    stated(
      "CREATE TABLE bandeja_salida (id_evento uuid PRIMARY KEY, tipo_evento varchar(60) NOT NULL, cuerpo jsonb NOT NULL, fecha_alta timestamptz NOT NULL DEFAULT now(), fecha_envio timestamptz, fecha_baja timestamptz, num_intentos int NOT NULL DEFAULT 0, motivo_baja text)",
      "id=id_evento eventType=tipo_evento payload=cuerpo createdAt=fecha_alta publishedAt=fecha_envio attempts=num_intentos",
      "INSERT INTO bandeja_salida (id_evento,tipo_evento,cuerpo,fecha_envio,fecha_baja,num_intentos,motivo_baja) VALUES ('$1','a','{}',NULL,NULL,0,NULL),('$2','a','{}',now(),NULL,0,NULL),('$3','a','{}',NULL,now(),0,'x'),('$4','a','{}',NULL,NULL,2,NULL)",
      "$1 pending, $2 published, $3 unknown, $4 failed",
    ),
    "SELECT id_evento FROM bandeja_salida WHERE fecha_envio IS NULL AND fecha_baja IS NULL",
  ),
  // Nl vervallen.
  claimed(
    stated(
      "CREATE TABLE uitgaande_berichten (bericht_id uuid PRIMARY KEY, soort varchar(60) NOT NULL, inhoud jsonb NOT NULL, aangemaakt_op timestamptz NOT NULL DEFAULT now(), verzonden_op timestamptz, vervallen_op timestamptz, aantal_pogingen int NOT NULL DEFAULT 0, geblokkeerd_tot timestamptz, foutmelding text)",
      "id=bericht_id eventType=soort payload=inhoud createdAt=aangemaakt_op publishedAt=verzonden_op attempts=aantal_pogingen lastError=foutmelding lockedUntil?=geblokkeerd_tot availableAt?=geblokkeerd_tot",
      "INSERT INTO uitgaande_berichten (bericht_id,soort,inhoud,verzonden_op,vervallen_op,aantal_pogingen,geblokkeerd_tot) VALUES ('$1','a','{}',NULL,NULL,0,NULL),('$2','a','{}',now(),NULL,0,NULL),('$3','a','{}',NULL,now(),0,NULL),('$4','a','{}',NULL,NULL,2,now()-interval '1 h')",
      "$1 pending, $2 published, $3 unknown|expired, $4 failed",
    ),
    "SELECT bericht_id FROM uitgaande_berichten WHERE verzonden_op IS NULL AND vervallen_op IS NULL AND (geblokkeerd_tot IS NULL OR geblokkeerd_tot < {now})",
  ),
  // Hungarian bit.
  claimed(
    stated(
      'CREATE TABLE "tblOutMsg" ("lngMsgID" serial PRIMARY KEY, "strMsgType" varchar(50) NOT NULL, "memMsgBody" text NOT NULL, "fSent" bit NOT NULL DEFAULT B\'0\', "dtSent" timestamp, "nRetries" int NOT NULL DEFAULT 0, "dtCreated" timestamp NOT NULL DEFAULT now(), "fDeleted" bit NOT NULL DEFAULT B\'0\')',
      "id=lngMsgID eventType=strMsgType payload=memMsgBody createdAt=dtCreated attempts=nRetries publishedAt?=dtSent order?=lngMsgID status?=fSent",
      "INSERT INTO \"tblOutMsg\" (\"strMsgType\",\"memMsgBody\",\"fSent\",\"dtSent\",\"nRetries\",\"fDeleted\") VALUES ('a','x',B'0',NULL,0,B'0'),('a','x',B'1',now(),0,B'0'),('a','x',B'0',NULL,2,B'0'),('a','x',B'0',NULL,0,B'1')",
      "1 pending, 2 published, 3 failed, 4 unknown",
    ),
    'SELECT "lngMsgID" FROM "tblOutMsg" WHERE "fSent"=B\'0\' AND "fDeleted"=B\'0\'',
  ),
  // Numeric times of unknown meaning.
  claimed(
    stated(
      "CREATE TABLE closedn_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, closed_at bigint, settled_on int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO closedn_outbox (event_type,payload,sent_at,closed_at,settled_on) VALUES ('a','{}',NULL,NULL,0),('a','{}',now(),NULL,0),('a','{}',NULL,1751362530000,0),('a','{}',NULL,NULL,20260101)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM closedn_outbox WHERE sent_at IS NULL AND closed_at IS NULL AND settled_on=0",
  ),
  // Durations and sizes say nothing.
  claimed(
    stated(
      "CREATE TABLE dur_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, took_ms int, size_bytes bigint, processing_time int, latency_ms bigint, retention_days int, msg_date_format text, seq_at_source bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO dur_outbox (event_type,payload,sent_at,took_ms,size_bytes,processing_time,latency_ms,retention_days) VALUES ('a','{}',NULL,5,100,3,4,30),('a','{}',now(),5,100,3,4,30)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM dur_outbox WHERE sent_at IS NULL",
  ),
  // Bit flag of unknown meaning.
  claimed(
    stated(
      "CREATE TABLE bits_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, shadow bit(1) NOT NULL DEFAULT B'0', compressed bit(1) NOT NULL DEFAULT B'0')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO bits_outbox (event_type,payload,sent_at,shadow,compressed) VALUES ('a','{}',NULL,B'0',B'1'),('a','{}',now(),B'0',B'1'),('a','{}',NULL,B'1',B'0')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM bits_outbox WHERE sent_at IS NULL AND shadow=B'0'",
  ),
  // Pt record status.
  claimed(
    stated(
      "CREATE TABLE stflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), st_registro char(1) NOT NULL DEFAULT 'A', enviado_em timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=enviado_em order?=id",
      "INSERT INTO stflag_outbox (event_type,payload,st_registro,enviado_em) VALUES ('a','{}','A',NULL),('a','{}','A',now()),('a','{}','E',NULL)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM stflag_outbox WHERE enviado_em IS NULL AND st_registro='A'",
  ),
  // Expired as a flag of bigint.
  claimed(
    stated(
      "CREATE TABLE expflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, expired bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO expflag_outbox (event_type,payload,sent_at,expired) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM expflag_outbox WHERE sent_at IS NULL AND expired=0",
  ),
  // Expired as a flag of int.
  claimed(
    stated(
      "CREATE TABLE expint_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, expired int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO expint_outbox (event_type,payload,sent_at,expired) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM expint_outbox WHERE sent_at IS NULL AND expired=0",
  ),
  // Numbers as flags.
  claimed(
    stated(
      "CREATE TABLE prog_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, in_progress bigint NOT NULL DEFAULT 0, manual_hold int NOT NULL DEFAULT 0, is_draft numeric(1) NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO prog_outbox (event_type,payload,sent_at,in_progress,manual_hold,is_draft) VALUES ('a','{}',NULL,0,0,0),('a','{}',now(),0,0,0),('a','{}',NULL,1,0,0),('a','{}',NULL,0,1,0),('a','{}',NULL,0,0,1)",
      "1 pending, 2 published, 3 in_flight|unknown, 4 unknown, 5 unknown",
    ),
    "SELECT id FROM prog_outbox WHERE sent_at IS NULL AND in_progress=0 AND manual_hold=0 AND is_draft=0",
  ),
  // Approval as number.
  claimed(
    stated(
      "CREATE TABLE appr_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, approved_at bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO appr_outbox (event_type,payload,sent_at,approved_at) VALUES ('a','{}',NULL,1751362530000),('a','{}',now(),1751362530000),('a','{}',NULL,0)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM appr_outbox WHERE sent_at IS NULL AND approved_at > 0",
  ),
  // Texts and dates of moments.
  claimed(
    stated(
      "CREATE TABLE iso_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, closed_at varchar(40), performed_on date, rolled_back_at text, based_on text, depends_on text)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO iso_outbox (event_type,payload,sent_at,closed_at,performed_on,rolled_back_at,based_on,depends_on) VALUES ('a','{}',NULL,NULL,NULL,NULL,'x','y'),('a','{}',now(),NULL,NULL,NULL,'x','y'),('a','{}',NULL,'2026-01-01T00:00:00Z',NULL,NULL,NULL,NULL),('a','{}',NULL,NULL,current_date,NULL,NULL,NULL),('a','{}',NULL,NULL,NULL,'2026-01-01T00:00:00Z',NULL,NULL)",
      "1 pending, 2 published, 3 unknown, 4 unknown, 5 unknown",
    ),
    "SELECT id FROM iso_outbox WHERE sent_at IS NULL AND closed_at IS NULL",
  ),
];
