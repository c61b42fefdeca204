import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose counts of attempts and errors have a further word: of what is tried, or how far it is. */
export const CLAIMED_NAMED_COUNTS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE avisos_outbox (id bigserial PRIMARY KEY, tipo_evento varchar(100) NOT NULL, id_agregado uuid NOT NULL, payload jsonb NOT NULL, data_ocorrencia timestamptz NOT NULL DEFAULT now(), data_publicacao timestamptz, tentativas_envio int NOT NULL DEFAULT 0)",
      "id=id eventType=tipo_evento aggregateId=id_agregado payload=payload publishedAt=data_publicacao attempts=tentativas_envio createdAt?=data_ocorrencia order?=id",
      "INSERT INTO avisos_outbox (tipo_evento,id_agregado,payload,data_publicacao,tentativas_envio) VALUES ('a','$9','{}',NULL,0),('a','$9','{}',NULL,2),('a','$9','{}',now(),1)",
      "1 pending, 2 failed, 3 published",
    ),
    "SELECT id FROM avisos_outbox WHERE data_publicacao IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE fila_eventos_saida (id bigserial PRIMARY KEY, tipo_evento varchar(80) NOT NULL, conteudo jsonb NOT NULL, tentativas_entrega int NOT NULL DEFAULT 0, proxima_tentativa_em timestamptz NOT NULL DEFAULT now(), erro_envio text, entregue_em timestamptz, criado_em timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=tipo_evento payload=conteudo publishedAt=entregue_em attempts=tentativas_entrega availableAt=proxima_tentativa_em lastError=erro_envio createdAt=criado_em order?=id",
      "INSERT INTO fila_eventos_saida (tipo_evento,conteudo,tentativas_entrega,proxima_tentativa_em,erro_envio,entregue_em) VALUES ('a','{}',0,now(),NULL,NULL),('a','{}',2,now() + interval '1 hour','x',NULL),('a','{}',1,now(),NULL,now())",
      "1 pending, 2 failed, 3 published",
    ),
    "SELECT id FROM fila_eventos_saida WHERE entregue_em IS NULL AND proxima_tentativa_em <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE cola_salida (id bigserial PRIMARY KEY, tipo text NOT NULL, mensaje jsonb NOT NULL, reintentos_envio int NOT NULL DEFAULT 0, error_envio text, fecha_envio timestamptz, fecha_creacion timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=tipo payload=mensaje publishedAt=fecha_envio attempts=reintentos_envio lastError=error_envio createdAt=fecha_creacion order?=id",
      "INSERT INTO cola_salida (tipo,mensaje,reintentos_envio,error_envio,fecha_envio) VALUES ('a','{}',0,NULL,NULL),('a','{}',1,'x',NULL),('a','{}',0,NULL,now())",
      "1 pending, 2 failed, 3 published",
    ),
    "SELECT id FROM cola_salida WHERE fecha_envio IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE evenements_sortants (id bigserial PRIMARY KEY, type_evenement text NOT NULL, contenu jsonb NOT NULL, tentatives_envoi int NOT NULL DEFAULT 0, erreur_livraison text, date_envoi timestamptz, date_creation timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type_evenement payload=contenu publishedAt=date_envoi attempts=tentatives_envoi lastError=erreur_livraison createdAt=date_creation order?=id",
      "INSERT INTO evenements_sortants (type_evenement,contenu,tentatives_envoi,erreur_livraison,date_envoi) VALUES ('a','{}',0,NULL,NULL),('a','{}',1,'x',NULL),('a','{}',0,NULL,now())",
      "1 pending, 2 failed, 3 published",
    ),
    "SELECT id FROM evenements_sortants WHERE date_envoi IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_made (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, attempts_made int NOT NULL DEFAULT 0, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at attempts=attempts_made createdAt=created_at order?=id",
      "INSERT INTO outbox_made (event_type,payload,attempts_made,published_at) VALUES ('a','{}',0,NULL),('a','{}',1,NULL),('a','{}',1,now())",
      "1 pending, 2 failed, 3 published",
    ),
    "SELECT id FROM outbox_made WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE message_outbox (id bigserial PRIMARY KEY, topic text NOT NULL, body text NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED')), max_retry_times int NOT NULL DEFAULT 5, current_retry_times int NOT NULL DEFAULT 0, send_success_time timestamptz, create_time timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic payload=body status=status attempts=current_retry_times publishedAt=send_success_time createdAt=create_time order?=id",
      "INSERT INTO message_outbox (topic,body,status,current_retry_times,send_success_time) VALUES ('t','x','PENDING',0,NULL),('t','x','PENDING',2,NULL),('t','x','SENT',1,now()),('t','x','FAILED',5,NULL)",
      "1 pending, 2 failed, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM message_outbox WHERE status = 'PENDING' AND current_retry_times < max_retry_times",
  ),
  claimed(
    stated(
      "CREATE TABLE kafka_outbox (id bigserial PRIMARY KEY, topic text NOT NULL, payload_json jsonb NOT NULL, payload_headers jsonb NOT NULL DEFAULT '{}', push_started_at timestamptz, push_completed_at timestamptz, push_attempts int NOT NULL DEFAULT 0, push_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic payload=payload_json headers=payload_headers publishedAt=push_completed_at attempts=push_attempts lastError=push_error createdAt=created_at order?=id",
      "INSERT INTO kafka_outbox (topic,payload_json,push_started_at,push_completed_at,push_attempts,push_error) VALUES ('t','{}',NULL,NULL,0,NULL),('t','{}',now(),NULL,0,NULL),('t','{}',now() - interval '1 hour',now(),0,NULL),('t','{}',NULL,NULL,3,'x')",
      "1 pending, 2 in_flight|unknown, 3 published, 4 failed",
    ),
    "SELECT id FROM kafka_outbox WHERE push_completed_at IS NULL AND push_started_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE eventos_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tipo varchar(80) NOT NULL, payload_protegido text NOT NULL, status varchar(20) NOT NULL DEFAULT 'PENDENTE' CHECK (status IN ('PENDENTE','PROCESSANDO','CONCLUIDO','FALHOU')), tentativas int NOT NULL DEFAULT 0, bloqueado_ate timestamptz, bloqueado_por varchar(120), criado_em timestamptz NOT NULL DEFAULT now(), concluido_em timestamptz)",
      "id=id eventType=tipo payload=payload_protegido status=status attempts=tentativas lockedUntil=bloqueado_ate lockedBy=bloqueado_por createdAt=criado_em publishedAt=concluido_em",
      "INSERT INTO eventos_outbox (id,tipo,payload_protegido,status,tentativas,bloqueado_ate,bloqueado_por,concluido_em) VALUES ('$1','a','x','PENDENTE',0,NULL,NULL,NULL),('$2','a','x','PROCESSANDO',1,now() + interval '1 hour','w',NULL),('$3','a','x','CONCLUIDO',1,NULL,NULL,now()),('$4','a','x','FALHOU',5,NULL,NULL,NULL)",
      "$1 pending, $2 in_flight, $3 published, $4 failed|dead",
    ),
    "SELECT id FROM eventos_outbox WHERE status = 'PENDENTE'",
  ),
  // Counts with a word of unknown meaning: of a row that was tried, nothing is claimed.
  claimed(
    stated(
      "CREATE TABLE outbox_tally (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, courier_tries int NOT NULL DEFAULT 0, retry_interval int NOT NULL DEFAULT 30, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO outbox_tally (event_type,payload,courier_tries,retry_interval,published_at) VALUES ('a','{}',0,60,NULL),('a','{}',1,30,NULL),('a','{}',1,30,now())",
      "1 pending, 2 failed|unknown, 3 published",
    ),
    "SELECT id FROM outbox_tally WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_tallies (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'new' CHECK (status IN ('new','sent')), fehlschlaege_retries int, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_tallies (event_type,payload,status,fehlschlaege_retries) VALUES ('a','{}','new',NULL),('a','{}','new',2),('a','{}','sent',1)",
      "1 pending, 2 failed|unknown, 3 published",
    ),
    "SELECT id FROM outbox_tallies WHERE status = 'new'",
  ),
  // A status, attempts and an error of a verb of sending.
  claimed(
    stated(
      "CREATE TABLE notice_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, transport_status varchar(20) NOT NULL DEFAULT 'PENDING', transport_attempts int NOT NULL DEFAULT 0, transport_error text, next_attempt_at timestamptz DEFAULT now(), lease_owner text, lease_expires_at timestamptz, sent_at timestamptz, dead_lettered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=transport_status attempts=transport_attempts lastError=transport_error availableAt=next_attempt_at lockedBy=lease_owner lockedUntil=lease_expires_at publishedAt=sent_at createdAt=created_at order?=id",
      "INSERT INTO notice_outbox (event_type,payload,transport_status,transport_attempts,transport_error,next_attempt_at,lease_owner,lease_expires_at,sent_at,dead_lettered_at) VALUES ('a','{}','PENDING',0,NULL,now(),NULL,NULL,NULL,NULL),('a','{}','SENDING',1,NULL,now(),'w',now() + interval '1 hour',NULL,NULL),('a','{}','SENT',1,NULL,NULL,NULL,NULL,now(),NULL),('a','{}','DEAD_LETTER',5,'x',NULL,NULL,NULL,NULL,now()),('a','{}','PENDING',1,'x',now() + interval '1 hour',NULL,NULL,NULL,NULL)",
      "1 pending, 2 in_flight, 3 published, 4 dead, 5 failed",
    ),
    "SELECT id FROM notice_outbox WHERE transport_status = 'PENDING' AND next_attempt_at <= {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE change_outbox (id bigserial PRIMARY KEY, entity_type text NOT NULL, entity_id text NOT NULL, operation text NOT NULL, payload jsonb NOT NULL, sync_status text NOT NULL DEFAULT 'pending' CHECK (sync_status IN ('pending','syncing','synced','failed')), sync_attempts int NOT NULL DEFAULT 0, sync_error text, synced_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id aggregateType=entity_type aggregateId=entity_id eventType=operation payload=payload status=sync_status attempts=sync_attempts lastError=sync_error publishedAt=synced_at createdAt=created_at order?=id",
      "INSERT INTO change_outbox (entity_type,entity_id,operation,payload,sync_status,sync_attempts,sync_error,synced_at) VALUES ('e','1','c','{}','pending',0,NULL,NULL),('e','1','c','{}','syncing',0,NULL,NULL),('e','1','c','{}','synced',0,NULL,now()),('e','1','c','{}','failed',2,'x',NULL),('e','1','c','{}','pending',1,'x',NULL)",
      "1 pending, 2 in_flight, 3 published, 4 failed|dead, 5 failed",
    ),
    "SELECT id FROM change_outbox WHERE sync_status = 'pending'",
  ),
  // Anchored elsewhere besides, which says nothing of its publication.
  claimed(
    stated(
      "CREATE TABLE outbox_anchored (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, published boolean NOT NULL DEFAULT false, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO outbox_anchored (event_type,payload,processed,published,published_at) VALUES ('a','{}',false,false,NULL),('a','{}',false,true,now()),('a','{}',true,true,now()),('a','{}',true,false,NULL)",
      "1 pending, 2 published, 3 published, 4 pending|unknown",
    ),
    "SELECT id FROM outbox_anchored WHERE NOT published",
  ),
];
