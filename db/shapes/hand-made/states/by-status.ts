import { type StatedTable, stated } from "./stated-table.ts";

/** Outboxes whose rows are marked by a status word or a code. */
export const STATED_BY_STATUS: readonly StatedTable[] = [
  stated(
    "CREATE TABLE event_publications (id uuid PRIMARY KEY, event_type varchar(255) NOT NULL, serialized_event text NOT NULL, status varchar(20) NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENDING','SENT','ERROR','GIVEN_UP')), error_message text, attempt int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz)",
    "id=id eventType=event_type payload=serialized_event status=status lastError=error_message attempts=attempt createdAt=created_at publishedAt=sent_at",
    "INSERT INTO event_publications (id,event_type,serialized_event,status,error_message,attempt,sent_at) VALUES ('$1','a','{}','NEW',NULL,0,NULL),('$2','a','{}','SENDING',NULL,1,NULL),('$3','a','{}','SENT',NULL,1,now()),('$4','a','{}','ERROR','x',2,NULL),('$5','a','{}','GIVEN_UP','x',9,NULL)",
    "$1 pending, $2 in_flight, $3 published, $4 failed|dead, $5 dead",
  ),
  stated(
    "CREATE TYPE outbox_state AS ENUM ('queued','in_progress','done','retry','dead_letter'); CREATE TABLE outbox_items (id bigserial PRIMARY KEY, topic text NOT NULL, key text, value jsonb NOT NULL, state outbox_state NOT NULL DEFAULT 'queued', retries int NOT NULL DEFAULT 0, retry_after timestamptz, created_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz)",
    "id=id topic=topic aggregateId=key payload=value status=state attempts=retries availableAt=retry_after createdAt=created_at publishedAt?=finished_at order?=id",
    "INSERT INTO outbox_items (topic,value,state,retries) VALUES ('t','{}','queued',0),('t','{}','in_progress',0),('t','{}','done',0),('t','{}','retry',2),('t','{}','dead_letter',5)",
    "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead",
  ),
  stated(
    "CREATE TABLE OUT_EVT (EVT_SEQ numeric(18) PRIMARY KEY, EVT_TYP_CD varchar(30) NOT NULL, OBJ_TYP_CD varchar(30), OBJ_ID varchar(40), EVT_MSG_TXT text NOT NULL, EVT_STS_CD char(1) DEFAULT 'N' NOT NULL CHECK (EVT_STS_CD IN ('N','P','S','E')), RTRY_CNT numeric(3) DEFAULT 0, ERR_TXT varchar(2000), CRTE_TS timestamp DEFAULT now() NOT NULL, UPDT_TS timestamp)",
    "id=evt_seq eventType=evt_typ_cd aggregateType=obj_typ_cd aggregateId=obj_id payload=evt_msg_txt status=evt_sts_cd attempts=rtry_cnt lastError=err_txt createdAt=crte_ts order?=evt_seq",
    "INSERT INTO OUT_EVT (EVT_SEQ,EVT_TYP_CD,EVT_MSG_TXT,EVT_STS_CD,RTRY_CNT,ERR_TXT) VALUES (1,'A','x','N',0,NULL),(2,'A','x','P',0,NULL),(3,'A','x','S',0,NULL),(4,'A','x','E',3,'ORA')",
    "1 pending, 2 in_flight, 3 published, 4 failed|dead",
  ),
  stated(
    "CREATE TABLE outbox_eventos (id uuid PRIMARY KEY, evento varchar(100) NOT NULL, carga jsonb NOT NULL, estado varchar(20) NOT NULL DEFAULT 'pendiente' CHECK (estado IN ('pendiente','en_proceso','publicado','fallido','descartado')), intentos int NOT NULL DEFAULT 0, error text, creado timestamptz NOT NULL DEFAULT now(), publicado timestamptz)",
    "id=id eventType=evento payload=carga status=estado attempts=intentos lastError=error createdAt=creado publishedAt=publicado",
    "INSERT INTO outbox_eventos (id,evento,carga,estado,intentos,error,publicado) VALUES ('$1','a','{}','pendiente',0,NULL,NULL),('$2','a','{}','en_proceso',0,NULL,NULL),('$3','a','{}','publicado',1,NULL,now()),('$4','a','{}','fallido',2,'x',NULL),('$5','a','{}','descartado',5,'x',NULL)",
    "$1 pending, $2 in_flight, $3 published, $4 failed|dead, $5 dead",
  ),
  stated(
    "CREATE TABLE fila_saida (id bigserial PRIMARY KEY, topico varchar(100) NOT NULL, chave varchar(100), mensagem text NOT NULL, situacao varchar(15) NOT NULL DEFAULT 'PENDENTE' CHECK (situacao IN ('PENDENTE','PROCESSANDO','ENVIADO','ERRO','CANCELADO')), qtd_tentativas int NOT NULL DEFAULT 0, dt_criacao timestamp NOT NULL DEFAULT now(), dt_envio timestamp, dt_proxima_tentativa timestamp, msg_erro text)",
    "id=id topic=topico aggregateId=chave payload=mensagem status=situacao attempts=qtd_tentativas createdAt=dt_criacao publishedAt=dt_envio availableAt=dt_proxima_tentativa lastError=msg_erro order?=id",
    "INSERT INTO fila_saida (topico,mensagem,situacao,qtd_tentativas,dt_envio,msg_erro) VALUES ('t','x','PENDENTE',0,NULL,NULL),('t','x','PROCESSANDO',0,NULL,NULL),('t','x','ENVIADO',1,now(),NULL),('t','x','ERRO',2,NULL,'x'),('t','x','CANCELADO',2,NULL,'x')",
    "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 dead|expired",
  ),
  stated(
    "CREATE TABLE coda_messaggi_uscita (id uuid PRIMARY KEY, destinazione varchar(100) NOT NULL, messaggio jsonb NOT NULL, stato varchar(20) NOT NULL DEFAULT 'DA_INVIARE' CHECK (stato IN ('DA_INVIARE','IN_CORSO','INVIATO','FALLITO')), numero_tentativi int NOT NULL DEFAULT 0, data_creazione timestamptz NOT NULL DEFAULT now(), data_invio timestamptz, errore text)",
    "id=id topic=destinazione payload=messaggio status=stato attempts=numero_tentativi createdAt=data_creazione publishedAt=data_invio lastError=errore",
    "INSERT INTO coda_messaggi_uscita (id,destinazione,messaggio,stato,numero_tentativi,data_invio,errore) VALUES ('$1','t','{}','DA_INVIARE',0,NULL,NULL),('$2','t','{}','IN_CORSO',0,NULL,NULL),('$3','t','{}','INVIATO',1,now(),NULL),('$4','t','{}','FALLITO',2,NULL,'x')",
    "$1 pending, $2 in_flight, $3 published, $4 failed|dead",
  ),
  stated(
    "CREATE TABLE postausgang (id uuid PRIMARY KEY, thema varchar(100) NOT NULL, schluessel varchar(100), inhalt jsonb NOT NULL, zustand varchar(20) NOT NULL DEFAULT 'OFFEN' CHECK (zustand IN ('OFFEN','IN_ARBEIT','VERSENDET','FEHLER','AUFGEGEBEN')), anzahl_versuche int NOT NULL DEFAULT 0, angelegt_am timestamptz NOT NULL DEFAULT now(), versendet_am timestamptz, fehlertext text)",
    "id=id topic=thema aggregateId=schluessel payload=inhalt status=zustand attempts=anzahl_versuche createdAt=angelegt_am publishedAt=versendet_am lastError=fehlertext",
    "INSERT INTO postausgang (id,thema,inhalt,zustand,anzahl_versuche,versendet_am,fehlertext) VALUES ('$1','t','{}','OFFEN',0,NULL,NULL),('$2','t','{}','IN_ARBEIT',0,NULL,NULL),('$3','t','{}','VERSENDET',1,now(),NULL),('$4','t','{}','FEHLER',2,NULL,'x'),('$5','t','{}','AUFGEGEBEN',9,NULL,'x')",
    "$1 pending, $2 in_flight, $3 published, $4 failed|dead, $5 dead",
  ),
  stated(
    "CREATE TABLE evenements_sortants (id bigserial PRIMARY KEY, sujet varchar(100) NOT NULL, cle varchar(100), corps jsonb NOT NULL, statut varchar(20) NOT NULL DEFAULT 'a_envoyer' CHECK (statut IN ('a_envoyer','en_cours','envoye','en_echec','abandonne')), essais int NOT NULL DEFAULT 0, cree_le timestamptz NOT NULL DEFAULT now(), envoye_le timestamptz, prochain_essai timestamptz, erreur text)",
    "id=id topic=sujet aggregateId=cle payload=corps status=statut attempts=essais createdAt=cree_le publishedAt=envoye_le availableAt=prochain_essai lastError=erreur order?=id",
    "INSERT INTO evenements_sortants (sujet,corps,statut,essais,envoye_le,erreur) VALUES ('t','{}','a_envoyer',0,NULL,NULL),('t','{}','en_cours',0,NULL,NULL),('t','{}','envoye',1,now(),NULL),('t','{}','en_echec',2,NULL,'x'),('t','{}','abandonne',9,NULL,'x')",
    "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 dead",
  ),
  stated(
    "CREATE TABLE zdarzenia_wychodzace (id uuid PRIMARY KEY, temat varchar(100) NOT NULL, dane jsonb NOT NULL, stan varchar(20) NOT NULL DEFAULT 'NOWE' CHECK (stan IN ('NOWE','WYSLANE','BLAD')), proby int NOT NULL DEFAULT 0, data_utworzenia timestamptz NOT NULL DEFAULT now(), data_wyslania timestamptz, blad text)",
    "id=id topic=temat payload=dane status=stan attempts=proby createdAt=data_utworzenia publishedAt=data_wyslania lastError=blad",
    "INSERT INTO zdarzenia_wychodzace (id,temat,dane,stan,proby,data_wyslania,blad) VALUES ('$1','t','{}','NOWE',0,NULL,NULL),('$2','t','{}','WYSLANE',1,now(),NULL),('$3','t','{}','BLAD',2,NULL,'x'),('$4','t','{}','WYSLANE',1,now(),NULL)",
    "$1 pending, $2 published, $3 failed|dead, $4 published",
  ),
  stated(
    "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, message_class varchar(255) NOT NULL, attributes jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT 'created', attempts int NOT NULL DEFAULT 0, available_at timestamp, reserved_at timestamp, created_at timestamp, updated_at timestamp)",
    "id=id eventType=message_class payload=attributes status=status attempts=attempts availableAt=available_at createdAt=created_at order?=id",
    "INSERT INTO outbox_messages (message_class,attributes,status,attempts,created_at) VALUES ('A','{}','created',0,now()),('A','{}','relayed',1,now()),('A','{}','errored',2,now()),('A','{}','buried',9,now())",
    "1 pending, 2 published, 3 failed|dead, 4 dead",
  ),
  stated(
    "CREATE TABLE tx_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0 CHECK (status IN (0,1,2)), attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz); COMMENT ON COLUMN tx_outbox.status IS '0 = pending, 1 = published, 2 = failed'",
    "id=id eventType=event_type payload=payload status=status attempts=attempts createdAt=created_at publishedAt=published_at",
    "INSERT INTO tx_outbox (id,event_type,payload,status,attempts,published_at) VALUES ('$1','a','{}',0,0,NULL),('$2','a','{}',1,1,now()),('$3','a','{}',2,3,NULL),('$4','a','{}',1,1,now())",
    "$1 pending, $2 published, $3 failed|dead, $4 published",
  ),
  stated(
    `CREATE TABLE "IntegrationEventLog" ("EventId" uuid PRIMARY KEY, "EventTypeName" text NOT NULL, "State" int NOT NULL, "TimesSent" int NOT NULL DEFAULT 0, "CreationTime" timestamptz NOT NULL, "Content" text NOT NULL, "TransactionId" text)`,
    "id=EventId eventType=EventTypeName status=State attempts=TimesSent createdAt=CreationTime payload=Content",
    `INSERT INTO "IntegrationEventLog" VALUES ('$1','A',0,0,now(),'{}','t'),('$2','A',1,1,now(),'{}','t'),('$3','A',2,1,now(),'{}','t'),('$4','A',3,2,now(),'{}','t')`,
    "$1 pending|unknown, $2 in_flight|unknown, $3 published|unknown, $4 failed|dead|unknown",
  ),
  stated(
    "CREATE TABLE cola_salida (id bigserial PRIMARY KEY, cod_estado smallint NOT NULL DEFAULT 1, tema varchar(80) NOT NULL, cuerpo jsonb NOT NULL, fec_alta timestamp NOT NULL DEFAULT now(), fec_envio timestamp, num_reintentos smallint NOT NULL DEFAULT 0, desc_error varchar(500))",
    "id=id status=cod_estado topic=tema payload=cuerpo createdAt=fec_alta publishedAt=fec_envio attempts=num_reintentos lastError=desc_error order?=id",
    "INSERT INTO cola_salida (cod_estado,tema,cuerpo,fec_envio,num_reintentos,desc_error) VALUES (1,'t','{}',NULL,0,NULL),(2,'t','{}',now(),0,NULL),(3,'t','{}',NULL,3,'x'),(2,'t','{}',now(),0,NULL)",
    "1 pending, 2 published, 3 failed|dead|unknown, 4 published",
  ),
  stated(
    "CREATE TABLE outbound_events (id uuid PRIMARY KEY, source text NOT NULL, subject text NOT NULL, type text NOT NULL, data jsonb NOT NULL, datacontenttype text, time timestamptz NOT NULL, state text NOT NULL DEFAULT 'ready' CHECK (state = ANY (ARRAY['ready','leased','acked','nacked','poisoned'])), lease_expires_at timestamptz, lease_owner text, nack_count int NOT NULL DEFAULT 0, nack_reason text)",
    "id=id eventType=type payload=data createdAt=time status=state lockedUntil=lease_expires_at lockedBy=lease_owner attempts=nack_count lastError=nack_reason topic?=subject aggregateId?=subject aggregateType?=source",
    "INSERT INTO outbound_events (id,source,subject,type,data,time,state,lease_expires_at,lease_owner,nack_count,nack_reason) VALUES ('$1','s','s','a','{}',now(),'ready',NULL,NULL,0,NULL),('$2','s','s','a','{}',now(),'leased',now()+interval '1 hour','w',0,NULL),('$3','s','s','a','{}',now(),'acked',NULL,NULL,0,NULL),('$4','s','s','a','{}',now(),'nacked',NULL,NULL,1,'x'),('$5','s','s','a','{}',now(),'poisoned',NULL,NULL,9,'x')",
    "$1 pending, $2 in_flight, $3 published, $4 failed|dead, $5 dead",
  ),
  stated(
    `CREATE TABLE "OutboxRecord" (id text PRIMARY KEY, "eventType" text NOT NULL, "eventVersion" int NOT NULL DEFAULT 1, "entityId" text NOT NULL, "entityType" text NOT NULL, "eventData" jsonb NOT NULL, "processingStatus" text NOT NULL DEFAULT 'PENDING', "processingAttempts" int NOT NULL DEFAULT 0, "processingError" text, "createdAt" timestamp(3) NOT NULL DEFAULT now(), "processedAt" timestamp(3)); CREATE INDEX ON "OutboxRecord" ("createdAt") WHERE "processingStatus" = 'PENDING'`,
    "id=id eventType=eventType aggregateId=entityId aggregateType=entityType payload=eventData status=processingStatus attempts=processingAttempts lastError=processingError createdAt=createdAt publishedAt=processedAt",
    `INSERT INTO "OutboxRecord" (id,"eventType","entityId","entityType","eventData","processingStatus","processingAttempts","processingError","processedAt") VALUES ('a','A','1','o','{}','PENDING',0,NULL,NULL),('b','A','1','o','{}','COMPLETED',1,NULL,now()),('c','A','1','o','{}','FAILED',3,'x',NULL),('d','A','1','o','{}','PROCESSING',0,NULL,NULL)`,
    "a pending, b published, c failed|dead, d in_flight",
  ),
  stated(
    "CREATE TABLE mensajes_pendientes_envio (uuid uuid PRIMARY KEY, canal varchar(60) NOT NULL, payload jsonb NOT NULL, enviado char(1) NOT NULL DEFAULT 'N' CHECK (enviado IN ('S','N')), fecha_hora_registro timestamp NOT NULL DEFAULT now(), fecha_hora_envio timestamp, intentos smallint NOT NULL DEFAULT 0)",
    "id=uuid topic=canal payload=payload createdAt=fecha_hora_registro publishedAt=fecha_hora_envio attempts=intentos status?=enviado",
    "INSERT INTO mensajes_pendientes_envio (uuid,canal,payload,enviado,fecha_hora_envio) VALUES ('$1','t','{}','N',NULL),('$2','t','{}','S',now()),('$3','t','{}','S',now()),('$4','t','{}','N',NULL)",
    "$1 pending, $2 published, $3 published, $4 pending",
  ),
  stated(
    "CREATE TABLE oban_outbox (id bigserial PRIMARY KEY, queue text NOT NULL, event text NOT NULL, args jsonb NOT NULL, state text NOT NULL DEFAULT 'available', attempt int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 20, errors jsonb[] NOT NULL DEFAULT '{}', inserted_at timestamp NOT NULL DEFAULT now(), scheduled_at timestamp NOT NULL DEFAULT now(), completed_at timestamp, discarded_at timestamp)",
    "id=id topic=queue eventType=event payload=args status=state attempts=attempt createdAt=inserted_at availableAt=scheduled_at publishedAt=completed_at lastError?=errors order?=id",
    "INSERT INTO oban_outbox (queue,event,args,state,attempt,completed_at,discarded_at) VALUES ('q','a','{}','available',0,NULL,NULL),('q','a','{}','completed',1,now(),NULL),('q','a','{}','retryable',2,NULL,NULL),('q','a','{}','discarded',20,NULL,now())",
    "1 pending, 2 published, 3 failed, 4 dead",
  ),
  stated(
    "CREATE TABLE event_outbox (event_id uuid PRIMARY KEY, partition_key text, event_name text NOT NULL, avro_payload bytea NOT NULL, schema_id int, publish_status text NOT NULL DEFAULT 'UNPUBLISHED' CHECK (publish_status IN ('UNPUBLISHED','PUBLISHED','UNDELIVERABLE')), publish_attempts int NOT NULL DEFAULT 0, last_publish_error text, last_attempted_at timestamptz, recorded_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)",
    "id=event_id aggregateId=partition_key eventType=event_name payload=avro_payload status=publish_status attempts=publish_attempts lastError=last_publish_error createdAt=recorded_at publishedAt=published_at",
    "INSERT INTO event_outbox (event_id,event_name,avro_payload,publish_status,publish_attempts,published_at) VALUES ('$1','a','x','UNPUBLISHED',0,NULL),('$2','a','x','PUBLISHED',1,now()),('$3','a','x','UNDELIVERABLE',5,NULL),('$4','a','x','PUBLISHED',1,now())",
    "$1 pending, $2 published, $3 dead, $4 published",
  ),
  stated(
    "CREATE TABLE outbox_queue (id bigserial PRIMARY KEY, created timestamptz NOT NULL DEFAULT now(), modified timestamptz NOT NULL DEFAULT now(), event_type varchar(120) NOT NULL, object_id varchar(64), content_type varchar(100), body text NOT NULL, status varchar(1) NOT NULL DEFAULT 'W', locked_at timestamptz, published timestamptz)",
    "id=id createdAt=created eventType=event_type aggregateId=object_id payload=body status=status publishedAt=published aggregateType?=content_type order?=id",
    "INSERT INTO outbox_queue (event_type,body,status,published) VALUES ('a','x','W',NULL),('a','x','D',now()),('a','x','D',now()),('a','x','X',NULL)",
    "1 pending|unknown, 2 published|unknown, 3 published|unknown, 4 failed|dead|unknown",
  ),
  // Sent later than it was written.
  stated(
    "CREATE TABLE delay2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, send_delay interval NOT NULL DEFAULT '0', status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED')), created_at timestamptz NOT NULL DEFAULT now())",
    "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
    "INSERT INTO delay2_outbox (event_type,payload,send_delay,status) VALUES ('a','{}','0','PENDING'),('a','{}','1 day','PENDING'),('a','{}','0','SENT'),('a','{}','0','FAILED')",
    "1 pending, 2 scheduled|unknown, 3 published, 4 failed|dead",
  ),
  // Words that other teams use.
  stated(
    "CREATE TABLE outbox_terminal (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','ACQUIRED','SENT','FAILED','TERMINAL','DUPLICATE','UNCERTAIN')))",
    "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
    "INSERT INTO outbox_terminal (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','ACQUIRED'),('a','{}','SENT'),('a','{}','FAILED'),('a','{}','TERMINAL'),('a','{}','DUPLICATE'),('a','{}','UNCERTAIN')",
    "1 pending, 2 in_flight, 3 published, 4 failed, 5 dead, 6 unknown, 7 unknown",
  ),
  stated(
    "CREATE TABLE outbox_meddelanden (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'VÄNTAR')",
    "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
    "INSERT INTO outbox_meddelanden (event_type,payload,status) VALUES ('a','{}','VÄNTAR'),('a','{}','SKICKAD'),('a','{}','MISSLYCKAD'),('a','{}','SKICKAS')",
    "1 pending, 2 published, 3 failed, 4 in_flight",
  ),
  // A new row has no status: an index shows it, rows alone do not, and not beside a word for new rows.
  stated(
    "CREATE TABLE outbox_bare_indexed (id bigserial PRIMARY KEY, event_type text NOT NULL, payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(10), sent_at timestamptz); CREATE INDEX ON outbox_bare_indexed (id) WHERE status IS NULL",
    "id=id eventType=event_type payload=payload status=status createdAt=created_at publishedAt=sent_at order?=id",
    "INSERT INTO outbox_bare_indexed (event_type,payload,status,sent_at) VALUES ('a','x',NULL,NULL),('a','x','SENT',now()),('a','x','ERROR',NULL),('a','x','ODD',NULL)",
    "1 pending, 2 published, 3 failed|dead, 4 unknown",
  ),
  stated(
    "CREATE TABLE outbox_bare_rows (id bigserial PRIMARY KEY, event_type text NOT NULL, payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), send_status varchar(10))",
    "id=id eventType=event_type payload=payload status=send_status createdAt=created_at order?=id",
    "INSERT INTO outbox_bare_rows (event_type,payload,send_status) VALUES ('a','x',NULL),('a','x','SENT'),('a','x','ERROR')",
    "1 unknown, 2 published, 3 failed|dead",
  ),
  stated(
    "CREATE TABLE outbox_bare_beside (id bigserial PRIMARY KEY, event_type text NOT NULL, payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(10)); CREATE INDEX ON outbox_bare_beside (id) WHERE status IS NULL",
    "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
    "INSERT INTO outbox_bare_beside (event_type,payload,status) VALUES ('a','x',NULL),('a','x','NEW'),('a','x','SENT')",
    "1 unknown, 2 pending, 3 published",
  ),
  stated(
    "CREATE TABLE outbox_bare_twice (id bigserial PRIMARY KEY, event_type text NOT NULL, payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(10)); CREATE INDEX ON outbox_bare_twice (id) WHERE status IS NULL; CREATE INDEX ON outbox_bare_twice (id) WHERE status = 'B9'",
    "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
    "INSERT INTO outbox_bare_twice (event_type,payload,status) VALUES ('a','x',NULL),('a','x','SENT'),('a','x','B9')",
    "1 pending, 2 published, 3 unknown",
  ),
];
