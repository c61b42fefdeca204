import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Outboxes whose times are numbers, or whose retry needs more than a status, each with the rows that its own relay
 * would take.
 */
export const CLAIMED_TIMES_AS_NUMBERS: readonly ClaimedTable[] = [
  // Go: time.Now().UnixNano().
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id text PRIMARY KEY, topic text NOT NULL, payload bytea NOT NULL, created_at bigint NOT NULL, next_attempt_at bigint NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0, sent_at bigint)",
      "id=id topic=topic payload=payload createdAt=created_at availableAt=next_attempt_at attempts=attempts publishedAt=sent_at",
      "INSERT INTO outbox_messages VALUES ('a','t','x',1767225600000000000,0,0,NULL),('b','t','x',1767225600000000000,0,1,1767225700000000000),('c','t','x',1767225600000000000,4102444800000000000,3,NULL)",
      "a pending, b published, c failed",
    ),
    "SELECT id FROM outbox_messages WHERE sent_at IS NULL AND next_attempt_at <= (extract(epoch FROM {now}) * 1000000000)::bigint",
  ),
  // Go: time.Now().Unix(), with a lease.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_ts bigint NOT NULL, retry_at bigint, lease_until bigint, tries int NOT NULL DEFAULT 0, done_ts bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_ts availableAt=retry_at lockedUntil=lease_until attempts=tries publishedAt=done_ts order?=id",
      "INSERT INTO outbox (event_type,payload,created_ts,retry_at,lease_until,tries,done_ts) VALUES ('a','{}',1767225600,NULL,NULL,0,NULL),('a','{}',1767225600,NULL,NULL,0,1767225700),('a','{}',1767225600,4102444800,NULL,2,NULL),('a','{}',1767225600,NULL,4102444800,0,NULL)",
      "1 pending, 2 published, 3 failed, 4 in_flight",
    ),
    "SELECT id FROM outbox WHERE done_ts IS NULL AND (retry_at IS NULL OR retry_at <= extract(epoch FROM {now})::bigint) AND (lease_until IS NULL OR lease_until <= extract(epoch FROM {now})::bigint)",
  ),
  // A dead flag beside a status, and a lock that only a retry clears.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), is_dead boolean NOT NULL DEFAULT false, locked_at timestamptz, lock_token uuid, attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status attempts=attempts createdAt=created_at",
      "INSERT INTO outbox_events (id,event_type,payload,status,is_dead,locked_at,lock_token,attempts) VALUES ('$1','a','{}','NEW',false,NULL,NULL,0),('$2','a','{}','SENT',false,NULL,NULL,1),('$3','a','{}','FAILED',false,NULL,NULL,2),('$4','a','{}','FAILED',true,now(),'$4',9)",
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    "SELECT id FROM outbox_events WHERE status IN ('NEW','FAILED') AND NOT is_dead AND locked_at IS NULL",
  ),
  // A failure sets the processed time too.
  claimed(
    stated(
      "CREATE TABLE outbox_rows (id bigserial PRIMARY KEY, kind text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','processed','failed')), processed_at timestamptz, error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=kind payload=payload status=status publishedAt=processed_at lastError=error createdAt=created_at order?=id",
      "INSERT INTO outbox_rows (kind,payload,status,processed_at,error) VALUES ('a','{}','pending',NULL,NULL),('a','{}','processed',now(),NULL),('a','{}','failed',now(),'x')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_rows WHERE status = 'pending' AND processed_at IS NULL",
  ),
  // A due time and no count of attempts.
  claimed(
    stated(
      "CREATE TABLE outbox_deferred (id uuid PRIMARY KEY, kind text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting','sent','failed')), next_attempt_at timestamptz NOT NULL DEFAULT now(), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=kind payload=payload status=status availableAt=next_attempt_at createdAt=created_at",
      "INSERT INTO outbox_deferred (id,kind,payload,status,next_attempt_at) VALUES ('$1','a','{}','waiting',now()),('$2','a','{}','sent',now()),('$3','a','{}','failed',now()+interval '1 hour')",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT id FROM outbox_deferred WHERE status <> 'sent' AND next_attempt_at <= {now}",
  ),
  // The columns of a known template under its name, and a flag of the team's own.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY, type varchar(200) NOT NULL, content jsonb NOT NULL, occurred_on_utc timestamptz NOT NULL, processed_on_utc timestamptz, error text, is_poisoned boolean NOT NULL DEFAULT false)",
      "id=id eventType=type payload=content createdAt=occurred_on_utc publishedAt=processed_on_utc lastError=error",
      "INSERT INTO outbox_messages VALUES ('$1','a','{}',now(),NULL,NULL,false),('$2','a','{}',now(),now(),NULL,false),('$3','a','{}',now(),NULL,'x',true),('$4','a','{}',now(),now(),'x',false)",
      "$1 pending, $2 published, $3 dead, $4 dead|failed|unknown",
    ),
    "SELECT id FROM outbox_messages WHERE processed_on_utc IS NULL AND NOT is_poisoned",
  ),
  // The row's own limit of attempts, beside a status that goes on saying pending.
  claimed(
    stated(
      "CREATE TABLE outbox_limits (id bigserial PRIMARY KEY, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','completed','failed')), retry_count int NOT NULL DEFAULT 0, max_retries int NOT NULL DEFAULT 3, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id aggregateType=aggregate_type aggregateId=aggregate_id eventType=event_type payload=payload status=status attempts=retry_count createdAt=created_at order?=id",
      "INSERT INTO outbox_limits (aggregate_type,aggregate_id,event_type,payload,status,retry_count) VALUES ('o','1','a','{}','pending',0),('o','1','a','{}','completed',1),('o','1','a','{}','failed',1),('o','1','a','{}','failed',3)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM outbox_limits WHERE status IN ('pending','failed') AND retry_count < max_retries",
  ),
  // Processed with an error, by a team of its own.
  claimed(
    stated(
      "CREATE TABLE integration_event_outbox (event_id uuid PRIMARY KEY, event_name text NOT NULL, body jsonb NOT NULL, raised_at timestamptz NOT NULL, processed_at timestamptz, failure_reason text)",
      "id=event_id eventType=event_name payload=body createdAt=raised_at publishedAt=processed_at lastError=failure_reason",
      "INSERT INTO integration_event_outbox VALUES ('$1','a','{}',now(),NULL,NULL),('$2','a','{}',now(),now(),NULL),('$3','a','{}',now(),now(),'x')",
      "$1 pending, $2 published, $3 dead|failed|unknown",
    ),
    "SELECT event_id FROM integration_event_outbox WHERE processed_at IS NULL",
  ),
  // French words that only the rows show.
  claimed(
    stated(
      "CREATE TABLE outbox_evenement (id bigserial PRIMARY KEY, type_evenement varchar(80) NOT NULL, charge_utile text NOT NULL, statut varchar(20) NOT NULL, cree_le timestamptz NOT NULL DEFAULT now(), publie_le timestamptz, nb_essais int NOT NULL DEFAULT 0)",
      "id=id eventType=type_evenement payload=charge_utile status=statut createdAt=cree_le publishedAt=publie_le attempts=nb_essais order?=id",
      "INSERT INTO outbox_evenement (type_evenement,charge_utile,statut,publie_le,nb_essais) VALUES ('a','x','EN_ATTENTE',NULL,0),('a','x','PUBLIE',now(),0),('a','x','ECHEC',NULL,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_evenement WHERE statut = 'EN_ATTENTE'",
  ),
  // A boolean that says that somebody works on the row.
  claimed(
    stated(
      "CREATE TABLE outbox_works (id bigserial PRIMARY KEY, name text NOT NULL, payload jsonb NOT NULL, state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready','done','error')), processing boolean NOT NULL DEFAULT false, processing_started_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=name payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO outbox_works (name,payload,state,processing,processing_started_at) VALUES ('a','{}','ready',false,NULL),('a','{}','done',false,NULL),('a','{}','error',true,now())",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_works WHERE state = 'ready' AND NOT processing",
  ),
  // Suspended rows are nobody's.
  claimed(
    stated(
      "CREATE TABLE outbox_holds (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, suspended boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=type payload=payload publishedAt=published createdAt=created_at order?=id",
      "INSERT INTO outbox_holds (type,payload,published,suspended) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM outbox_holds WHERE NOT published AND NOT suspended",
  ),
];
