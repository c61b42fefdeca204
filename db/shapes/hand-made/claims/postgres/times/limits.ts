import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

const EVENT = "event_type text NOT NULL, payload jsonb NOT NULL";
const CREATED = "created_at timestamptz NOT NULL DEFAULT now()";
const ROLES = "id=id eventType=event_type payload=payload createdAt=created_at";

/** Outboxes with limits, defaults and values at the edge of what a column can hold, and words that say two things. */
export const CLAIMED_LIMITS: readonly ClaimedTable[] = [
  // feature-toggle-outbox, in Java. 0: not tried yet; -1: without a limit.
  claimed(
    stated(
      "CREATE TABLE outbox_events (event_id uuid PRIMARY KEY, type varchar(100) NOT NULL, payload_json jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), attempts int NOT NULL DEFAULT 0, max_attempts int NOT NULL, status varchar(20) NOT NULL, error_msg text, producer varchar(100) NOT NULL, topic varchar(100) NOT NULL)",
      "id=event_id eventType=type payload=payload_json createdAt=created_at attempts=attempts status=status lastError=error_msg topic=topic",
      "INSERT INTO outbox_events (event_id,type,payload_json,attempts,max_attempts,status,producer,topic) VALUES ('$1','a','{}',0,5,'NEW','p','t'),('$2','a','{}',1,5,'PUBLISHED','p','t'),('$3','a','{}',5,5,'FAILED','p','t'),('$4','a','{}',0,0,'NEW','p','t'),('$5','a','{}',3,-1,'NEW','p','t')",
      "$1 pending, $2 published, $3 dead, $4 pending, $5 failed",
    ),
    "SELECT event_id FROM outbox_events WHERE status = 'NEW'",
  ),
  // A Laravel project: a flag, a time and a limit.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, aggregate_id uuid NOT NULL, event_type varchar(255) NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, published_at timestamp(0), retries integer NOT NULL DEFAULT 0, max_retries integer NOT NULL DEFAULT 3, created_at timestamp(0))",
      "id=id order?=id aggregateId=aggregate_id eventType=event_type payload=payload publishedAt=published_at attempts=retries createdAt=created_at",
      "INSERT INTO outbox_messages (aggregate_id,event_type,payload,published,published_at,retries,max_retries,created_at) VALUES ('$1','a','{}',false,NULL,0,3,now()),('$1','a','{}',true,now(),0,3,now()),('$1','a','{}',false,NULL,1,3,now()),('$1','a','{}',false,NULL,3,3,now()),('$1','a','{}',true,NULL,0,3,now()),('$1','a','{}',false,NULL,0,0,now())",
      "1 pending, 2 published, 3 failed, 4 dead, 5 unknown, 6 pending",
    ),
    "SELECT id FROM outbox_messages WHERE NOT published AND retries < 3",
  ),
  // Counted down, and nothing says from what: invented.
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, attempts_left smallint NOT NULL, sent_at timestamptz, ${CREATED})`,
      `${ROLES} publishedAt=sent_at`,
      "INSERT INTO outbox (id,event_type,payload,attempts_left,sent_at) VALUES ('$1','a','{}',5,NULL),('$2','a','{}',5,now()),('$3','a','{}',0,NULL)",
      "$1 pending|unknown, $2 published, $3 dead|unknown",
    ),
    "SELECT id FROM outbox WHERE sent_at IS NULL AND attempts_left > 0",
  ),
  // Never again, in milliseconds: Java's greatest long.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload text NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT')), locked_until bigint, created_at bigint NOT NULL)",
      "id=id order?=id eventType=event_type payload=payload status=status lockedUntil=locked_until createdAt=created_at",
      "INSERT INTO outbox (event_type,payload,status,locked_until,created_at) VALUES ('a','x','NEW',NULL,1767225600000),('a','x','NEW',9223372036854775807,1767225600000),('a','x','NEW',-9223372036854775808,-9223372036854775808),('a','x','SENT',1767225600000,9223372036854775807)",
      "1 pending, 2 in_flight, 3 pending, 4 published",
    ),
    "SELECT id FROM outbox WHERE status = 'NEW' AND (locked_until IS NULL OR locked_until < 1767225600000)",
  ),
  // Values that an int and RFC 3339 have no place for: invented.
  claimed(
    stated(
      "CREATE TABLE outbox (id text PRIMARY KEY, event_type text, payload text, status text, attempts numeric, created_at timestamptz)",
      "id=id eventType=event_type payload=payload status=status attempts=attempts createdAt=created_at",
      "INSERT INTO outbox VALUES ('e1','a','{}','PENDING',0,'-infinity'),('e2','a','{}','FAILED','NaN','infinity'),('e3','a','{}','SENT',1e300,'0044-03-15 BC'),('e4','a','{}','SENT',1,'294270-01-01'),('e5',NULL,NULL,NULL,NULL,NULL)",
      "e1 pending, e2 failed, e3 published, e4 published, e5 unknown",
    ),
    "SELECT id FROM outbox WHERE status IN ('PENDING','FAILED')",
  ),
  // What a new row has from the start: invented.
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, published boolean NOT NULL DEFAULT true, ${CREATED})`,
      ROLES,
      "INSERT INTO outbox (id,event_type,payload,published) VALUES ('$1','a','{}',true),('$2','a','{}',false)",
      "$1 unknown, $2 unknown",
    ),
    "SELECT id FROM outbox",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, status text NOT NULL DEFAULT 'DONE', ${CREATED})`,
      `${ROLES} status=status`,
      "INSERT INTO outbox (id,event_type,payload,status) VALUES ('$1','a','{}','DONE')",
      "$1 unknown",
    ),
    "SELECT id FROM outbox",
  ),
  // Two flags that contradict each other: invented.
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, is_pending boolean NOT NULL DEFAULT true, is_published boolean NOT NULL DEFAULT false, ${CREATED})`,
      `${ROLES} publishedAt=is_published`,
      "INSERT INTO outbox (id,event_type,payload,is_pending,is_published) VALUES ('$1','a','{}',true,false),('$2','a','{}',false,true),('$3','a','{}',true,true),('$4','a','{}',false,false)",
      "$1 pending, $2 published, $3 unknown, $4 unknown",
    ),
    "SELECT id FROM outbox WHERE is_pending AND NOT is_published",
  ),
  // Two statuses, one of the message's subject: invented.
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, status text NOT NULL DEFAULT 'ACTIVE', publish_status text NOT NULL DEFAULT 'PENDING', ${CREATED})`,
      `${ROLES} status?=status`,
      "INSERT INTO outbox (id,event_type,payload,status,publish_status) VALUES ('$1','a','{}','ACTIVE','PENDING'),('$2','a','{}','ACTIVE','PUBLISHED'),('$3','a','{}','COMPLETED','PENDING'),('$4','a','{}','FAILED','PUBLISHED')",
      "$1 pending|unknown, $2 published|unknown, $3 pending|unknown, $4 published|unknown",
    ),
    "SELECT id FROM outbox WHERE publish_status = 'PENDING'",
  ),
  // When a relay will give up, and a status of several words: invented.
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, give_up_at timestamptz, published_at timestamptz, ${CREATED})`,
      `${ROLES} publishedAt=published_at expiresAt?=give_up_at`,
      "INSERT INTO outbox (id,event_type,payload,give_up_at,published_at) VALUES ('$1','a','{}',now()+interval '1 day',NULL),('$2','a','{}',now()+interval '1 day',now()),('$3','a','{}',NULL,NULL)",
      "$1 pending|unknown, $2 published, $3 pending",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      `CREATE TABLE outbox (id uuid PRIMARY KEY, ${EVENT}, status text[] NOT NULL DEFAULT '{PENDING}', ${CREATED})`,
      `${ROLES} status?=status`,
      "INSERT INTO outbox (id,event_type,payload,status) VALUES ('$1','a','{}','{PENDING}'),('$2','a','{}','{PENDING,SENT}')",
      "$1 pending|unknown, $2 published|unknown",
    ),
    "SELECT id FROM outbox",
  ),
];
