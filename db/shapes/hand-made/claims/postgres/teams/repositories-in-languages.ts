import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes of public repositories, in the words of several languages and frameworks. */
export const CLAIMED_REPOSITORIES_IN_LANGUAGES: readonly ClaimedTable[] = [
  // Spanish, upper-case words; what failed is tried again until its attempts end.
  claimed(
    stated(
      "CREATE TABLE eventos_pendientes (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tipo varchar(50) NOT NULL, payload jsonb, intentos integer NOT NULL DEFAULT 0, max_intentos integer NOT NULL DEFAULT 3, estado varchar(20) NOT NULL DEFAULT 'PENDIENTE' CHECK (estado IN ('PENDIENTE','PROCESANDO','COMPLETADO','FALLIDO')), next_retry_at timestamptz, correlation_id uuid, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=tipo payload=payload attempts=intentos status=estado availableAt=next_retry_at createdAt=created_at",
      "INSERT INTO eventos_pendientes (id,tipo,payload,intentos,estado,next_retry_at) VALUES ('$1','a','{}',0,'PENDIENTE',NULL),('$2','a','{}',1,'PROCESANDO',NULL),('$3','a','{}',1,'COMPLETADO',NULL),('$4','a','{}',3,'FALLIDO',NULL)",
      "$1 pending, $2 in_flight, $3 published, $4 failed|dead",
    ),
    "SELECT id FROM eventos_pendientes WHERE estado = 'PENDIENTE' AND (next_retry_at IS NULL OR next_retry_at <= {now})",
  ),
  // Indonesian: what the other side had already is an end, too.
  claimed(
    stated(
      "CREATE TABLE outbox_laporan (id bigserial PRIMARY KEY, jenis varchar(20) NOT NULL CHECK (jenis IN ('pelanggaran','apresiasi','konselor','telat')), payload json NOT NULL, ref_id varchar(255) NOT NULL UNIQUE, status varchar(20) NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','sent','failed','duplicate')), attempts integer NOT NULL DEFAULT 0, response json, error varchar(255), actor varchar(255), sent_at timestamp, created_at timestamp DEFAULT now(), updated_at timestamp)",
      "id=id eventType?=jenis payload=payload status=status attempts=attempts lastError=error publishedAt=sent_at createdAt=created_at order?=id aggregateId?=ref_id",
      "INSERT INTO outbox_laporan (jenis,payload,ref_id,status,attempts,error,sent_at) VALUES ('telat','{}','a','pending',0,NULL,NULL),('telat','{}','b','sent',1,NULL,now()),('telat','{}','c','failed',3,'x',NULL),('telat','{}','d','duplicate',1,NULL,now())",
      "1 pending, 2 published, 3 failed|dead, 4 published|unknown|expired",
    ),
    "SELECT id FROM outbox_laporan WHERE status = 'pending'",
  ),
  // Columns that begin with the table's name.
  claimed(
    stated(
      "CREATE TABLE t_outbox_event (outbox_event_id bigserial PRIMARY KEY, outbox_event_idf uuid NOT NULL UNIQUE, outbox_event_aggregate_type varchar(100), outbox_event_aggregate_id varchar(100), outbox_event_type varchar(100), outbox_event_payload jsonb, outbox_event_status varchar(20) DEFAULT 'PENDING', outbox_event_created_at timestamp DEFAULT now())",
      "id=outbox_event_id aggregateType=outbox_event_aggregate_type aggregateId=outbox_event_aggregate_id eventType=outbox_event_type payload=outbox_event_payload status=outbox_event_status createdAt=outbox_event_created_at order?=outbox_event_id",
      "INSERT INTO t_outbox_event (outbox_event_idf,outbox_event_type,outbox_event_payload,outbox_event_status) VALUES ('$1','a','{}','PENDING'),('$2','a','{}','PUBLISHED'),('$3','a','{}','FAILED')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT outbox_event_id FROM t_outbox_event WHERE outbox_event_status = 'PENDING'",
  ),
  // Taken once and for all: what was acquired is done or lost, and the row does not say which.
  claimed(
    stated(
      "CREATE TABLE event_queue (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id uuid NOT NULL, type text NOT NULL, data jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), occurred_at timestamptz NOT NULL, acquired_at timestamptz, failed_at timestamptz)",
      "id=id aggregateId?=user_id eventType=type payload=data createdAt=created_at",
      "INSERT INTO event_queue (id,user_id,type,data,occurred_at,acquired_at,failed_at) VALUES ('$1','$1','t','{}',now(),NULL,NULL),('$2','$1','t','{}',now(),now(),NULL),('$3','$1','t','{}',now(),now(),now())",
      "$1 pending|unknown, $2 in_flight|unknown, $3 failed|dead|unknown",
    ),
    "SELECT id FROM event_queue WHERE acquired_at IS NULL",
  ),
  // Sent when the boolean says so; the time beside it was added later.
  claimed(
    stated(
      "CREATE TABLE transactional_outbox (sequence bigserial PRIMARY KEY, event text NOT NULL, message jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now())",
      "id=sequence order?=sequence eventType=event payload=message publishedAt?=sent_at createdAt=created_at",
      "INSERT INTO transactional_outbox (event,message,sent,sent_at) VALUES ('a','{}',false,NULL),('a','{}',true,now()),('a','{}',true,NULL)",
      "1 pending, 2 published, 3 published|unknown",
    ),
    "SELECT sequence FROM transactional_outbox WHERE sent = false",
  ),
  // A lease and a fence; the words are in the code only.
  claimed(
    stated(
      "CREATE TABLE transactional_outbox (outbox_id text PRIMARY KEY, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), available_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL, attempt_count integer NOT NULL DEFAULT 0, lease_owner_id text, fence_token bigint, lease_expires_at timestamptz, delivered_at timestamptz)",
      "id=outbox_id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=payload createdAt=created_at availableAt=available_at status=status attempts=attempt_count lockedBy=lease_owner_id lockedUntil=lease_expires_at publishedAt=delivered_at",
      "INSERT INTO transactional_outbox (outbox_id,aggregate_type,aggregate_id,event_type,payload,status,attempt_count,lease_owner_id,lease_expires_at,delivered_at) VALUES ('a','o','1','t','{}','pending',0,NULL,NULL,NULL),('b','o','1','t','{}','leased',1,'w',now()+interval '1 hour',NULL),('c','o','1','t','{}','delivered',1,NULL,NULL,now())",
      "a pending, b in_flight|unknown, c published",
    ),
    "SELECT outbox_id FROM transactional_outbox WHERE status = 'pending' AND available_at <= {now}",
  ),
  // Sent times and failed times each, with a status of few letters.
  claimed(
    stated(
      "CREATE TABLE mq_message (id bigserial PRIMARY KEY, queue_name varchar(256), status varchar(24), message varchar(1024), retry_count int DEFAULT 0, next_retry_time timestamp NOT NULL DEFAULT now(), send_success_time timestamp, send_failed_time timestamp, send_failed_reason varchar(256), version int DEFAULT 1, create_time timestamp DEFAULT now(), update_time timestamp DEFAULT now())",
      "id=id topic=queue_name status=status payload=message attempts=retry_count availableAt=next_retry_time publishedAt=send_success_time lastError=send_failed_reason createdAt=create_time order?=id",
      "INSERT INTO mq_message (queue_name,status,message,retry_count,next_retry_time,send_success_time,send_failed_time,send_failed_reason) VALUES ('q','NEW','{}',0,now(),NULL,NULL,NULL),('q','SUCCESS','{}',0,now(),now(),NULL,NULL),('q','FAILED','{}',3,now(),NULL,now(),'x'),('q','SUCCESS','{}',1,now(),now(),now(),'x')",
      "1 pending|unknown, 2 published, 3 failed|dead, 4 published",
    ),
    "SELECT id FROM mq_message WHERE status = 'NEW' AND next_retry_time <= {now}",
  ),
  // Consumption is told, too: what was sent may yet not be consumed.
  claimed(
    stated(
      "CREATE TABLE mq_message_log (id bigserial PRIMARY KEY, msg_id varchar(64) NOT NULL UNIQUE, exchange varchar(128), routing_key varchar(128), msg_body text, status varchar(20) NOT NULL, retry_count int DEFAULT 0, max_retry int DEFAULT 3, next_retry timestamp, error_msg text, create_time timestamp DEFAULT now(), update_time timestamp DEFAULT now())",
      "id=id topic=routing_key payload=msg_body status=status attempts=retry_count availableAt=next_retry lastError=error_msg createdAt=create_time order?=id aggregateId?=msg_id",
      "INSERT INTO mq_message_log (msg_id,exchange,routing_key,msg_body,status,retry_count) VALUES ('a','e','r','{}','SENDING',0),('b','e','r','{}','SEND_SUCCESS',0),('c','e','r','{}','SEND_FAILED',2),('d','e','r','{}','CONSUMED',0),('e','e','r','{}','CONSUME_FAILED',1),('f','e','r','{}','DEAD',3)",
      "1 in_flight|pending|unknown, 2 published|unknown, 3 failed|unknown, 4 published|unknown, 5 unknown|failed|published, 6 dead",
    ),
    "SELECT id FROM mq_message_log WHERE status IN ('SENDING','SEND_FAILED') AND (next_retry IS NULL OR next_retry <= {now})",
  ),
  // Both ways in one table: an inbound row was never to be sent, so that it is asked about.
  claimed(
    stated(
      "CREATE TABLE integration_events (id bigserial PRIMARY KEY, event_id text NOT NULL, event_type text NOT NULL, source text NOT NULL, target text, direction text NOT NULL CHECK (direction IN ('outbound','inbound')), idempotency_key text, correlation_id text, status text NOT NULL CHECK (status IN ('pending','sent','received','processed','duplicate','failed','ignored')), payload_json text, metadata_json text, error_message text, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
      "id=id eventType=event_type payload=payload_json headers?=metadata_json status=status lastError=error_message createdAt=created_at publishedAt?=processed_at order?=id topic?=target",
      "INSERT INTO integration_events (event_id,event_type,source,target,direction,status,payload_json,processed_at) VALUES ('a','t','s','x','outbound','pending','{}',NULL),('b','t','s','x','outbound','sent','{}',NULL),('c','t','s','x','inbound','received','{}',NULL),('d','t','s','x','inbound','processed','{}',now()),('e','t','s','x','outbound','failed','{}',NULL),('f','t','s','x','inbound','ignored','{}',NULL)",
      "1 pending|unknown, 2 published|unknown, 3 unknown, 4 unknown|published, 5 failed|dead|unknown, 6 unknown|expired",
    ),
    "SELECT id FROM integration_events WHERE direction = 'outbound' AND status = 'pending'",
  ),
  // An answer is waited for: it is another time, of another message.
  claimed(
    stated(
      "CREATE TABLE message_outbox (id bigserial PRIMARY KEY, message_id text NOT NULL UNIQUE, message_type text NOT NULL, originating_agent text, context_id text, payload_json text NOT NULL, status text NOT NULL DEFAULT 'pending', expects_response boolean DEFAULT false, response_received_at timestamp, response_json text, attempts integer NOT NULL DEFAULT 0, last_error text, created_at timestamp DEFAULT now(), last_attempted_at timestamp, delivered_at timestamp)",
      "id=id eventType=message_type payload=payload_json status=status attempts=attempts lastError=last_error createdAt=created_at publishedAt=delivered_at order?=id aggregateId?=message_id",
      "INSERT INTO message_outbox (message_id,message_type,payload_json,status,attempts,last_error,delivered_at,response_received_at) VALUES ('a','t','{}','pending',0,NULL,NULL,NULL),('b','t','{}','delivered',1,NULL,now(),NULL),('c','t','{}','pending',2,'x',NULL,NULL),('d','t','{}','failed',5,'x',NULL,NULL),('e','t','{}','delivered',1,NULL,now(),now())",
      "1 pending, 2 published, 3 failed|pending, 4 failed|dead, 5 published",
    ),
    "SELECT id FROM message_outbox WHERE status = 'pending'",
  ),
  // A type of event or aggregate is missing; a game and a sequence stand for them.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, game_id varchar(255) NOT NULL, sequence bigint NOT NULL, audience_kind varchar(255) NOT NULL, audience_id varchar(255), payload jsonb NOT NULL, attempts integer NOT NULL DEFAULT 0, published_at timestamp, inserted_at timestamp NOT NULL DEFAULT now())",
      "id=id payload=payload attempts=attempts publishedAt=published_at createdAt=inserted_at order?=id aggregateId?=game_id eventType?=audience_kind",
      "INSERT INTO outbox_messages (game_id,sequence,audience_kind,payload,attempts,published_at) VALUES ('g',1,'all','{}',0,NULL),('g',2,'all','{}',1,now()),('g',3,'all','{}',2,NULL)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_messages WHERE published_at IS NULL",
  ),
  // An envelope, a mode and a destination.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, event_id text NOT NULL UNIQUE, aggregate_type text NOT NULL, aggregate_id uuid NOT NULL, aggregate_version integer NOT NULL, event_type text NOT NULL, event_version integer NOT NULL, partition_key text NOT NULL, merchant_id uuid, destination text NOT NULL, envelope jsonb NOT NULL, mode text NOT NULL, published_at timestamp, publish_attempts integer NOT NULL DEFAULT 0, last_error text, occurred_at timestamp NOT NULL DEFAULT now(), inserted_at timestamp NOT NULL DEFAULT now())",
      "id=id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type topic=destination payload=envelope publishedAt=published_at attempts=publish_attempts lastError=last_error createdAt=occurred_at order?=id",
      "INSERT INTO outbox_messages (event_id,aggregate_type,aggregate_id,aggregate_version,event_type,event_version,partition_key,destination,envelope,mode,published_at,publish_attempts,last_error) VALUES ('a','o','$1',1,'t',1,'k','d','{}','live',NULL,0,NULL),('b','o','$1',2,'t',1,'k','d','{}','live',now(),1,NULL),('c','o','$1',3,'t',1,'k','d','{}','test',NULL,3,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_messages WHERE published_at IS NULL",
  ),
  // ULIDs, and the time at which publishing began.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id varchar(26) PRIMARY KEY, event_id varchar(26) NOT NULL UNIQUE, event_type varchar(255) NOT NULL, exchange varchar(255) NOT NULL, routing_key varchar(255) NOT NULL, producer varchar(255) NOT NULL, aggregate_type varchar(255), aggregate_id varchar(255), aggregate_version bigint, payload json NOT NULL, status varchar(20) NOT NULL, attempts integer NOT NULL DEFAULT 0, next_attempt_at timestamp, publishing_started_at timestamp, published_at timestamp, last_error text, created_at timestamp DEFAULT now(), updated_at timestamp)",
      "id=id eventType=event_type topic=routing_key aggregateType=aggregate_type aggregateId=aggregate_id payload=payload status=status attempts=attempts availableAt=next_attempt_at publishedAt=published_at lastError=last_error createdAt=created_at",
      "INSERT INTO outbox_events (id,event_id,event_type,exchange,routing_key,producer,payload,status,attempts,next_attempt_at,publishing_started_at,published_at,last_error) VALUES ('a','a','t','e','r','p','{}','pending',0,NULL,NULL,NULL,NULL),('b','b','t','e','r','p','{}','publishing',1,NULL,now(),NULL,NULL),('c','c','t','e','r','p','{}','published',1,NULL,now(),now(),NULL),('d','d','t','e','r','p','{}','failed',5,NULL,now(),NULL,'x')",
      "a pending, b in_flight, c published, d failed|dead",
    ),
    "SELECT id FROM outbox_events WHERE status = 'pending' AND (next_attempt_at IS NULL OR next_attempt_at <= {now})",
  ),
  // A job's tie and the path of a function, without a payload.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, job_id uuid NOT NULL UNIQUE, function_path varchar(200) NOT NULL, status varchar(20) NOT NULL, attempts integer NOT NULL, available_at timestamptz NOT NULL, dispatched_at timestamptz, last_error text, created_at timestamptz DEFAULT now())",
      "id=id status=status attempts=attempts availableAt=available_at publishedAt=dispatched_at lastError=last_error createdAt=created_at payload?=function_path aggregateId?=job_id",
      "INSERT INTO outbox_events VALUES ('$1','$1','f','pending',0,now(),NULL,NULL,now()),('$2','$2','f','dispatched',1,now(),now(),NULL,now())",
      "$1 pending, $2 published",
    ),
    "SELECT id FROM outbox_events WHERE status = 'pending' AND available_at <= {now}",
  ),
  // A module's own event, claimed before it is completed.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, event_type varchar NOT NULL, aggregate_type varchar NOT NULL, aggregate_id uuid NOT NULL, dedupe_key varchar NOT NULL UNIQUE, payload_json jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), available_at timestamptz NOT NULL DEFAULT now(), claimed_at timestamptz, claimed_by varchar, completed_at timestamptz, attempt_count integer NOT NULL DEFAULT 0, last_error text)",
      "id=id eventType=event_type aggregateType=aggregate_type aggregateId=aggregate_id payload=payload_json createdAt=occurred_at availableAt=available_at lockedBy=claimed_by publishedAt=completed_at attempts=attempt_count lastError=last_error",
      "INSERT INTO outbox_events (id,event_type,aggregate_type,aggregate_id,dedupe_key,payload_json,claimed_at,claimed_by,completed_at,attempt_count,last_error) VALUES ('$1','t','o','$1','a','{}',NULL,NULL,NULL,0,NULL),('$2','t','o','$1','b','{}',now(),'w',now(),1,NULL),('$3','t','o','$1','c','{}',now(),'w',NULL,1,NULL),('$4','t','o','$1','d','{}',NULL,NULL,NULL,2,'x')",
      "$1 pending, $2 published, $3 in_flight|unknown, $4 failed",
    ),
    "SELECT id FROM outbox_events WHERE completed_at IS NULL AND claimed_at IS NULL AND available_at <= {now}",
  ),
  // The time of the failed try and its code, beside an end that is called completed.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, event varchar(255) NOT NULL, contract_version smallint NOT NULL DEFAULT 1, resource_type varchar(255) NOT NULL, resource_id varchar(255) NOT NULL, command_id uuid NOT NULL, data jsonb NOT NULL DEFAULT '{}', status varchar(255) NOT NULL DEFAULT 'pending', attempts integer NOT NULL DEFAULT 0, available_at timestamptz NOT NULL DEFAULT now(), locked_at timestamptz, locked_by varchar(255), completed_at timestamptz, last_error_code varchar(255), last_error_at timestamptz, inserted_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now())",
      "id=id eventType=event aggregateType=resource_type aggregateId=resource_id payload=data status=status attempts=attempts availableAt=available_at lockedBy=locked_by publishedAt=completed_at lastError?=last_error_code createdAt=inserted_at",
      "INSERT INTO outbox_events (id,event,resource_type,resource_id,command_id,status,attempts,locked_at,locked_by,completed_at,last_error_code,last_error_at,available_at) VALUES ('$1','e','r','1','$1','pending',0,NULL,NULL,NULL,NULL,NULL,now()),('$2','e','r','1','$1','completed',1,NULL,NULL,now(),NULL,NULL,now()),('$3','e','r','1','$1','processing',1,now(),'w',NULL,NULL,NULL,now()),('$4','e','r','1','$1','pending',2,NULL,NULL,NULL,'E',now(),now()+interval '1 hour')",
      "$1 pending, $2 published, $3 in_flight|unknown, $4 failed|pending",
    ),
    "SELECT id FROM outbox_events WHERE status = 'pending' AND available_at <= {now}",
  ),
  // A kind, a JSON and a boolean.
  claimed(
    stated(
      "CREATE TABLE outbox (id varchar(36) PRIMARY KEY, kind varchar(30) NOT NULL, payload json NOT NULL, delivered boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=kind payload=payload createdAt=created_at publishedAt?=delivered",
      "INSERT INTO outbox (id,kind,payload,delivered) VALUES ('a','k','{}',false),('b','k','{}',true)",
      "a pending, b published",
    ),
    "SELECT id FROM outbox WHERE NOT delivered",
  ),
  // Times as text.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id serial PRIMARY KEY, tenant_id varchar(64) NOT NULL, topic varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL, payload_json text NOT NULL, created_at varchar(40) NOT NULL, published_at varchar(40), attempts integer NOT NULL DEFAULT 0)",
      "id=id topic=topic aggregateId=aggregate_id payload=payload_json publishedAt?=published_at attempts=attempts createdAt?=created_at order?=id",
      "INSERT INTO outbox_events (tenant_id,topic,aggregate_id,payload_json,created_at,published_at,attempts) VALUES ('t','a','1','{}','2026-01-01T00:00:00+00:00',NULL,0),('t','a','1','{}','2026-01-01T00:00:00+00:00','2026-01-01T00:00:01+00:00',1)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM outbox_events WHERE published_at IS NULL",
  ),
  // An operator's look is asked for: a row so marked is not sent by itself.
  claimed(
    stated(
      "CREATE TABLE domain_event_outbox (id bigserial PRIMARY KEY, event_class varchar(255) NOT NULL, event_name varchar(128) NOT NULL, payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), relayed_at timestamptz, attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz, lease_token varchar(64), lease_until timestamptz, dead_lettered_at timestamptz, legacy_review_required boolean NOT NULL DEFAULT false)",
      "id=id eventType?=event_class payload=payload createdAt=created_at publishedAt=relayed_at attempts=attempts availableAt=next_attempt_at lockedUntil=lease_until lockedBy?=lease_token order?=id",
      "INSERT INTO domain_event_outbox (event_class,event_name,payload,relayed_at,attempts,next_attempt_at,lease_until,dead_lettered_at,legacy_review_required) VALUES ('c','n','{}',NULL,0,NULL,NULL,NULL,false),('c','n','{}',now(),1,NULL,NULL,NULL,false),('c','n','{}',NULL,2,now()+interval '1 hour',NULL,NULL,false),('c','n','{}',NULL,1,NULL,now()+interval '1 hour',NULL,false),('c','n','{}',NULL,0,NULL,NULL,now(),true)",
      "1 pending, 2 published, 3 failed, 4 in_flight, 5 dead",
    ),
    "SELECT id FROM domain_event_outbox WHERE relayed_at IS NULL AND dead_lettered_at IS NULL AND (next_attempt_at IS NULL OR next_attempt_at <= {now}) AND (lease_until IS NULL OR lease_until <= {now})",
  ),
  // A list of rooms to send to, and retries that a limit ends.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, aggregate_type varchar(64) NOT NULL, aggregate_id varchar(128) NOT NULL, event_type varchar(64) NOT NULL, payload jsonb NOT NULL DEFAULT '{}', rooms jsonb NOT NULL DEFAULT '[]', created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, retries integer NOT NULL DEFAULT 0, last_error text)",
      "id=id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at attempts=retries lastError=last_error",
      "INSERT INTO outbox_events (id,aggregate_type,aggregate_id,event_type,published_at,retries,last_error) VALUES ('$1','o','1','t',NULL,0,NULL),('$2','o','1','t',now(),0,NULL),('$3','o','1','t',NULL,2,'x')",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox_events WHERE published_at IS NULL",
  ),
  // The words of a task queue, with a lock's token.
  claimed(
    stated(
      "CREATE TABLE outbox_jobs (job_id uuid PRIMARY KEY, job_version text NOT NULL, job_type text NOT NULL, idempotency_key text NOT NULL UNIQUE, payload jsonb NOT NULL, payload_hash varchar(64) NOT NULL, state text NOT NULL DEFAULT 'pending', attempts integer NOT NULL DEFAULT 0, max_attempts integer NOT NULL, next_attempt_at timestamptz NOT NULL DEFAULT now(), locked_at timestamptz, lock_token uuid, last_error text, completed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=job_id eventType=job_type payload=payload status=state attempts=attempts availableAt=next_attempt_at lockedBy?=lock_token lastError=last_error publishedAt=completed_at createdAt=created_at",
      "INSERT INTO outbox_jobs (job_id,job_version,job_type,idempotency_key,payload,payload_hash,state,attempts,max_attempts,next_attempt_at,locked_at,lock_token,last_error,completed_at) VALUES ('$1','1','t','a','{}','h','pending',0,5,now(),NULL,NULL,NULL,NULL),('$2','1','t','b','{}','h','completed',1,5,now(),NULL,NULL,NULL,now()),('$3','1','t','c','{}','h','pending',2,5,now()+interval '1 hour',NULL,NULL,'x',NULL),('$4','1','t','d','{}','h','dead',5,5,now(),NULL,NULL,'x',NULL),('$5','1','t','e','{}','h','running',1,5,now(),now(),'$5',NULL,NULL)",
      "$1 pending, $2 published, $3 failed|pending, $4 dead, $5 in_flight|unknown",
    ),
    "SELECT job_id FROM outbox_jobs WHERE state = 'pending' AND next_attempt_at <= {now}",
  ),
  // A recipient and a channel, but events: the relay hands them to webhooks and chats.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id serial PRIMARY KEY, channel varchar(20) NOT NULL, recipient_key varchar(320) NOT NULL, event_key varchar(200) NOT NULL, event_type varchar(80) NOT NULL, payload json NOT NULL, available_at timestamptz NOT NULL DEFAULT now(), attempts integer NOT NULL DEFAULT 0, last_error text, delivered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), UNIQUE (channel, recipient_key, event_key))",
      "id=id topic?=channel aggregateId?=event_key eventType=event_type payload=payload availableAt=available_at attempts=attempts lastError=last_error publishedAt=delivered_at createdAt=created_at order?=id",
      "INSERT INTO outbox_messages (channel,recipient_key,event_key,event_type,payload,attempts,last_error,delivered_at,available_at) VALUES ('webhook','r','a','t','{}',0,NULL,NULL,now()),('webhook','r','b','t','{}',1,NULL,now(),now()),('webhook','r','c','t','{}',2,'x',NULL,now()+interval '1 hour')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_messages WHERE delivered_at IS NULL AND available_at <= {now}",
  ),
  // The retried have a word, and the lost another.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','processing','processed','retryable','dead_letter')), attempt_count int NOT NULL DEFAULT 0, available_at timestamptz NOT NULL DEFAULT now(), last_error text, created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz)",
      "id=id eventType=event_type payload=payload status=status attempts=attempt_count availableAt=available_at lastError=last_error createdAt=created_at publishedAt=processed_at",
      "INSERT INTO outbox_events (id,event_type,payload,status,attempt_count,last_error,processed_at) VALUES ('$1','t','{}','pending',0,NULL,NULL),('$2','t','{}','processing',1,NULL,NULL),('$3','t','{}','processed',1,NULL,now()),('$4','t','{}','retryable',2,'x',NULL),('$5','t','{}','dead_letter',9,'x',NULL)",
      "$1 pending, $2 in_flight, $3 published, $4 failed, $5 dead",
    ),
    "SELECT id FROM outbox_events WHERE status IN ('pending','retryable') AND available_at <= {now}",
  ),
];
