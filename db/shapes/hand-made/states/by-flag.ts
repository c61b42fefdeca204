import { type StatedTable, stated } from "./stated-table.ts";

/** Outboxes whose rows are marked by flags, by both a flag and a time, or are deleted. */
export const STATED_BY_FLAG: readonly StatedTable[] = [
  stated(
    "CREATE TABLE outbox_event (id bigserial PRIMARY KEY, type varchar(100) NOT NULL, payload text NOT NULL, is_published smallint NOT NULL DEFAULT 0, created_at timestamp NOT NULL DEFAULT now())",
    "id=id eventType=type payload=payload createdAt=created_at order?=id status?=is_published",
    "INSERT INTO outbox_event (type,payload,is_published) VALUES ('a','{}',0),('a','{}',1),('a','{}',1),('a','{}',0)",
    "1 pending, 2 published, 3 published, 4 pending",
  ),
  stated(
    "CREATE TABLE message_outbox (id uuid PRIMARY KEY, destination text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, failed boolean NOT NULL DEFAULT false, error text, created_on timestamptz NOT NULL DEFAULT now())",
    "id=id topic=destination payload=payload lastError=error createdAt=created_on publishedAt=sent",
    "INSERT INTO message_outbox (id,destination,payload,sent,failed,error) VALUES ('$1','t','{}',false,false,NULL),('$2','t','{}',true,false,NULL),('$3','t','{}',false,true,'x'),('$4','t','{}',true,false,NULL)",
    "$1 pending, $2 published, $3 failed|dead, $4 published",
  ),
  stated(
    "CREATE TABLE eventlog_outbox (id uuid PRIMARY KEY, event jsonb NOT NULL, event_type text NOT NULL, processed boolean NOT NULL DEFAULT false, dead boolean NOT NULL DEFAULT false, retry_count int NOT NULL DEFAULT 0, next_retry_at timestamptz, last_error text, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
    "id=id payload=event eventType=event_type attempts=retry_count availableAt=next_retry_at lastError=last_error createdAt=created_at publishedAt=processed_at",
    "INSERT INTO eventlog_outbox (id,event,event_type,processed,dead,retry_count,next_retry_at,last_error,processed_at) VALUES ('$1','{}','a',false,false,0,NULL,NULL,NULL),('$2','{}','a',true,false,0,NULL,NULL,now()),('$3','{}','a',false,false,2,now()+interval '1 hour','x',NULL),('$4','{}','a',false,true,9,NULL,'x',NULL)",
    "$1 pending, $2 published, $3 failed, $4 dead",
  ),
  stated(
    "CREATE TABLE outbox_msgs (id bigserial PRIMARY KEY, topic text NOT NULL, msg bytea NOT NULL, pending boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
    "id=id topic=topic payload=msg createdAt=created_at publishedAt=pending order?=id",
    "INSERT INTO outbox_msgs (topic,msg,pending) VALUES ('t','x',true),('t','x',false),('t','x',false),('t','x',true)",
    "1 pending, 2 published, 3 published, 4 pending",
  ),
  stated(
    "CREATE TABLE envios_eventos (id bigserial PRIMARY KEY, tipo varchar(60) NOT NULL, contenido jsonb NOT NULL, procesado boolean NOT NULL DEFAULT false, fecha_creacion timestamptz NOT NULL DEFAULT now(), fecha_procesado timestamptz, num_intentos int NOT NULL DEFAULT 0)",
    "id=id eventType=tipo payload=contenido createdAt=fecha_creacion publishedAt=fecha_procesado attempts=num_intentos order?=id",
    "INSERT INTO envios_eventos (tipo,contenido,procesado,fecha_procesado) VALUES ('a','{}',false,NULL),('a','{}',true,now()),('a','{}',true,now()),('a','{}',false,NULL)",
    "1 pending, 2 published, 3 published, 4 pending",
  ),
  stated(
    "CREATE TABLE saida_mensagens (codigo bigserial PRIMARY KEY, exchange varchar(80) NOT NULL, rota varchar(80), corpo text NOT NULL, enviado boolean NOT NULL DEFAULT false, com_erro boolean NOT NULL DEFAULT false, detalhe_erro text, data_cadastro timestamp NOT NULL DEFAULT now(), data_envio timestamp)",
    "id=codigo topic=exchange eventType?=rota payload=corpo lastError=detalhe_erro createdAt=data_cadastro publishedAt=data_envio order?=codigo",
    "INSERT INTO saida_mensagens (exchange,corpo,enviado,com_erro,detalhe_erro,data_envio) VALUES ('x','{}',false,false,NULL,NULL),('x','{}',true,false,NULL,now()),('x','{}',false,true,'e',NULL),('x','{}',true,false,NULL,now())",
    "1 pending, 2 published, 3 failed|dead, 4 published",
  ),
  stated(
    "CREATE TABLE te_versturen_events (id uuid PRIMARY KEY, event_naam text NOT NULL, gegevens jsonb NOT NULL, verstuurd boolean NOT NULL DEFAULT false, mislukt boolean NOT NULL DEFAULT false, foutmelding text, aangemaakt timestamptz NOT NULL DEFAULT now(), aantal_pogingen int NOT NULL DEFAULT 0)",
    "id=id eventType=event_naam payload=gegevens lastError=foutmelding createdAt=aangemaakt attempts=aantal_pogingen publishedAt=verstuurd",
    "INSERT INTO te_versturen_events (id,event_naam,gegevens,verstuurd,mislukt,foutmelding) VALUES ('$1','a','{}',false,false,NULL),('$2','a','{}',true,false,NULL),('$3','a','{}',false,true,'x'),('$4','a','{}',true,false,NULL)",
    "$1 pending, $2 published, $3 failed|dead, $4 published",
  ),
  stated(
    "CREATE TABLE spring_outbox (id uuid PRIMARY KEY, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL, event_type varchar(255) NOT NULL, event_payload text NOT NULL, trace_parent varchar(55), created_at timestamp(6) with time zone NOT NULL, published bit(1) NOT NULL DEFAULT B'0', version bigint)",
    "id=id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=event_payload traceId=trace_parent createdAt=created_at status?=published",
    "INSERT INTO spring_outbox VALUES ('$1','o','1','a','{}',NULL,now(),B'0',0),('$2','o','1','a','{}',NULL,now(),B'1',0),('$3','o','1','a','{}',NULL,now(),B'1',0),('$4','o','1','a','{}',NULL,now(),B'0',0)",
    "$1 pending|unknown, $2 published|unknown, $3 published|unknown, $4 pending|unknown",
  ),
  stated(
    "CREATE TABLE tb_outbox (id_outbox numeric(19) PRIMARY KEY, ds_topico varchar(100) NOT NULL, ds_payload text NOT NULL, fl_enviado char(1) DEFAULT 'N' NOT NULL, dt_inclusao timestamp NOT NULL, dt_envio timestamp, qt_tentativa numeric(3) DEFAULT 0 NOT NULL, ds_erro varchar(4000))",
    "id=id_outbox topic=ds_topico payload=ds_payload createdAt=dt_inclusao publishedAt=dt_envio attempts=qt_tentativa lastError=ds_erro status?=fl_enviado order?=id_outbox",
    "INSERT INTO tb_outbox VALUES (1,'t','x','N',now(),NULL,0,NULL),(2,'t','x','S',now(),now(),0,NULL),(3,'t','x','N',now(),NULL,2,'erro'),(4,'t','x','S',now(),now(),0,NULL)",
    "1 pending, 2 published, 3 failed, 4 published",
  ),
  stated(
    "CREATE TABLE go_outbox (id uuid PRIMARY KEY, topic text NOT NULL, key bytea, payload bytea NOT NULL, headers jsonb NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now())",
    "id=id topic=topic aggregateId=key payload=payload headers=headers createdAt=created_at",
    "INSERT INTO go_outbox (id,topic,payload) VALUES ('$1','t','x'),('$2','t','x'),('$3','t','x'),('$4','t','x')",
    "$1 pending|unknown, $2 pending|unknown, $3 pending|unknown, $4 pending|unknown",
  ),
  stated(
    "CREATE TABLE outbox_retry (id uuid PRIMARY KEY, original_topic text NOT NULL, payload jsonb NOT NULL, retry_count int NOT NULL DEFAULT 0, max_retries int NOT NULL DEFAULT 5, next_retry_at timestamptz, exhausted boolean NOT NULL DEFAULT false, last_exception text, created_at timestamptz NOT NULL DEFAULT now(), resolved_at timestamptz)",
    "id=id topic=original_topic payload=payload attempts=retry_count availableAt=next_retry_at lastError=last_exception createdAt=created_at publishedAt=resolved_at",
    "INSERT INTO outbox_retry (id,original_topic,payload,retry_count,next_retry_at,exhausted,last_exception,resolved_at) VALUES ('$1','t','{}',0,NULL,false,NULL,NULL),('$2','t','{}',1,NULL,false,NULL,now()),('$3','t','{}',2,now()+interval '1 hour',false,'x',NULL),('$4','t','{}',5,NULL,true,'x',NULL)",
    "$1 pending, $2 published, $3 failed, $4 dead",
  ),
  stated(
    "CREATE TABLE outbox_entry (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), dispatched boolean, dispatched_at timestamptz, failed_at timestamptz, failure text)",
    "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=dispatched_at lastError=failure order?=id",
    "INSERT INTO outbox_entry (event_type,payload,dispatched,dispatched_at,failed_at,failure) VALUES ('a','{}',NULL,NULL,NULL,NULL),('a','{}',true,now(),NULL,NULL),('a','{}',false,NULL,now(),'x'),('a','{}',true,now(),NULL,NULL)",
    "1 pending, 2 published, 3 failed|dead, 4 published",
  ),
  stated(
    "CREATE TABLE outbox_signals (id uuid PRIMARY KEY, name text NOT NULL, payload jsonb NOT NULL, created_at text NOT NULL, sent_at text, error text)",
    "id=id eventType=name payload=payload createdAt?=created_at publishedAt?=sent_at lastError=error",
    "INSERT INTO outbox_signals VALUES ('$1','a','{}','2026-01-01T00:00:00Z',NULL,NULL),('$2','a','{}','2026-01-01T00:00:00Z','2026-01-01T00:00:01Z',NULL),('$3','a','{}','2026-01-01T00:00:00Z',NULL,'x'),('$4','a','{}','2026-01-01T00:00:00Z','2026-01-01T00:00:01Z',NULL)",
    "$1 pending|unknown, $2 published|unknown, $3 failed|unknown, $4 published|unknown",
  ),
  stated(
    "CREATE TABLE msg_out (msg_id varchar(36) PRIMARY KEY, msg_typ varchar(50) NOT NULL, msg_data text NOT NULL, ins_dt varchar(14) NOT NULL, snd_dt varchar(14), snd_flg char(1) NOT NULL DEFAULT '0' CHECK (snd_flg IN ('0','1','9')), retry_no numeric(2) NOT NULL DEFAULT 0)",
    "id=msg_id eventType=msg_typ payload=msg_data createdAt=ins_dt publishedAt=snd_dt attempts=retry_no status?=snd_flg",
    "INSERT INTO msg_out VALUES ('a','T','x','20260101120000',NULL,'0',0),('b','T','x','20260101120000','20260101120100','1',0),('c','T','x','20260101120000',NULL,'9',3),('d','T','x','20260101120000','20260101120100','1',0)",
    "a pending|unknown, b published|unknown, c failed|dead|unknown, d published|unknown",
  ),
  stated(
    "CREATE TABLE outbox_v2 (id uuid PRIMARY KEY, kind text NOT NULL, doc jsonb NOT NULL, visible_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz, acked boolean NOT NULL DEFAULT false, receive_count int NOT NULL DEFAULT 0, enqueued_at timestamptz NOT NULL DEFAULT now())",
    "id=id eventType=kind payload=doc availableAt=visible_at expiresAt=expires_at attempts=receive_count createdAt=enqueued_at publishedAt=acked",
    "INSERT INTO outbox_v2 (id,kind,doc,expires_at,acked,receive_count) VALUES ('$1','a','{}',NULL,false,0),('$2','a','{}',NULL,true,1),('$3','a','{}',now()-interval '1 hour',false,0),('$4','a','{}',NULL,true,1)",
    "$1 pending, $2 published, $3 expired, $4 published",
  ),
  stated(
    "CREATE TABLE ordini_outbox (id uuid PRIMARY KEY, nome_evento text NOT NULL, dati jsonb NOT NULL, inviato boolean NOT NULL DEFAULT false, fallito boolean NOT NULL DEFAULT false, creato timestamptz NOT NULL DEFAULT now())",
    "id=id eventType=nome_evento payload=dati createdAt=creato publishedAt=inviato",
    "INSERT INTO ordini_outbox (id,nome_evento,dati,inviato,fallito) VALUES ('$1','a','{}',false,false),('$2','a','{}',true,false),('$3','a','{}',false,true),('$4','a','{}',true,false)",
    "$1 pending, $2 published, $3 failed|dead, $4 published",
  ),
  stated(
    "CREATE TABLE outbox_commands (id uuid PRIMARY KEY, command text NOT NULL, command_data jsonb NOT NULL, not_sent boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
    "id=id eventType=command payload=command_data createdAt=created_at publishedAt=not_sent",
    "INSERT INTO outbox_commands (id,command,command_data,not_sent) VALUES ('$1','a','{}',true),('$2','a','{}',false),('$3','a','{}',false),('$4','a','{}',true)",
    "$1 pending, $2 published, $3 published, $4 pending",
  ),
  stated(
    "CREATE TABLE outbox_docs (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, undeliverable boolean NOT NULL DEFAULT false, delivered boolean NOT NULL DEFAULT false, requires_delivery_confirmation boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
    "id=id eventType=type payload=payload createdAt=created_at publishedAt=delivered",
    "INSERT INTO outbox_docs (id,type,payload,undeliverable,delivered,requires_delivery_confirmation) VALUES ('$1','a','{}',false,false,true),('$2','a','{}',false,true,true),('$3','a','{}',true,false,false),('$4','a','{}',false,true,false)",
    "$1 pending, $2 published, $3 failed|dead, $4 published",
  ),
  stated(
    "CREATE TABLE outbox_with_cancel (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, cancelled_at timestamptz, attempts int NOT NULL DEFAULT 0)",
    "id=id eventType=type payload=payload createdAt=created_at publishedAt=published_at attempts=attempts order?=id",
    "INSERT INTO outbox_with_cancel (type,payload,published_at,cancelled_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now()),('a','{}',now(),NULL)",
    "1 pending, 2 published, 3 dead|expired|unknown, 4 published",
  ),
  stated(
    "CREATE TABLE outbox_dead (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, is_dead_letter boolean NOT NULL DEFAULT false, deleted boolean NOT NULL DEFAULT false, attempts int NOT NULL DEFAULT 0)",
    "id=id eventType=type payload=payload createdAt=created_at publishedAt=published_at attempts=attempts order?=id",
    "INSERT INTO outbox_dead (type,payload,published_at,is_dead_letter,deleted,attempts) VALUES ('a','{}',NULL,false,false,0),('a','{}',now(),false,false,1),('a','{}',NULL,true,false,9),('a','{}',NULL,false,true,0)",
    "1 pending, 2 published, 3 dead, 4 dead|expired|unknown|published",
  ),
  stated(
    "CREATE TABLE outbox_header (id uuid PRIMARY KEY, topic text NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now()); CREATE TABLE outbox_body (outbox_id uuid PRIMARY KEY REFERENCES outbox_header, payload bytea NOT NULL)",
    "id=id topic=topic status=status createdAt=created_at",
    "INSERT INTO outbox_header (id,topic,status) VALUES ('$1','t','PENDING'),('$2','t','SENT'),('$3','t','SENT'),('$4','t','FAILED')",
    "$1 pending|unknown, $2 published|unknown, $3 published|unknown, $4 failed|dead|unknown",
  ),
  stated(
    "CREATE TABLE pub_queue (pk bigserial PRIMARY KEY, chan varchar(50) NOT NULL, evt varchar(50) NOT NULL, bdy jsonb NOT NULL, cre_at timestamptz NOT NULL DEFAULT now(), snt_at timestamptz, att int NOT NULL DEFAULT 0, nxt_at timestamptz, lck_by varchar(50), lck_til timestamptz, ded boolean NOT NULL DEFAULT false)",
    "id=pk topic=chan eventType=evt payload=bdy createdAt=cre_at publishedAt=snt_at attempts=att availableAt=nxt_at lockedBy=lck_by lockedUntil=lck_til order?=pk",
    "INSERT INTO pub_queue (chan,evt,bdy,snt_at,att,nxt_at,lck_by,lck_til,ded) VALUES ('c','a','{}',NULL,0,NULL,NULL,NULL,false),('c','a','{}',now(),1,NULL,NULL,NULL,false),('c','a','{}',NULL,2,now()+interval '1 hour',NULL,NULL,false),('c','a','{}',NULL,9,NULL,NULL,NULL,true)",
    "1 pending, 2 published, 3 failed, 4 dead",
  ),
  stated(
    "CREATE TABLE outbox_wal (id bigserial PRIMARY KEY, aggregatetype varchar(255) NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb NOT NULL, tracingspancontext varchar(256), created_time bigint NOT NULL, retired boolean NOT NULL DEFAULT false)",
    "id=id aggregateType=aggregatetype aggregateId=aggregateid eventType=type payload=payload createdAt?=created_time headers?=tracingspancontext order?=id",
    "INSERT INTO outbox_wal (aggregatetype,aggregateid,type,payload,created_time) VALUES ('o','1','a','{}',1760000000000),('o','1','a','{}',1760000000000),('o','1','a','{}',1760000000000),('o','1','a','{}',1760000000000)",
    "1 pending|unknown, 2 pending|unknown, 3 pending|unknown, 4 pending|unknown",
  ),
  stated(
    "CREATE TABLE outbox_multi (id uuid PRIMARY KEY, payload jsonb NOT NULL, event_type text NOT NULL, sent_to_kafka boolean NOT NULL DEFAULT false, sent_to_search boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
    "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_to_kafka",
    "INSERT INTO outbox_multi (id,payload,event_type,sent_to_kafka,sent_to_search) VALUES ('$1','{}','a',false,false),('$2','{}','a',true,true),('$3','{}','a',true,false),('$4','{}','a',false,true)",
    "$1 pending, $2 published, $3 unknown, $4 unknown",
  ),
  // What is done elsewhere with the same message.
  stated(
    "CREATE TABLE outbox_indexed (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), kafka_sent boolean NOT NULL DEFAULT false, es_indexed boolean NOT NULL DEFAULT false)",
    "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=kafka_sent order?=id",
    "INSERT INTO outbox_indexed (event_type,payload,kafka_sent,es_indexed) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true),('a','{}',true,true)",
    "1 pending, 2 unknown, 3 unknown, 4 published",
  ),
  stated(
    "CREATE TABLE outbox_notified (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_to_kafka smallint NOT NULL DEFAULT 0, webhook_notified smallint NOT NULL DEFAULT 0, emailed boolean NOT NULL DEFAULT false)",
    "id=id eventType=event_type payload=payload createdAt=created_at status=sent_to_kafka order?=id",
    "INSERT INTO outbox_notified (event_type,payload,sent_to_kafka,webhook_notified,emailed) VALUES ('a','{}',0,0,false),('a','{}',1,0,true),('a','{}',1,1,false),('a','{}',1,1,true)",
    "1 pending, 2 unknown, 3 unknown, 4 published",
  ),
];
