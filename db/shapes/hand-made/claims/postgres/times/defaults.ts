import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

const C = "created_at timestamptz NOT NULL DEFAULT now()";
const EVENT = "event_type text NOT NULL, payload jsonb NOT NULL";
const ROLES = "eventType=event_type payload=payload createdAt=created_at";

/** Outboxes whose defaults, computed columns and keys say what nulls and names do not. */
export const CLAIMED_DEFAULTS: readonly ClaimedTable[] = [
  // The time from which a row may be sent is computed.
  claimed(
    stated(
      `CREATE TABLE outbox_delayed (id bigserial PRIMARY KEY, ${EVENT}, created_at timestamp NOT NULL DEFAULT timezone('UTC', now()), delay_seconds int NOT NULL DEFAULT 0, available_at timestamp GENERATED ALWAYS AS (created_at + delay_seconds * interval '1 second') STORED, dispatched_at timestamp, attempts int NOT NULL DEFAULT 0)`,
      `id=id ${ROLES} availableAt=available_at publishedAt=dispatched_at attempts=attempts order?=id`,
      "INSERT INTO outbox_delayed (event_type,payload,delay_seconds,dispatched_at,attempts) VALUES ('a','{}',0,NULL,0),('a','{}',3600,NULL,0),('a','{}',0,now(),1),('a','{}',0,NULL,2)",
      "1 pending, 2 pending, 3 published, 4 failed",
    ),
    "SELECT id FROM outbox_delayed WHERE dispatched_at IS NULL AND available_at <= timezone('UTC', {now})",
  ),
  // A new row has a due time; one that was tried and has none was given up.
  claimed(
    stated(
      `CREATE TABLE outbox_queue (id bigserial PRIMARY KEY, ${EVENT}, tries int NOT NULL DEFAULT 0, retry_at timestamptz DEFAULT now(), sent_at timestamptz, ${C})`,
      `id=id ${ROLES} attempts=tries availableAt=retry_at publishedAt=sent_at order?=id`,
      "INSERT INTO outbox_queue (event_type,payload,tries,retry_at,sent_at) VALUES ('a','{}',0,now(),NULL),('a','{}',1,NULL,now()),('a','{}',2,now() + interval '1 hour',NULL),('a','{}',7,NULL,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM outbox_queue WHERE sent_at IS NULL AND retry_at <= {now}",
  ),
  // The same by an index, beside a status and a flag of its own.
  claimed(
    stated(
      `CREATE TABLE outbox_retries (id bigserial PRIMARY KEY, ${EVENT}, state text NOT NULL DEFAULT 'NEW' CHECK (state IN ('NEW','SENT','ERROR')), attempts int NOT NULL DEFAULT 0, next_retry_at timestamptz, ${C}); CREATE INDEX ON outbox_retries (next_retry_at) WHERE next_retry_at IS NOT NULL`,
      `id=id ${ROLES} status=state attempts=attempts availableAt=next_retry_at order?=id`,
      "INSERT INTO outbox_retries (event_type,payload,state,attempts,next_retry_at) VALUES ('a','{}','NEW',0,NULL),('a','{}','SENT',1,NULL),('a','{}','ERROR',2,now() + interval '1 hour'),('a','{}','ERROR',7,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM outbox_retries WHERE (state = 'NEW' AND attempts = 0) OR next_retry_at <= {now}",
  ),
  // Given up when the database computes that it was tried too often.
  claimed(
    stated(
      `CREATE TABLE outbox_tired (id bigserial PRIMARY KEY, ${EVENT}, attempts int NOT NULL DEFAULT 0, is_dead boolean GENERATED ALWAYS AS (attempts >= 10) STORED, published_at timestamptz, ${C})`,
      `id=id ${ROLES} attempts=attempts publishedAt=published_at order?=id`,
      "INSERT INTO outbox_tired (event_type,payload,attempts,published_at) VALUES ('a','{}',0,NULL),('a','{}',0,now()),('a','{}',3,NULL),('a','{}',10,NULL)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM outbox_tired WHERE published_at IS NULL AND NOT is_dead",
  ),
  // Errors are an array, or a document, which are never null.
  claimed(
    stated(
      `CREATE TABLE outbox_arrays (id bigserial PRIMARY KEY, ${EVENT}, state text NOT NULL DEFAULT 'available' CHECK (state IN ('available','completed','retryable','discarded')), errors jsonb[] NOT NULL DEFAULT '{}', ${C})`,
      `id=id ${ROLES} status=state lastError=errors order?=id`,
      "INSERT INTO outbox_arrays (event_type,payload,state,errors) VALUES ('a','{}','available','{}'),('a','{}','completed','{}'),('a','{}','retryable',ARRAY['{}'::jsonb]),('a','{}','discarded',ARRAY['{}'::jsonb])",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM outbox_arrays WHERE state IN ('available','retryable')",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox_documents (id bigserial PRIMARY KEY, ${EVENT}, processed_at timestamptz, errors jsonb NOT NULL DEFAULT '[]', ${C})`,
      `id=id ${ROLES} publishedAt=processed_at lastError=errors order?=id`,
      `INSERT INTO outbox_documents (event_type,payload,processed_at,errors) VALUES ('a','{}',NULL,'[]'),('a','{}',now(),'[]'),('a','{}',NULL,'["timeout"]'),('a','{}',now(),'["timeout"]')`,
      "1 pending, 2 published, 3 failed, 4 unknown",
    ),
    "SELECT id FROM outbox_documents WHERE processed_at IS NULL",
  ),
  // 0 of a new row is no time.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, topic text NOT NULL, value bytea NOT NULL, created_at_ns bigint NOT NULL, sent_at_ns bigint NOT NULL DEFAULT 0)",
      "id=id topic=topic payload=value createdAt=created_at_ns publishedAt=sent_at_ns order?=id",
      "INSERT INTO outbox (topic,value,created_at_ns,sent_at_ns) VALUES ('a','x',1760000000000000000,0),('a','x',1760000000000000000,1760000000000000001),('a','x',1760000000000000000,-1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM outbox WHERE sent_at_ns = 0",
  ),
  // A number in each shard, and times in microseconds by their names.
  claimed(
    stated(
      "CREATE TABLE outbox_sharded (shard smallint NOT NULL, seq bigserial NOT NULL, entity_id uuid NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, created_us bigint NOT NULL, published_us bigint, PRIMARY KEY (seq, shard))",
      "id=seq order=seq aggregateId=entity_id eventType=event_type payload=payload createdAt=created_us publishedAt=published_us",
      "INSERT INTO outbox_sharded (shard,entity_id,event_type,payload,created_us,published_us) VALUES (1,'$1','a','{}',1760000000000000,NULL),(2,'$1','a','{}',1760000000000000,1760000000000001)",
      "1 pending, 2 published",
    ),
    "SELECT seq FROM outbox_sharded WHERE published_us IS NULL",
  ),
  // A time that nobody knows: the row may be with a publisher.
  claimed(
    stated(
      `CREATE TABLE outbox_performed (id bigserial PRIMARY KEY, ${EVENT}, performed_at timestamptz, finished_at timestamptz, deadline_at timestamptz, ${C})`,
      `id=id ${ROLES} publishedAt=finished_at order?=id`,
      "INSERT INTO outbox_performed (event_type,payload,performed_at,finished_at,deadline_at) VALUES ('a','{}',NULL,NULL,now()),('a','{}',now(),now(),NULL),('a','{}',now(),NULL,NULL)",
      // Whether a relay leaves a row whose deadline has passed is asked.
      "1 pending|unknown, 2 published, 3 unknown|in_flight",
    ),
    "SELECT id FROM outbox_performed WHERE finished_at IS NULL AND performed_at IS NULL",
  ),
  // A person has to approve a row before it is sent.
  claimed(
    stated(
      `CREATE TABLE outbox_approved (id bigserial PRIMARY KEY, ${EVENT}, approved_at timestamptz, published_at timestamptz, ${C})`,
      `id=id ${ROLES} publishedAt=published_at order?=id`,
      "INSERT INTO outbox_approved (event_type,payload,approved_at,published_at) VALUES ('a','{}',now(),NULL),('a','{}',now(),now()),('a','{}',NULL,NULL)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM outbox_approved WHERE published_at IS NULL AND approved_at IS NOT NULL",
  ),
  // A queue of what leaves, in French.
  claimed(
    stated(
      "CREATE TABLE file_sortante (identifiant uuid PRIMARY KEY, type_message text NOT NULL, corps jsonb NOT NULL, etat text NOT NULL DEFAULT 'a_envoyer' CHECK (etat IN ('a_envoyer','envoye','en_erreur')), date_creation timestamptz NOT NULL DEFAULT now())",
      "id=identifiant eventType=type_message payload=corps status=etat createdAt=date_creation",
      "INSERT INTO file_sortante (identifiant,type_message,corps,etat) VALUES ('$1','a','{}','a_envoyer'),('$2','a','{}','envoye'),('$3','a','{}','en_erreur')",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT identifiant FROM file_sortante WHERE etat = 'a_envoyer'",
  ),
  // Doctrine writes DEFAULT NULL for every column that may be null.
  claimed(
    stated(
      "CREATE TABLE outbox_doctrine (id uuid NOT NULL, message_class varchar(255) NOT NULL, body text NOT NULL, recorded_on timestamp(0) without time zone NOT NULL, published_on timestamp(0) without time zone DEFAULT NULL, failed_on timestamp(0) without time zone DEFAULT NULL, failure_reason varchar(255) DEFAULT NULL, PRIMARY KEY (id))",
      "id=id eventType=message_class payload=body createdAt=recorded_on publishedAt=published_on lastError=failure_reason",
      "INSERT INTO outbox_doctrine (id,message_class,body,recorded_on,published_on,failed_on,failure_reason) VALUES ('$1','a','x',now(),NULL,NULL,NULL),('$2','a','x',now(),now(),NULL,NULL),('$3','a','x',now(),NULL,now(),'x')",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox_doctrine WHERE published_on IS NULL AND failed_on IS NULL",
  ),
];
