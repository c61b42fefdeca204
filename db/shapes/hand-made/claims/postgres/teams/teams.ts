import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes as teams of several languages and tools write them, each with the rows that its own relay would take. */
export const CLAIMED_TEAMS: readonly ClaimedTable[] = [
  // Rails: string status, two error columns, Rails timestamps.
  claimed(
    stated(
      "CREATE TABLE integration_outboxes (id bigserial PRIMARY KEY, subject_type varchar NOT NULL, subject_id bigint NOT NULL, event_name varchar NOT NULL, body jsonb NOT NULL DEFAULT '{}', state varchar NOT NULL DEFAULT 'queued', tries integer NOT NULL DEFAULT 0, error_class varchar, error_message text, run_at timestamp NOT NULL DEFAULT now(), created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now())",
      "id=id aggregateType=subject_type aggregateId=subject_id eventType=event_name payload=body status=state attempts=tries lastError=error_message availableAt=run_at createdAt=created_at order?=id",
      "INSERT INTO integration_outboxes (subject_type,subject_id,event_name,body,state,tries,error_message,run_at) VALUES ('Order',1,'a','{}','queued',0,NULL,now()),('Order',1,'a','{}','sent',1,NULL,now()),('Order',1,'a','{}','queued',2,'x',now()+interval '1 hour'),('Order',1,'a','{}','discarded',9,'x',now()),('Order',1,'a','{}','sending',1,NULL,now())",
      "1 pending, 2 published, 3 failed, 4 dead, 5 in_flight|unknown",
    ),
    "SELECT id FROM integration_outboxes WHERE state = 'queued' AND run_at <= {now}",
  ),
  // Laravel: published flag beside its time, and the row's own limit of attempts.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, aggregate_id uuid NOT NULL, event_type varchar(255) NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, published_at timestamp, retries int NOT NULL DEFAULT 0, max_retries int NOT NULL DEFAULT 3, created_at timestamp DEFAULT now(), updated_at timestamp DEFAULT now())",
      "id=id aggregateId=aggregate_id eventType=event_type payload=payload publishedAt=published_at attempts=retries createdAt=created_at order?=id",
      "INSERT INTO outbox_messages (aggregate_id,event_type,payload,published,published_at,retries) VALUES ('$1','a','{}',false,NULL,0),('$1','a','{}',true,now(),0),('$1','a','{}',false,NULL,1),('$1','a','{}',false,NULL,3)",
      "1 pending, 2 published, 3 failed, 4 dead|failed",
    ),
    "SELECT id FROM outbox_messages WHERE published = false AND retries < max_retries",
  ),
  // EF Core: Pascal case, error beside a time that failures do not set.
  claimed(
    stated(
      `CREATE TABLE "OutboxMessages" ("Id" uuid PRIMARY KEY, "OccurredOnUtc" timestamptz NOT NULL DEFAULT now(), "Type" text NOT NULL, "Content" jsonb NOT NULL, "ProcessedOnUtc" timestamptz, "RetryCount" int NOT NULL DEFAULT 0, "NextRetryOnUtc" timestamptz, "Error" text, "DeadLetteredOnUtc" timestamptz)`,
      "id=Id createdAt=OccurredOnUtc eventType=Type payload=Content publishedAt=ProcessedOnUtc attempts=RetryCount availableAt=NextRetryOnUtc lastError=Error",
      `INSERT INTO "OutboxMessages" ("Id","Type","Content","ProcessedOnUtc","RetryCount","NextRetryOnUtc","Error","DeadLetteredOnUtc") VALUES ('$1','a','{}',NULL,0,NULL,NULL,NULL),('$2','a','{}',now(),0,NULL,NULL,NULL),('$3','a','{}',NULL,2,now()+interval '1 hour','x',NULL),('$4','a','{}',NULL,5,NULL,'x',now())`,
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    `SELECT "Id" FROM "OutboxMessages" WHERE "ProcessedOnUtc" IS NULL AND "DeadLetteredOnUtc" IS NULL AND ("NextRetryOnUtc" IS NULL OR "NextRetryOnUtc" <= {now})`,
  ),
  // EF Core with an enum stored as a number, and nothing that says what the numbers mean.
  claimed(
    stated(
      `CREATE TABLE "IntegrationEventOutbox" ("EventId" uuid PRIMARY KEY, "EventTypeName" text NOT NULL, "State" int NOT NULL, "TimesSent" int NOT NULL, "CreationTime" timestamptz NOT NULL, "Content" text NOT NULL, "TenantId" uuid)`,
      "id=EventId eventType=EventTypeName status=State attempts?=TimesSent createdAt=CreationTime payload=Content",
      `INSERT INTO "IntegrationEventOutbox" VALUES ('$1','a',0,0,now(),'{}',NULL),('$2','a',2,1,now(),'{}',NULL),('$3','a',3,1,now(),'{}',NULL)`,
      "$1 pending|unknown, $2 published|unknown, $3 failed|dead|unknown",
    ),
    `SELECT "EventId" FROM "IntegrationEventOutbox" WHERE "State" = 0`,
  ),
  // Spring/JPA: upper-case names as Oracle's, Y/N flag and a version.
  claimed(
    stated(
      `CREATE TABLE "T_OUTBOX" ("ID" numeric(19) PRIMARY KEY, "AGGREGATE_TYPE" varchar(255) NOT NULL, "AGGREGATE_ID" varchar(255) NOT NULL, "EVENT_TYPE" varchar(255) NOT NULL, "PAYLOAD" text NOT NULL, "SENT_FLAG" char(1) NOT NULL DEFAULT 'N' CHECK ("SENT_FLAG" IN ('Y','N')), "SENT_TS" timestamp, "CREATED_TS" timestamp NOT NULL DEFAULT now(), "VERSION" bigint NOT NULL DEFAULT 0)`,
      "id=ID aggregateType=AGGREGATE_TYPE aggregateId=AGGREGATE_ID eventType=EVENT_TYPE payload=PAYLOAD publishedAt=SENT_TS status?=SENT_FLAG createdAt=CREATED_TS order?=ID",
      `INSERT INTO "T_OUTBOX" ("ID","AGGREGATE_TYPE","AGGREGATE_ID","EVENT_TYPE","PAYLOAD","SENT_FLAG","SENT_TS") VALUES (1,'o','1','a','{}','N',NULL),(2,'o','1','a','{}','Y',now()),(3,'o','1','a','{}','N',NULL)`,
      "1 pending, 2 published, 3 pending",
    ),
    `SELECT "ID" FROM "T_OUTBOX" WHERE "SENT_FLAG" = 'N'`,
  ),
  // Spring Kotlin: the failed ones are tried again by the same job.
  claimed(
    stated(
      "CREATE TYPE outbox_status AS ENUM ('NEW','IN_PROGRESS','DONE','ERROR','DEAD'); CREATE TABLE app_outbox (id uuid PRIMARY KEY, topic varchar(200) NOT NULL, message_key varchar(200), message text NOT NULL, status outbox_status NOT NULL DEFAULT 'NEW', error_count int NOT NULL DEFAULT 0, last_error text, created timestamptz NOT NULL DEFAULT now(), modified timestamptz NOT NULL DEFAULT now(), opt_lock int NOT NULL DEFAULT 0)",
      "id=id topic=topic aggregateId=message_key payload=message status=status attempts=error_count lastError=last_error createdAt=created",
      "INSERT INTO app_outbox (id,topic,message,status,error_count,last_error) VALUES ('$1','t','{}','NEW',0,NULL),('$2','t','{}','DONE',0,NULL),('$3','t','{}','ERROR',2,'x'),('$4','t','{}','DEAD',9,'x'),('$5','t','{}','IN_PROGRESS',0,NULL)",
      "$1 pending, $2 published, $3 failed, $4 dead, $5 in_flight",
    ),
    "SELECT id FROM app_outbox WHERE status IN ('NEW','ERROR')",
  ),
  // Go/sqlc: bytea, lease until, and a claim without a status.
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY, subject text NOT NULL, data bytea NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), processing_until timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, attempts int NOT NULL DEFAULT 0, last_err text)",
      "id=id topic=subject payload=data headers=headers createdAt=created_at lockedUntil=processing_until publishedAt=processed_at attempts=attempts lastError=last_err",
      "INSERT INTO event_outbox (id,subject,data,processing_until,processed_at,attempts,last_err) VALUES ('$1','s','x',now(),NULL,0,NULL),('$2','s','x',now(),now(),1,NULL),('$3','s','x',now()+interval '1 hour',NULL,1,NULL),('$4','s','x',now()-interval '1 hour',NULL,3,'x')",
      "$1 pending, $2 published, $3 in_flight, $4 failed",
    ),
    "SELECT id FROM event_outbox WHERE processed_at IS NULL AND processing_until <= {now}",
  ),
  // Prisma: camel case, enum, dead word of its own.
  claimed(
    stated(
      `CREATE TYPE "OutboxState" AS ENUM ('PENDING','PUBLISHED','RETRYING','EXHAUSTED'); CREATE TABLE "OutboxEvent" ("id" text PRIMARY KEY, "aggregateType" text NOT NULL, "aggregateId" text NOT NULL, "eventType" text NOT NULL, "payload" jsonb NOT NULL, "state" "OutboxState" NOT NULL DEFAULT 'PENDING', "attemptCount" integer NOT NULL DEFAULT 0, "nextAttemptAt" timestamp(3), "lastError" text, "publishedAt" timestamp(3), "createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP)`,
      "id=id aggregateType=aggregateType aggregateId=aggregateId eventType=eventType payload=payload status=state attempts=attemptCount availableAt=nextAttemptAt lastError=lastError publishedAt=publishedAt createdAt=createdAt",
      `INSERT INTO "OutboxEvent" ("id","aggregateType","aggregateId","eventType","payload","state","attemptCount","nextAttemptAt","publishedAt") VALUES ('a','o','1','e','{}','PENDING',0,NULL,NULL),('b','o','1','e','{}','PUBLISHED',1,NULL,now()),('c','o','1','e','{}','RETRYING',2,now()+interval '1 hour',NULL),('d','o','1','e','{}','EXHAUSTED',9,NULL,NULL)`,
      "a pending, b published, c failed, d dead",
    ),
    `SELECT "id" FROM "OutboxEvent" WHERE "state" IN ('PENDING','RETRYING') AND ("nextAttemptAt" IS NULL OR "nextAttemptAt" <= (now() AT TIME ZONE 'UTC'))`,
  ),
  // TypeORM: epoch milliseconds, 0 for "not yet".
  claimed(
    stated(
      `CREATE TABLE outbox_event (id uuid PRIMARY KEY, "eventName" varchar NOT NULL, "eventBody" text NOT NULL, "createdAtMs" bigint NOT NULL, "sentAtMs" bigint NOT NULL DEFAULT 0, "retryNo" int NOT NULL DEFAULT 0)`,
      "id=id eventType=eventName payload=eventBody createdAt=createdAtMs publishedAt?=sentAtMs attempts=retryNo",
      `INSERT INTO outbox_event VALUES ('$1','a','{}',1767225600000,0,0),('$2','a','{}',1767225600000,1767225700000,0),('$3','a','{}',1767225600000,0,2)`,
      "$1 pending|unknown, $2 published|unknown, $3 failed|unknown",
    ),
    `SELECT id FROM outbox_event WHERE "sentAtMs" = 0`,
  ),
  // Sequelize: epoch milliseconds that may be null.
  claimed(
    stated(
      `CREATE TABLE "Outboxes" (id serial PRIMARY KEY, "topic" varchar(255) NOT NULL, "payload" json NOT NULL, "sentAt" bigint, "failedAt" bigint, "failureReason" text, "createdAt" bigint NOT NULL, "updatedAt" bigint NOT NULL)`,
      "id=id topic=topic payload=payload publishedAt=sentAt lastError=failureReason createdAt=createdAt order?=id",
      `INSERT INTO "Outboxes" ("topic","payload","sentAt","failedAt","failureReason","createdAt","updatedAt") VALUES ('t','{}',NULL,NULL,NULL,1767225600000,1767225600000),('t','{}',1767225700000,NULL,NULL,1767225600000,1767225600000),('t','{}',NULL,1767225700000,'x',1767225600000,1767225600000)`,
      "1 pending, 2 published, 3 failed|dead",
    ),
    `SELECT id FROM "Outboxes" WHERE "sentAt" IS NULL AND "failedAt" IS NULL`,
  ),
  // Ecto: state as text with a check, snoozed until.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id bigserial PRIMARY KEY, stream text NOT NULL, event text NOT NULL, args jsonb NOT NULL DEFAULT '{}', state text NOT NULL DEFAULT 'available' CHECK (state IN ('available','executing','retryable','completed','discarded','cancelled')), attempt int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 20, errors jsonb NOT NULL DEFAULT '[]', inserted_at timestamp NOT NULL DEFAULT now(), scheduled_at timestamp NOT NULL DEFAULT now(), completed_at timestamp, discarded_at timestamp)",
      "id=id topic?=stream aggregateId?=stream eventType=event payload=args status=state attempts=attempt lastError?=errors createdAt=inserted_at availableAt=scheduled_at publishedAt=completed_at order?=id",
      "INSERT INTO outbox_events (stream,event,state,attempt,completed_at,discarded_at,scheduled_at) VALUES ('s','a','available',0,NULL,NULL,now()-interval '1 minute'),('s','a','completed',1,now(),NULL,now()),('s','a','retryable',2,NULL,NULL,now()+interval '1 hour'),('s','a','discarded',20,NULL,now(),now()),('s','a','executing',1,NULL,NULL,now()),('s','a','cancelled',0,NULL,NULL,now())",
      "1 pending, 2 published, 3 failed, 4 dead, 5 in_flight, 6 dead|unknown",
    ),
    "SELECT id FROM outbox_events WHERE state IN ('available','retryable') AND scheduled_at <= (now() AT TIME ZONE 'UTC')",
  ),
  // Rust sqlx: a lease and an index of what waits.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, payload bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), delivered_at timestamptz, poisoned boolean NOT NULL DEFAULT false, failures smallint NOT NULL DEFAULT 0, not_before timestamptz NOT NULL DEFAULT now(), leased_by text, leased_until timestamptz); CREATE INDEX ON outbox (not_before) WHERE delivered_at IS NULL AND NOT poisoned",
      "id=id eventType=kind payload=payload createdAt=created_at publishedAt=delivered_at attempts=failures availableAt=not_before lockedBy=leased_by lockedUntil=leased_until order?=id",
      "INSERT INTO outbox (kind,payload,delivered_at,poisoned,failures,not_before,leased_by,leased_until) VALUES ('a','x',NULL,false,0,now(),NULL,NULL),('a','x',now(),false,1,now(),NULL,NULL),('a','x',NULL,false,2,now()+interval '1 hour',NULL,NULL),('a','x',NULL,true,9,now(),NULL,NULL),('a','x',NULL,false,0,now(),'w1',now()+interval '1 hour')",
      "1 pending, 2 published, 3 failed, 4 dead, 5 in_flight",
    ),
    "SELECT id FROM outbox WHERE delivered_at IS NULL AND NOT poisoned AND not_before <= {now} AND (leased_until IS NULL OR leased_until < {now})",
  ),
  // Django: choices by one letter.
  claimed(
    stated(
      "CREATE TABLE core_outbox (id bigserial PRIMARY KEY, uid uuid NOT NULL UNIQUE, topic varchar(64) NOT NULL, payload jsonb NOT NULL, status varchar(1) NOT NULL DEFAULT 'P' CHECK (status IN ('P','S','F')), created timestamptz NOT NULL DEFAULT now(), sent timestamptz, failures int NOT NULL DEFAULT 0)",
      "id=id topic=topic payload=payload status=status createdAt=created publishedAt=sent attempts=failures order?=id",
      "INSERT INTO core_outbox (uid,topic,payload,status,sent,failures) VALUES ('$1','t','{}','P',NULL,0),('$2','t','{}','S',now(),0),('$3','t','{}','F',NULL,5)",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM core_outbox WHERE status = 'P'",
  ),
  // Plain SQL, German.
  claimed(
    stated(
      "CREATE TABLE ereignis_ausgang (ereignis_id uuid PRIMARY KEY, ereignistyp varchar(80) NOT NULL, aggregat_id varchar(80) NOT NULL, nutzdaten jsonb NOT NULL, erstellt_am timestamptz NOT NULL DEFAULT now(), gesendet_am timestamptz, versuche int NOT NULL DEFAULT 0, naechster_versuch timestamptz, letzter_fehler text, aufgegeben boolean NOT NULL DEFAULT false)",
      "id=ereignis_id eventType=ereignistyp aggregateId=aggregat_id payload=nutzdaten createdAt=erstellt_am publishedAt=gesendet_am attempts=versuche availableAt=naechster_versuch lastError=letzter_fehler",
      "INSERT INTO ereignis_ausgang (ereignis_id,ereignistyp,aggregat_id,nutzdaten,gesendet_am,versuche,naechster_versuch,letzter_fehler,aufgegeben) VALUES ('$1','a','1','{}',NULL,0,NULL,NULL,false),('$2','a','1','{}',now(),0,NULL,NULL,false),('$3','a','1','{}',NULL,2,now()+interval '1 hour','x',false),('$4','a','1','{}',NULL,9,NULL,'x',true)",
      "$1 pending, $2 published, $3 failed, $4 dead|unknown",
    ),
    "SELECT ereignis_id FROM ereignis_ausgang WHERE gesendet_am IS NULL AND NOT aufgegeben AND (naechster_versuch IS NULL OR naechster_versuch <= {now})",
  ),
  // German, words of a check.
  claimed(
    stated(
      "CREATE TABLE nachrichten_postausgang (id bigserial PRIMARY KEY, thema varchar(80) NOT NULL, inhalt text NOT NULL, zustand varchar(20) NOT NULL DEFAULT 'OFFEN' CHECK (zustand IN ('OFFEN','IN_ARBEIT','VERSENDET','FEHLGESCHLAGEN','VERWORFEN')), anzahl_versuche int NOT NULL DEFAULT 0, fehlertext text, angelegt_am timestamp NOT NULL DEFAULT now())",
      "id=id topic=thema payload=inhalt status=zustand attempts=anzahl_versuche lastError=fehlertext createdAt=angelegt_am order?=id",
      "INSERT INTO nachrichten_postausgang (thema,inhalt,zustand,anzahl_versuche) VALUES ('t','x','OFFEN',0),('t','x','VERSENDET',1),('t','x','FEHLGESCHLAGEN',2),('t','x','VERWORFEN',9),('t','x','IN_ARBEIT',0)",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 dead|unknown, 5 in_flight|unknown",
    ),
    "SELECT id FROM nachrichten_postausgang WHERE zustand IN ('OFFEN','FEHLGESCHLAGEN')",
  ),
  // French.
  claimed(
    stated(
      "CREATE TABLE boite_envoi_evenements (identifiant uuid PRIMARY KEY, type_evenement varchar(100) NOT NULL, contenu jsonb NOT NULL, statut varchar(20) NOT NULL DEFAULT 'A_ENVOYER' CHECK (statut IN ('A_ENVOYER','ENVOYE','EN_ERREUR','ABANDONNE')), nb_tentatives int NOT NULL DEFAULT 0, derniere_erreur text, date_creation timestamptz NOT NULL DEFAULT now(), date_envoi timestamptz)",
      "id=identifiant eventType=type_evenement payload=contenu status=statut attempts=nb_tentatives lastError=derniere_erreur createdAt=date_creation publishedAt=date_envoi",
      "INSERT INTO boite_envoi_evenements (identifiant,type_evenement,contenu,statut,nb_tentatives,date_envoi) VALUES ('$1','a','{}','A_ENVOYER',0,NULL),('$2','a','{}','ENVOYE',0,now()),('$3','a','{}','EN_ERREUR',2,NULL),('$4','a','{}','ABANDONNE',9,NULL)",
      "$1 pending|unknown, $2 published|unknown, $3 failed|unknown, $4 dead|unknown",
    ),
    "SELECT identifiant FROM boite_envoi_evenements WHERE statut IN ('A_ENVOYER','EN_ERREUR')",
  ),
  // Spanish.
  claimed(
    stated(
      "CREATE TABLE bandeja_salida (id bigserial PRIMARY KEY, tipo_evento varchar(80) NOT NULL, agregado_id varchar(80), carga_util jsonb NOT NULL, estado varchar(20) NOT NULL DEFAULT 'PENDIENTE' CHECK (estado IN ('PENDIENTE','PROCESANDO','PUBLICADO','FALLIDO','DESCARTADO')), reintentos int NOT NULL DEFAULT 0, proximo_intento timestamptz, mensaje_error text, creado_en timestamptz NOT NULL DEFAULT now(), publicado_en timestamptz)",
      "id=id eventType=tipo_evento aggregateId=agregado_id payload=carga_util status=estado attempts=reintentos availableAt=proximo_intento lastError=mensaje_error createdAt=creado_en publishedAt=publicado_en order?=id",
      "INSERT INTO bandeja_salida (tipo_evento,carga_util,estado,reintentos,proximo_intento,publicado_en) VALUES ('a','{}','PENDIENTE',0,NULL,NULL),('a','{}','PUBLICADO',0,NULL,now()),('a','{}','FALLIDO',2,now()+interval '1 hour',NULL),('a','{}','DESCARTADO',9,NULL,NULL),('a','{}','PROCESANDO',0,NULL,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown, 5 in_flight",
    ),
    "SELECT id FROM bandeja_salida WHERE estado IN ('PENDIENTE','FALLIDO') AND (proximo_intento IS NULL OR proximo_intento <= {now})",
  ),
  // Portuguese, Hungarian prefixes.
  claimed(
    stated(
      "CREATE TABLE tb_caixa_saida (id_mensagem bigserial PRIMARY KEY, tp_evento varchar(60) NOT NULL, ds_conteudo text NOT NULL, in_processado boolean NOT NULL DEFAULT false, dt_criacao timestamp NOT NULL DEFAULT now(), dt_processamento timestamp, nr_tentativas int NOT NULL DEFAULT 0, ds_ultimo_erro text)",
      "id=id_mensagem eventType=tp_evento payload=ds_conteudo createdAt=dt_criacao publishedAt=dt_processamento attempts=nr_tentativas lastError=ds_ultimo_erro order?=id_mensagem",
      "INSERT INTO tb_caixa_saida (tp_evento,ds_conteudo,in_processado,dt_processamento,nr_tentativas,ds_ultimo_erro) VALUES ('a','x',false,NULL,0,NULL),('a','x',true,now(),0,NULL),('a','x',false,NULL,2,'e')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id_mensagem FROM tb_caixa_saida WHERE in_processado = false",
  ),
  // Italian.
  claimed(
    stated(
      "CREATE TABLE posta_in_uscita (id uuid PRIMARY KEY, argomento varchar(80) NOT NULL, tipo_evento varchar(80) NOT NULL, dati jsonb NOT NULL, stato varchar(20) NOT NULL DEFAULT 'DA_INVIARE' CHECK (stato IN ('DA_INVIARE','INVIATO','ERRORE','SCARTATO')), tentativi int NOT NULL DEFAULT 0, ultimo_errore text, creato_il timestamptz NOT NULL DEFAULT now(), inviato_il timestamptz)",
      "id=id topic=argomento eventType=tipo_evento payload=dati status=stato attempts=tentativi lastError=ultimo_errore createdAt=creato_il publishedAt=inviato_il",
      "INSERT INTO posta_in_uscita (id,argomento,tipo_evento,dati,stato,tentativi,inviato_il) VALUES ('$1','t','a','{}','DA_INVIARE',0,NULL),('$2','t','a','{}','INVIATO',0,now()),('$3','t','a','{}','ERRORE',2,NULL),('$4','t','a','{}','SCARTATO',9,NULL)",
      "$1 pending|unknown, $2 published|unknown, $3 failed|unknown, $4 dead|unknown",
    ),
    "SELECT id FROM posta_in_uscita WHERE stato IN ('DA_INVIARE','ERRORE')",
  ),
];
