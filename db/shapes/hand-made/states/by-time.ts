import { type StatedTable, stated } from "./stated-table.ts";

/** Outboxes whose rows are marked by times, locks and retries. */
export const STATED_BY_TIME: readonly StatedTable[] = [
  stated(
    `CREATE TABLE "OutboxMessages" ("Id" uuid PRIMARY KEY, "Type" text NOT NULL, "Content" text NOT NULL, "OccurredOnUtc" timestamptz NOT NULL, "ProcessedOnUtc" timestamptz, "Error" text)`,
    "id=Id eventType=Type payload=Content createdAt=OccurredOnUtc publishedAt=ProcessedOnUtc lastError=Error",
    `INSERT INTO "OutboxMessages" VALUES ('$1','OrderPlaced','{}',now(),NULL,NULL),('$2','OrderPlaced','{}',now(),now(),NULL),('$3','OrderPlaced','{}',now(),NULL,'boom'),('$4','OrderPaid','{}',now(),now(),NULL)`,
    "$1 pending, $2 published, $3 failed, $4 published",
  ),
  stated(
    "CREATE TABLE billing_outbox_entries (entry_id bigserial PRIMARY KEY, event_name text NOT NULL, body jsonb NOT NULL, inserted_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now(), dispatched_at timestamp, tries integer NOT NULL DEFAULT 0, next_try_at timestamp)",
    "id=entry_id eventType=event_name payload=body createdAt=inserted_at publishedAt=dispatched_at attempts=tries availableAt=next_try_at order?=entry_id",
    "INSERT INTO billing_outbox_entries (entry_id,event_name,body,dispatched_at,tries,next_try_at) VALUES (1,'a','{}',NULL,0,NULL),(2,'a','{}',now(),1,NULL),(3,'a','{}',NULL,3,now()+interval '1 hour'),(4,'b','{}',now(),1,NULL)",
    "1 pending, 2 published, 3 failed, 4 published",
  ),
  stated(
    `CREATE TABLE "outboxEvent" ("id" uuid PRIMARY KEY, "aggregateType" varchar NOT NULL, "aggregateId" varchar NOT NULL, "eventName" varchar NOT NULL, "payload" jsonb NOT NULL, "metadata" jsonb, "createdAt" timestamptz NOT NULL DEFAULT now(), "updatedAt" timestamptz, "publishedAt" timestamptz, "retryCount" int NOT NULL DEFAULT 0, "lastErrorMessage" text, "lockedBy" varchar, "lockedUntil" timestamptz)`,
    "id=id aggregateType=aggregateType aggregateId=aggregateId eventType=eventName payload=payload headers=metadata createdAt=createdAt publishedAt=publishedAt attempts=retryCount lastError=lastErrorMessage lockedBy=lockedBy lockedUntil=lockedUntil",
    `INSERT INTO "outboxEvent" ("id","aggregateType","aggregateId","eventName","payload","publishedAt","retryCount","lastErrorMessage","lockedBy","lockedUntil") VALUES ('$1','o','1','a','{}',NULL,0,NULL,NULL,NULL),('$2','o','1','a','{}',now(),0,NULL,NULL,NULL),('$3','o','1','a','{}',NULL,2,'x',NULL,NULL),('$4','o','1','a','{}',NULL,0,NULL,'w1',now()+interval '1 hour'),('$5','o','1','a','{}',NULL,0,NULL,'w1',now()-interval '1 hour')`,
    "$1 pending, $2 published, $3 failed, $4 in_flight, $5 pending|in_flight",
  ),
  stated(
    "CREATE TABLE kafka_outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kafka_topic text NOT NULL, kafka_key text, kafka_value bytea NOT NULL, kafka_headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz)",
    "id=id topic=kafka_topic aggregateId=kafka_key payload=kafka_value headers=kafka_headers createdAt=created_at publishedAt=sent_at order?=id",
    "INSERT INTO kafka_outbox (kafka_topic,kafka_key,kafka_value,sent_at) VALUES ('t','k','x',NULL),('t','k','x',now()),('t',NULL,'x',now()),('t','k','x',NULL)",
    "1 pending, 2 published, 3 published, 4 pending",
  ),
  stated(
    "CREATE TABLE salida_eventos (id_evento bigserial PRIMARY KEY, agregado varchar(60), agregado_id varchar(60), nombre_evento varchar(120) NOT NULL, datos jsonb NOT NULL, creado_en timestamptz NOT NULL DEFAULT now(), publicado_en timestamptz, reintentos int NOT NULL DEFAULT 0, proximo_intento timestamptz, mensaje_error text)",
    "id=id_evento aggregateType=agregado aggregateId=agregado_id eventType=nombre_evento payload=datos createdAt=creado_en publishedAt=publicado_en attempts=reintentos availableAt=proximo_intento lastError=mensaje_error order?=id_evento",
    "INSERT INTO salida_eventos (id_evento,nombre_evento,datos,publicado_en,reintentos,proximo_intento,mensaje_error) VALUES (1,'a','{}',NULL,0,NULL,NULL),(2,'a','{}',now(),0,NULL,NULL),(3,'a','{}',NULL,2,now()+interval '1 hour','timeout'),(4,'a','{}',now(),1,NULL,NULL)",
    "1 pending, 2 published, 3 failed, 4 published",
  ),
  stated(
    "CREATE TABLE eventos_saida (id uuid PRIMARY KEY, tipo_agregado varchar(80), id_agregado varchar(80), tipo_evento varchar(80) NOT NULL, conteudo text NOT NULL, cabecalhos text, criado_em timestamp NOT NULL, publicado_em timestamp, tentativas int DEFAULT 0 NOT NULL, ultimo_erro text)",
    "id=id aggregateType=tipo_agregado aggregateId=id_agregado eventType=tipo_evento payload=conteudo headers=cabecalhos createdAt=criado_em publishedAt=publicado_em attempts=tentativas lastError=ultimo_erro",
    "INSERT INTO eventos_saida VALUES ('$1',NULL,NULL,'a','{}',NULL,now(),NULL,0,NULL),('$2',NULL,NULL,'a','{}',NULL,now(),now(),0,NULL),('$3',NULL,NULL,'a','{}',NULL,now(),NULL,4,'falhou'),('$4',NULL,NULL,'a','{}',NULL,now(),now(),1,NULL)",
    "$1 pending, $2 published, $3 failed, $4 published",
  ),
  stated(
    "CREATE TABLE eventi_in_uscita (id bigserial PRIMARY KEY, tipo_aggregato varchar(80) NOT NULL, id_aggregato varchar(80) NOT NULL, tipo_evento varchar(80) NOT NULL, contenuto jsonb NOT NULL, creato_il timestamptz NOT NULL, pubblicato_il timestamptz, tentativi int NOT NULL DEFAULT 0, ultimo_errore text, prossimo_tentativo timestamptz)",
    "id=id aggregateType=tipo_aggregato aggregateId=id_aggregato eventType=tipo_evento payload=contenuto createdAt=creato_il publishedAt=pubblicato_il attempts=tentativi lastError=ultimo_errore availableAt=prossimo_tentativo order?=id",
    "INSERT INTO eventi_in_uscita VALUES (1,'o','1','a','{}',now(),NULL,0,NULL,NULL),(2,'o','1','a','{}',now(),now(),0,NULL,NULL),(3,'o','1','a','{}',now(),NULL,1,'errore',now()+interval '1 hour'),(4,'o','2','a','{}',now(),now(),0,NULL,NULL)",
    "1 pending, 2 published, 3 failed, 4 published",
  ),
  stated(
    "CREATE TABLE ausgehende_ereignisse (ereignis_id uuid PRIMARY KEY, ereignistyp varchar(100) NOT NULL, nutzdaten jsonb NOT NULL, kopfdaten jsonb, erstellt_am timestamptz NOT NULL, veroeffentlicht_am timestamptz, versuche int NOT NULL DEFAULT 0, naechster_versuch_am timestamptz, letzter_fehler text)",
    "id=ereignis_id eventType=ereignistyp payload=nutzdaten headers=kopfdaten createdAt=erstellt_am publishedAt=veroeffentlicht_am attempts=versuche availableAt=naechster_versuch_am lastError=letzter_fehler",
    "INSERT INTO ausgehende_ereignisse VALUES ('$1','a','{}',NULL,now(),NULL,0,NULL,NULL),('$2','a','{}',NULL,now(),now(),0,NULL,NULL),('$3','a','{}',NULL,now(),NULL,3,now()+interval '1 hour','kaputt'),('$4','a','{}',NULL,now(),now(),1,NULL,NULL)",
    "$1 pending, $2 published, $3 failed, $4 published",
  ),
  stated(
    "CREATE TABLE boite_envoi (id bigserial PRIMARY KEY, type_evenement varchar(100) NOT NULL, type_agregat varchar(60), id_agregat varchar(60), charge_utile jsonb NOT NULL, entetes jsonb, date_creation timestamptz NOT NULL DEFAULT now(), date_publication timestamptz, nb_tentatives int NOT NULL DEFAULT 0, derniere_erreur text)",
    "id=id eventType=type_evenement aggregateType=type_agregat aggregateId=id_agregat payload=charge_utile headers=entetes createdAt=date_creation publishedAt=date_publication attempts=nb_tentatives lastError=derniere_erreur order?=id",
    "INSERT INTO boite_envoi (id,type_evenement,charge_utile,date_publication,nb_tentatives,derniere_erreur) VALUES (1,'a','{}',NULL,0,NULL),(2,'a','{}',now(),0,NULL),(3,'a','{}',NULL,2,'panne'),(4,'a','{}',now(),0,NULL)",
    "1 pending, 2 published, 3 failed, 4 published",
  ),
  stated(
    "CREATE TABLE uitgaande_berichten (id uuid PRIMARY KEY, berichttype varchar(100) NOT NULL, inhoud jsonb NOT NULL, onderwerp varchar(100) NOT NULL, aangemaakt_op timestamptz NOT NULL, verzonden_op timestamptz, pogingen int NOT NULL DEFAULT 0, laatste_fout text, volgende_poging_op timestamptz)",
    "id=id eventType=berichttype payload=inhoud topic=onderwerp createdAt=aangemaakt_op publishedAt=verzonden_op attempts=pogingen lastError=laatste_fout availableAt=volgende_poging_op",
    "INSERT INTO uitgaande_berichten VALUES ('$1','a','{}','t',now(),NULL,0,NULL,NULL),('$2','a','{}','t',now(),now(),0,NULL,NULL),('$3','a','{}','t',now(),NULL,1,'stuk',now()+interval '1 hour'),('$4','a','{}','t',now(),now(),0,NULL,NULL)",
    "$1 pending, $2 published, $3 failed, $4 published",
  ),
  stated(
    "CREATE TABLE skrzynka_nadawcza (id bigserial PRIMARY KEY, typ_zdarzenia varchar(100) NOT NULL, id_agregatu varchar(60) NOT NULL, tresc jsonb NOT NULL, utworzono timestamptz NOT NULL, wyslano timestamptz, liczba_prob int NOT NULL DEFAULT 0, ostatni_blad text)",
    "id=id eventType=typ_zdarzenia aggregateId=id_agregatu payload=tresc createdAt=utworzono publishedAt=wyslano attempts=liczba_prob lastError=ostatni_blad order?=id",
    "INSERT INTO skrzynka_nadawcza VALUES (1,'a','1','{}',now(),NULL,0,NULL),(2,'a','1','{}',now(),now(),0,NULL),(3,'a','1','{}',now(),NULL,2,'blad'),(4,'a','1','{}',now(),now(),0,NULL)",
    "1 pending, 2 published, 3 failed, 4 published",
  ),
  stated(
    "CREATE TABLE T_EVT_SORTIE (CD_EVT char(36) PRIMARY KEY, LB_TYP_EVT varchar(100) NOT NULL, TX_CONTENU text NOT NULL, DH_CREATION timestamp NOT NULL, DH_ENVOI timestamp, NB_ESSAIS numeric(3) DEFAULT 0 NOT NULL, TX_ERREUR varchar(4000))",
    "id=cd_evt eventType=lb_typ_evt payload=tx_contenu createdAt=dh_creation publishedAt=dh_envoi attempts=nb_essais lastError=tx_erreur",
    "INSERT INTO T_EVT_SORTIE VALUES ('$1','a','{}',now(),NULL,0,NULL),('$2','a','{}',now(),now(),0,NULL),('$3','a','{}',now(),NULL,2,'ko'),('$4','a','{}',now(),now(),1,NULL)",
    "$1 pending, $2 published, $3 failed, $4 published",
  ),
  stated(
    "CREATE TABLE outbox (id text PRIMARY KEY, routing_key text NOT NULL, exchange text NOT NULL, message jsonb NOT NULL, created_ms bigint NOT NULL, delivered_ms bigint, not_before_ms bigint, delivery_attempts smallint NOT NULL DEFAULT 0)",
    "id=id topic=routing_key payload=message createdAt=created_ms publishedAt=delivered_ms availableAt=not_before_ms attempts=delivery_attempts",
    "INSERT INTO outbox VALUES ('a','r','x','{}',1760000000000,NULL,NULL,0),('b','r','x','{}',1760000000000,1760000001000,NULL,1),('c','r','x','{}',1760000000000,NULL,4102444800000,2),('d','r','x','{}',1760000000000,1760000001000,NULL,1)",
    "a pending, b published, c failed, d published",
  ),
  stated(
    "CREATE TABLE domain_event_outbox (id uuid PRIMARY KEY, name varchar NOT NULL, data jsonb NOT NULL, occurred_at timestamptz NOT NULL, forwarded_at timestamptz, claimed_at timestamptz, claimed_by varchar, failure_count int NOT NULL DEFAULT 0, failure_reason text, abandoned_at timestamptz)",
    "id=id eventType=name payload=data createdAt=occurred_at publishedAt=forwarded_at lockedBy=claimed_by attempts=failure_count lastError=failure_reason",
    "INSERT INTO domain_event_outbox (id,name,data,occurred_at,forwarded_at,failure_count,failure_reason,abandoned_at) VALUES ('$1','a','{}',now(),NULL,0,NULL,NULL),('$2','a','{}',now(),now(),0,NULL,NULL),('$3','a','{}',now(),NULL,1,'x',NULL),('$4','a','{}',now(),NULL,9,'x',now())",
    "$1 pending, $2 published, $3 failed, $4 dead",
  ),
  stated(
    "CREATE TABLE relay_messages (seq bigserial, message_id uuid NOT NULL, stream_name text NOT NULL, message_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), relayed_at timestamptz, PRIMARY KEY (seq, created_at)) PARTITION BY RANGE (created_at); CREATE TABLE relay_messages_all PARTITION OF relay_messages DEFAULT",
    "id=message_id order=seq topic?=stream_name aggregateId?=stream_name aggregateType?=stream_name eventType=message_type payload=payload createdAt=created_at publishedAt=relayed_at",
    "INSERT INTO relay_messages (message_id,stream_name,message_type,payload,relayed_at) VALUES ('$1','s','a','{}',NULL),('$2','s','a','{}',now()),('$3','s','a','{}',now()),('$4','s','a','{}',NULL)",
    "1 pending, 2 published, 3 published, 4 pending",
  ),
  stated(
    "CREATE TABLE transactional_outbox (id bigserial PRIMARY KEY, event_key varchar(200), event_class varchar(300) NOT NULL, serialized_event text NOT NULL, created_date timestamp NOT NULL, sent_date timestamp, deleted_at timestamp, version int NOT NULL DEFAULT 0, tenant_id varchar(40))",
    "id=id aggregateId=event_key eventType=event_class payload=serialized_event createdAt=created_date publishedAt=sent_date order?=id",
    "INSERT INTO transactional_outbox (id,event_class,serialized_event,created_date,sent_date,deleted_at) VALUES (1,'A','{}',now(),NULL,NULL),(2,'A','{}',now(),now(),NULL),(3,'A','{}',now(),now(),now()),(4,'A','{}',now(),NULL,NULL)",
    "1 pending, 2 published, 3 published, 4 pending",
  ),
  // What is done elsewhere with the same message, as a flag and as a time.
  stated(
    "CREATE TABLE outbox_cached (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), kafka_sent_at timestamptz, es_indexed boolean NOT NULL DEFAULT false, cache_invalidated_at timestamptz)",
    "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=kafka_sent_at order?=id",
    "INSERT INTO outbox_cached (event_type,payload,kafka_sent_at,es_indexed,cache_invalidated_at) VALUES ('a','{}',NULL,false,NULL),('a','{}',now(),false,now()),('a','{}',now(),true,NULL),('a','{}',now(),true,now())",
    "1 pending, 2 unknown, 3 unknown, 4 published",
  ),
];
