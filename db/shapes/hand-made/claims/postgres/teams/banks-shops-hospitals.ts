import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Outboxes of invented banks, shops and hospitals, in several languages, with codes, placeholders and answers of
 * receivers.
 */
export const CLAIMED_BANKS_SHOPS_HOSPITALS: readonly ClaimedTable[] = [
  claimed(
    stated(
      `CREATE TABLE "ABTEILUNG_AUSGANG_NACHRICHT" ("NACHRICHT_ID" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "EMPFAENGER_SYSTEM" varchar(40) NOT NULL, "NACHRICHT_TYP" varchar(60) NOT NULL, "INHALT" text NOT NULL, "KZ_VERSENDET" char(1) NOT NULL DEFAULT 'N' CHECK ("KZ_VERSENDET" IN ('J','N','F')), "ANZ_VERSUCHE" smallint NOT NULL DEFAULT 0, "FEHLER_TXT" varchar(2000), "ANGELEGT_AM" timestamp NOT NULL DEFAULT now(), "VERSENDET_AM" timestamp)`,
      "id=NACHRICHT_ID order?=NACHRICHT_ID topic?=EMPFAENGER_SYSTEM eventType=NACHRICHT_TYP payload=INHALT status?=KZ_VERSENDET attempts=ANZ_VERSUCHE lastError=FEHLER_TXT createdAt=ANGELEGT_AM publishedAt?=VERSENDET_AM",
      `INSERT INTO "ABTEILUNG_AUSGANG_NACHRICHT" ("EMPFAENGER_SYSTEM","NACHRICHT_TYP","INHALT","KZ_VERSENDET","ANZ_VERSUCHE","FEHLER_TXT","VERSENDET_AM") VALUES ('SAP','BUCHUNG','{}','N',0,NULL,NULL),('SAP','BUCHUNG','{}','J',1,NULL,now()),('SAP','BUCHUNG','{}','F',5,'Zeitueberschreitung',NULL),('SAP','BUCHUNG','{}','N',2,'x',NULL)`,
      "1 pending, 2 published, 3 failed|dead, 4 failed",
    ),
    `SELECT "NACHRICHT_ID" FROM "ABTEILUNG_AUSGANG_NACHRICHT" WHERE "KZ_VERSENDET" = 'N'`,
  ),
  // Sent and acknowledged, or rejected.
  claimed(
    stated(
      "CREATE TABLE boite_envoi_hl7 (id uuid PRIMARY KEY, ipp_patient varchar(20) NOT NULL, type_evenement varchar(12) NOT NULL, corps xml NOT NULL, cree_le timestamptz NOT NULL DEFAULT now(), envoye_le timestamptz, acquitte_le timestamptz, rejete_le timestamptz, motif_rejet text)",
      "id=id aggregateId?=ipp_patient eventType=type_evenement payload=corps createdAt=cree_le publishedAt?=envoye_le lastError?=motif_rejet",
      "INSERT INTO boite_envoi_hl7 (id,ipp_patient,type_evenement,corps,envoye_le,acquitte_le,rejete_le,motif_rejet) VALUES ('$1','p','ADT^A01','<m/>',NULL,NULL,NULL,NULL),('$2','p','ADT^A01','<m/>',now(),NULL,NULL,NULL),('$3','p','ADT^A01','<m/>',now(),now(),NULL,NULL),('$4','p','ADT^A01','<m/>',now(),NULL,now(),'AE')",
      "$1 pending, $2 in_flight|unknown|published, $3 published, $4 failed|dead|unknown",
    ),
    "SELECT id FROM boite_envoi_hl7 WHERE envoye_le IS NULL AND rejete_le IS NULL",
  ),
  // 0 is a draft, says the table of codes.
  claimed(
    stated(
      "CREATE TABLE estado_evento (id smallint PRIMARY KEY, nombre text NOT NULL); INSERT INTO estado_evento VALUES (0,'Borrador'),(1,'Listo'),(2,'Enviado'),(3,'Error'); CREATE TABLE cola_eventos_salida (id bigserial PRIMARY KEY, agregado varchar(50) NOT NULL, id_agregado varchar(50) NOT NULL, tipo_evento varchar(80) NOT NULL, carga jsonb NOT NULL, estado smallint NOT NULL DEFAULT 0 REFERENCES estado_evento(id), creado_en timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id aggregateType=agregado aggregateId=id_agregado eventType=tipo_evento payload=carga status=estado createdAt=creado_en",
      "INSERT INTO cola_eventos_salida (agregado,id_agregado,tipo_evento,carga,estado) VALUES ('pedido','1','a','{}',0),('pedido','1','a','{}',1),('pedido','1','a','{}',2),('pedido','1','a','{}',3)",
      "1 unknown, 2 pending|unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM cola_eventos_salida WHERE estado = 1",
  ),
  claimed(
    stated(
      "CREATE TABLE situacao_fila (codigo smallint PRIMARY KEY, descricao varchar(40) NOT NULL); INSERT INTO situacao_fila VALUES (1,'PENDENTE'),(2,'ENVIADO'),(3,'FALHA'); CREATE TABLE evento_fila_saida (cd_evento bigserial PRIMARY KEY, nm_topico varchar(100) NOT NULL, ds_conteudo text NOT NULL, cd_situacao smallint NOT NULL DEFAULT 1 REFERENCES situacao_fila, nr_tentativas int NOT NULL DEFAULT 0, dt_criacao timestamptz NOT NULL DEFAULT now(), dt_envio timestamptz)",
      "id=cd_evento order?=cd_evento topic=nm_topico payload=ds_conteudo status=cd_situacao attempts=nr_tentativas createdAt=dt_criacao publishedAt=dt_envio",
      "INSERT INTO evento_fila_saida (nm_topico,ds_conteudo,cd_situacao,nr_tentativas,dt_envio) VALUES ('t','{}',1,0,NULL),('t','{}',2,1,now()),('t','{}',3,5,NULL),('t','{}',1,2,NULL)",
      "1 pending, 2 published, 3 failed|dead, 4 failed",
    ),
    "SELECT cd_evento FROM evento_fila_saida WHERE cd_situacao = 1",
  ),
  // Epoch seconds, 0 and -1.
  claimed(
    stated(
      "CREATE TABLE wiadomosci_outbox (id bigserial PRIMARY KEY, temat varchar(100) NOT NULL, tresc text NOT NULL, wyslano_o bigint NOT NULL DEFAULT 0, utworzono_o bigint NOT NULL)",
      "id=id order?=id topic?=temat payload=tresc publishedAt=wyslano_o createdAt=utworzono_o",
      "INSERT INTO wiadomosci_outbox (temat,tresc,wyslano_o,utworzono_o) VALUES ('t','x',0,1764000000),('t','x',1764000005,1764000000),('t','x',-1,1764000000)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM wiadomosci_outbox WHERE wyslano_o = 0",
  ),
  // Not sent is the year 9999, by default.
  claimed(
    stated(
      "CREATE TABLE evt_outbox_core (evt_id uuid PRIMARY KEY, evt_type text NOT NULL, evt_body jsonb NOT NULL, created_ts timestamptz NOT NULL DEFAULT now(), sent_ts timestamptz NOT NULL DEFAULT '9999-12-31 00:00:00+00')",
      "id=evt_id eventType=evt_type payload=evt_body createdAt=created_ts publishedAt=sent_ts",
      "INSERT INTO evt_outbox_core (evt_id,evt_type,evt_body,sent_ts) VALUES ('$1','a','{}','9999-12-31 00:00:00+00'),('$2','a','{}',now()),('$3','a','{}','9999-12-31 00:00:00+00')",
      "$1 pending, $2 published, $3 pending",
    ),
    "SELECT evt_id FROM evt_outbox_core WHERE sent_ts = '9999-12-31 00:00:00+00'",
  ),
  // Deleted_at is in 9999 for what was not deleted.
  claimed(
    stated(
      "CREATE TABLE ledger_outbox (id bigserial PRIMARY KEY, account_no varchar(34) NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, deleted_at timestamptz NOT NULL DEFAULT '9999-12-31 23:59:59+00')",
      "id=id order?=id aggregateId?=account_no eventType=event_type payload=payload createdAt=created_at publishedAt=published_at",
      "INSERT INTO ledger_outbox (account_no,event_type,payload,published_at,deleted_at) VALUES ('DE1','a','{}',NULL,'9999-12-31 23:59:59+00'),('DE1','a','{}',now(),'9999-12-31 23:59:59+00'),('DE1','a','{}',NULL,now()),('DE1','a','{}',now(),now())",
      "1 pending, 2 published, 3 unknown, 4 published|unknown",
    ),
    "SELECT id FROM ledger_outbox WHERE published_at IS NULL AND deleted_at = '9999-12-31 23:59:59+00'",
  ),
  claimed(
    stated(
      "CREATE TABLE loyalty_outbox (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, is_sent bit(1) NOT NULL DEFAULT B'0', is_poison bit(1) NOT NULL DEFAULT B'0', created timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=type payload=payload publishedAt?=is_sent status?=is_sent createdAt=created",
      "INSERT INTO loyalty_outbox (type,payload,is_sent,is_poison) VALUES ('a','{}',B'0',B'0'),('a','{}',B'1',B'0'),('a','{}',B'0',B'1')",
      "1 pending, 2 published, 3 dead|failed",
    ),
    "SELECT id FROM loyalty_outbox WHERE is_sent = B'0' AND is_poison = B'0'",
  ),
  // Typos in an enum.
  claimed(
    stated(
      "CREATE TYPE ob_state AS ENUM ('PENDNIG','PROCCESSED','FALIED'); CREATE TABLE gateway_outbox (id uuid PRIMARY KEY, event text NOT NULL, payload jsonb NOT NULL, state ob_state NOT NULL DEFAULT 'PENDNIG', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event payload=payload status=state createdAt=created_at",
      "INSERT INTO gateway_outbox (id,event,payload,state) VALUES ('$1','a','{}','PENDNIG'),('$2','a','{}','PROCCESSED'),('$3','a','{}','FALIED')",
      "$1 pending, $2 published, $3 failed|dead",
    ),
    "SELECT id FROM gateway_outbox WHERE state = 'PENDNIG'",
  ),
  // Char(12): padded.
  claimed(
    stated(
      "CREATE TABLE crm_outbox_char (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status char(12) NOT NULL DEFAULT 'NEW', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO crm_outbox_char (event_type,payload,status) VALUES ('a','{}','NEW'),('a','{}','SENT'),('a','{}','ERROR'),('a','{}','new')",
      "1 pending, 2 published, 3 failed|dead, 4 pending|unknown",
    ),
    "SELECT id FROM crm_outbox_char WHERE status = 'NEW'",
  ),
  // State in JSON.
  claimed(
    stated(
      `CREATE TABLE ticket_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, meta jsonb NOT NULL DEFAULT '{"status":"new"}', created_at timestamptz NOT NULL DEFAULT now())`,
      "id=id eventType=event_type payload=payload headers?=meta createdAt=created_at",
      `INSERT INTO ticket_outbox (id,event_type,payload,meta) VALUES ('$1','a','{}','{"status":"new"}'),('$2','a','{}','{"status":"sent"}'),('$3','a','{}','{"status":"failed"}')`,
      "$1 pending|unknown, $2 published|unknown, $3 failed|dead|unknown",
    ),
    "SELECT id FROM ticket_outbox WHERE meta->>'status' = 'new'",
  ),
  // Null: no answer yet, false: nack.
  claimed(
    stated(
      "CREATE TABLE claims_outbox (id uuid PRIMARY KEY, claim_no text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, broker_ack boolean)",
      "id=id aggregateId?=claim_no eventType=event_type payload=payload createdAt=created_at publishedAt?=sent_at",
      "INSERT INTO claims_outbox (id,claim_no,event_type,payload,sent_at,broker_ack) VALUES ('$1','c','a','{}',NULL,NULL),('$2','c','a','{}',now(),NULL),('$3','c','a','{}',now(),true),('$4','c','a','{}',now(),false)",
      "$1 pending, $2 in_flight|unknown, $3 published, $4 failed|dead|unknown",
    ),
    "SELECT id FROM claims_outbox WHERE sent_at IS NULL OR broker_ack = false",
  ),
  // Soft delete by another word.
  claimed(
    stated(
      "CREATE TABLE member_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, removed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published createdAt=created_at",
      "INSERT INTO member_outbox (event_type,payload,published,removed) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true),('a','{}',true,true)",
      "1 pending, 2 published, 3 unknown, 4 published|unknown",
    ),
    "SELECT id FROM member_outbox WHERE NOT published AND NOT removed",
  ),
  claimed(
    stated(
      "CREATE TABLE webshop_outbox (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), lease_owner text, lease_expires_at timestamptz, attempt int NOT NULL DEFAULT 0, done_at timestamptz)",
      "id=id eventType=type payload=payload createdAt=created_at lockedBy=lease_owner lockedUntil=lease_expires_at attempts=attempt publishedAt=done_at",
      "INSERT INTO webshop_outbox (id,type,payload,lease_owner,lease_expires_at,attempt,done_at) VALUES ('$1','a','{}',NULL,NULL,0,NULL),('$2','a','{}','w1',now()+interval '1 min',1,NULL),('$3','a','{}','w1',now()-interval '1 hour',1,NULL),('$4','a','{}','w1',now()-interval '1 hour',1,now())",
      "$1 pending, $2 in_flight, $3 pending|failed, $4 published",
    ),
    "SELECT id FROM webshop_outbox WHERE done_at IS NULL AND (lease_expires_at IS NULL OR lease_expires_at < {now})",
  ),
  // Arrays of topics.
  claimed(
    stated(
      "CREATE TABLE broadcast_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, topics text[] NOT NULL, published_topics text[] NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at",
      "INSERT INTO broadcast_outbox (id,event_type,payload,topics,published_topics) VALUES ('$1','a','{}','{a,b}','{}'),('$2','a','{}','{a,b}','{a}'),('$3','a','{}','{a,b}','{a,b}')",
      "$1 pending|unknown, $2 in_flight|failed|unknown, $3 published|unknown",
    ),
    "SELECT id FROM broadcast_outbox WHERE NOT published_topics @> topics",
  ),
  // Partitions, compressed.
  claimed(
    stated(
      "CREATE TABLE raid_event_outbox (id bigserial, shard_day date NOT NULL DEFAULT current_date, guild_id bigint NOT NULL, event_kind text NOT NULL, blob bytea NOT NULL, codec text NOT NULL DEFAULT 'zstd', flushed boolean NOT NULL DEFAULT false, PRIMARY KEY (id, shard_day)) PARTITION BY RANGE (shard_day); CREATE TABLE raid_event_outbox_a PARTITION OF raid_event_outbox FOR VALUES FROM ('2000-01-01') TO ('2026-06-01'); CREATE TABLE raid_event_outbox_b PARTITION OF raid_event_outbox FOR VALUES FROM ('2026-06-01') TO ('2100-01-01')",
      "id=id order?=id aggregateId?=guild_id eventType=event_kind payload=blob publishedAt?=flushed createdAt?=shard_day headers?=codec",
      "INSERT INTO raid_event_outbox (guild_id,event_kind,blob,flushed,shard_day) VALUES (1,'a','\\x01',false,current_date),(1,'a','\\x01',true,current_date),(1,'a','\\x01',false,'2026-01-01')",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM raid_event_outbox WHERE NOT flushed",
  ),
  // Moved to a history once sent.
  claimed(
    stated(
      "CREATE TABLE invoice_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()); CREATE TABLE invoice_outbox_history (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL, sent_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at",
      "INSERT INTO invoice_outbox (id,event_type,payload) VALUES ('$1','a','{}'),('$2','a','{}'); INSERT INTO invoice_outbox_history VALUES ('$3','a','{}',now(),now())",
      "$1 pending|unknown, $2 pending|unknown",
    ),
    "SELECT id FROM invoice_outbox",
  ),
  // Position of a cursor.
  claimed(
    stated(
      "CREATE TABLE dispatch_outbox (seq bigserial PRIMARY KEY, topic text NOT NULL, key text, payload bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT now()); CREATE TABLE dispatch_outbox_cursor (relay text PRIMARY KEY, last_seq bigint NOT NULL); INSERT INTO dispatch_outbox_cursor VALUES ('r1', 2)",
      "id=seq order?=seq topic=topic aggregateId?=key payload=payload createdAt=created_at",
      "INSERT INTO dispatch_outbox (topic,key,payload) VALUES ('t','k','\\x01'),('t','k','\\x01'),('t','k','\\x01')",
      "1 published|unknown, 2 published|unknown, 3 pending|unknown",
    ),
    "SELECT seq FROM dispatch_outbox WHERE seq > 2",
  ),
];
