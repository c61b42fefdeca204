import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** Outboxes that were written after the rules were, each with the rows that its own relay would take. */
export const CLAIMED_WRITTEN_AFTER_RULES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE saga_outbox (event_id uuid PRIMARY KEY, saga_id uuid NOT NULL, command_type varchar(100) NOT NULL, command_payload jsonb NOT NULL, published boolean DEFAULT false, publish_attempts int DEFAULT 0, last_publish_error text, next_publish_at timestamptz, published_on timestamptz, created_on timestamptz DEFAULT now())",
      "id=event_id aggregateId?=saga_id eventType=command_type payload=command_payload publishedAt=published_on attempts=publish_attempts lastError=last_publish_error availableAt=next_publish_at createdAt=created_on",
      "INSERT INTO saga_outbox (event_id,saga_id,command_type,command_payload,published,publish_attempts,next_publish_at,published_on) VALUES ('$1','$1','a','{}',false,0,NULL,NULL),('$2','$1','a','{}',true,1,NULL,now()),('$3','$1','a','{}',false,2,now()+interval '1 hour',NULL)",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT event_id FROM saga_outbox WHERE NOT published AND (next_publish_at IS NULL OR next_publish_at <= {now})",
  ),
  claimed(
    stated(
      `CREATE TABLE "tblOutbox" ("intOutboxId" serial PRIMARY KEY, "strEventType" varchar(50) NOT NULL, "txtPayload" text NOT NULL, "dtmCreated" timestamptz NOT NULL DEFAULT now(), "dtmSent" timestamptz, "blnSent" boolean NOT NULL DEFAULT false, "intRetryCount" int NOT NULL DEFAULT 0, "strLastError" varchar(500))`,
      "id=intOutboxId eventType=strEventType payload=txtPayload createdAt=dtmCreated publishedAt=dtmSent attempts=intRetryCount lastError=strLastError order?=intOutboxId",
      `INSERT INTO "tblOutbox" ("strEventType","txtPayload","dtmSent","blnSent","intRetryCount") VALUES ('a','x',NULL,false,0),('a','x',now(),true,0),('a','x',NULL,false,2)`,
      "1 pending, 2 published, 3 failed",
    ),
    `SELECT "intOutboxId" FROM "tblOutbox" WHERE NOT "blnSent"`,
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, stream_name text NOT NULL, message_type text NOT NULL, data jsonb NOT NULL, metadata jsonb, global_position bigserial, recorded_at timestamptz NOT NULL DEFAULT now(), forwarded_at timestamptz, quarantined_at timestamptz, quarantine_reason text)",
      "id=id topic?=stream_name aggregateId?=stream_name eventType=message_type payload=data headers=metadata order=global_position createdAt=recorded_at publishedAt=forwarded_at lastError?=quarantine_reason",
      "INSERT INTO outbox (id,stream_name,message_type,data,forwarded_at,quarantined_at) VALUES ('$1','s','a','{}',NULL,NULL),('$2','s','a','{}',now(),NULL),('$3','s','a','{}',NULL,now())",
      "$1 pending, $2 published, $3 dead|unknown",
    ),
    "SELECT id FROM outbox WHERE forwarded_at IS NULL AND quarantined_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0 CHECK (status IN (0,1,2,3)), last_error text, attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status lastError=last_error attempts=attempts createdAt=created_at order?=id",
      "INSERT INTO event_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 pending|unknown, 2 unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM event_outbox WHERE status = 0",
  ),
  claimed(
    stated(
      "CREATE TABLE outgoing_messages (message_id uuid PRIMARY KEY, destination text NOT NULL, body text NOT NULL, dispatched boolean NOT NULL DEFAULT false, dispatched_at timestamptz, poison boolean NOT NULL DEFAULT false, delivery_count int NOT NULL DEFAULT 0, visible_from timestamptz NOT NULL DEFAULT now(), enqueued_at timestamptz NOT NULL DEFAULT now())",
      "id=message_id topic=destination payload=body publishedAt=dispatched_at attempts=delivery_count availableAt=visible_from createdAt=enqueued_at",
      "INSERT INTO outgoing_messages (message_id,destination,body,dispatched,dispatched_at,poison,delivery_count,visible_from) VALUES ('$1','d','x',false,NULL,false,0,now()),('$2','d','x',true,now(),false,1,now()),('$3','d','x',false,NULL,true,9,now()),('$4','d','x',false,NULL,false,2,now()+interval '1 hour')",
      "$1 pending, $2 published, $3 dead, $4 failed",
    ),
    "SELECT message_id FROM outgoing_messages WHERE NOT dispatched AND NOT poison AND visible_from <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE mensajes_salientes (id_mensaje bigserial PRIMARY KEY, cola varchar(80) NOT NULL, cuerpo jsonb NOT NULL, lage varchar(20) NOT NULL DEFAULT 'NUEVO', error text, creado timestamptz NOT NULL DEFAULT now(), enviado timestamptz, intentos smallint NOT NULL DEFAULT 0)",
      "id=id_mensaje topic?=cola payload=cuerpo status=lage lastError=error createdAt=creado publishedAt=enviado attempts=intentos order?=id_mensaje",
      "INSERT INTO mensajes_salientes (cola,cuerpo,lage,enviado,intentos) VALUES ('q','{}','NUEVO',NULL,0),('q','{}','ENVIADO',now(),0),('q','{}','FALLIDO',NULL,3)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id_mensaje FROM mensajes_salientes WHERE lage = 'NUEVO'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_message (id uuid PRIMARY KEY, message_type text NOT NULL, payload text NOT NULL, status text NOT NULL CHECK (status IN ('PENDING','PROCESSING','SENT','FAILED')) DEFAULT 'PENDING', worker_id text, processing_started_at timestamptz, retry_at timestamptz, retries int NOT NULL DEFAULT 0, failure_message text, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=message_type payload=payload status=status availableAt=retry_at attempts=retries lastError=failure_message publishedAt=sent_at createdAt=created_at lockedBy?=worker_id",
      "INSERT INTO outbox_message (id,message_type,payload,status,worker_id,processing_started_at,retry_at,retries,sent_at) VALUES ('$1','a','x','PENDING',NULL,NULL,NULL,0,NULL),('$2','a','x','SENT','w',now(),NULL,0,now()),('$3','a','x','FAILED','w',now(),now()+interval '1 hour',3,NULL),('$4','a','x','PROCESSING','w',now(),NULL,0,NULL)",
      "$1 pending, $2 published, $3 failed|dead, $4 in_flight",
    ),
    "SELECT id FROM outbox_message WHERE status = 'PENDING' AND worker_id IS NULL AND (retry_at IS NULL OR retry_at <= {now})",
  ),
  claimed(
    stated(
      "CREATE TABLE relay_queue (seq bigserial PRIMARY KEY, key text NOT NULL, event text NOT NULL, value jsonb NOT NULL, acked_at timestamptz, nacked_at timestamptz, nack_reason text, put_at timestamptz NOT NULL DEFAULT now())",
      "id=seq aggregateId=key eventType=event payload=value publishedAt=acked_at lastError?=nack_reason createdAt=put_at order=seq",
      "INSERT INTO relay_queue (key,event,value,acked_at,nacked_at) VALUES ('k','e','{}',NULL,NULL),('k','e','{}',now(),NULL),('k','e','{}',NULL,now())",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT seq FROM relay_queue WHERE acked_at IS NULL AND nacked_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_publications (id uuid PRIMARY KEY, routing_key text NOT NULL, body bytea NOT NULL, published_at timestamptz, confirmed_at timestamptz, returned_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=routing_key payload=body publishedAt?=published_at createdAt=created_at",
      "INSERT INTO outbox_publications (id,routing_key,body,published_at,confirmed_at) VALUES ('$1','r','x',NULL,NULL),('$2','r','x',now(),now()),('$3','r','x',now(),NULL)",
      "$1 pending|unknown, $2 published, $3 published|in_flight|unknown",
    ),
    "SELECT id FROM outbox_publications WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE evenements_sortants (id bigserial PRIMARY KEY, nom varchar(80) NOT NULL, donnees jsonb NOT NULL, traite boolean NOT NULL DEFAULT false, en_echec boolean NOT NULL DEFAULT false, message_erreur text, date_creation timestamp NOT NULL DEFAULT now(), date_traitement timestamp, nombre_essais int NOT NULL DEFAULT 0)",
      "id=id eventType=nom payload=donnees publishedAt=date_traitement lastError=message_erreur createdAt=date_creation attempts=nombre_essais order?=id",
      "INSERT INTO evenements_sortants (nom,donnees,traite,en_echec,date_traitement,nombre_essais) VALUES ('a','{}',false,false,NULL,0),('a','{}',true,false,now(),1),('a','{}',false,true,NULL,3)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM evenements_sortants WHERE NOT traite AND NOT en_echec",
  ),
  // The reason of a death beside its time.
  claimed(
    stated(
      "CREATE TABLE outbox_quarantine (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), relayed_at timestamptz, quarantined_at timestamptz, quarantine_reason text NOT NULL DEFAULT '')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=relayed_at order?=id",
      "INSERT INTO outbox_quarantine (event_type,payload,relayed_at,quarantined_at,quarantine_reason) VALUES ('a','{}',NULL,NULL,''),('a','{}',now(),NULL,''),('a','{}',NULL,now(),'schema')",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM outbox_quarantine WHERE relayed_at IS NULL AND quarantined_at IS NULL AND quarantine_reason = ''",
  ),
  // The same beside a word.
  claimed(
    stated(
      "CREATE TABLE outbox_parked (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','DEAD')), dead_letter_reason text)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status order?=id",
      "INSERT INTO outbox_parked (event_type,payload,status,dead_letter_reason) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',NULL),('a','{}','DEAD','schema')",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM outbox_parked WHERE status = 'NEW' AND dead_letter_reason IS NULL",
  ),
  // The end of a claim that may be null, and with whose placeholder the relay compares.
  claimed(
    stated(
      "CREATE TABLE outbox_lease_zero (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, lease_until bigint DEFAULT 0, attempts int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at lockedUntil=lease_until attempts=attempts order?=id",
      "INSERT INTO outbox_lease_zero (event_type,payload,published_at,lease_until,attempts) VALUES ('a','{}',NULL,0,0),('a','{}',now(),0,1),('a','{}',NULL,1764000000000,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_lease_zero WHERE published_at IS NULL AND lease_until < extract(epoch FROM {now}) * 1000",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_lease_1970 (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, dead boolean NOT NULL DEFAULT false, locked_until timestamptz DEFAULT '1970-01-01 00:00:00+00')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at lockedUntil=locked_until order?=id",
      "INSERT INTO outbox_lease_1970 (event_type,payload,published_at,dead,locked_until) VALUES ('a','{}',NULL,false,DEFAULT),('a','{}',now(),false,DEFAULT),('a','{}',NULL,true,now() - interval '1 hour')",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM outbox_lease_1970 WHERE published_at IS NULL AND NOT dead AND locked_until < {now}",
  ),
  // The same of the published time, beside a status.
  claimed(
    stated(
      "CREATE TABLE outbox_sent_zero (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','DEAD')), sent_at bigint DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status publishedAt=sent_at order?=id",
      "INSERT INTO outbox_sent_zero (event_type,payload,status,sent_at) VALUES ('a','{}','NEW',0),('a','{}','SENT',1764000000000),('a','{}','DEAD',0)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM outbox_sent_zero WHERE status = 'NEW' AND sent_at = 0",
  ),
];
