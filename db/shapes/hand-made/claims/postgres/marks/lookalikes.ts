import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/**
 * Outboxes with numbers that look like an order, or with names that look like a helper's, each with the rows that its
 * relay would take.
 */
export const CLAIMED_LOOKALIKES: readonly ClaimedTable[] = [
  // A number within a transaction is no order, and a program's own id need not be one.
  claimed(
    stated(
      "CREATE TABLE outbox (id bigint PRIMARY KEY, aggregate_id text NOT NULL, ordinal int NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at aggregateId=aggregate_id publishedAt=published_at",
      "INSERT INTO outbox (id,aggregate_id,ordinal,event_type,payload,published_at) VALUES (900,'o',0,'a','{}',NULL),(70,'o',1,'a','{}',now())",
      "900 pending, 70 published",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL",
  ),
  // A number within a stream, and a broker's own.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_id text NOT NULL, sequence_number bigint NOT NULL, kafka_offset bigint NOT NULL DEFAULT -1, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), UNIQUE (aggregate_id, sequence_number))",
      "id=id eventType=event_type payload=payload createdAt=created_at aggregateId=aggregate_id publishedAt=published_at",
      "INSERT INTO outbox (id,aggregate_id,sequence_number,event_type,payload,published_at) VALUES ('$1','o',2,'a','{}',NULL),('$2','o',1,'a','{}',now())",
      "$1 pending, $2 published",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL",
  ),
  // An outbox of checkpoints.
  claimed(
    stated(
      "CREATE TABLE checkpoint_outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at",
      "INSERT INTO checkpoint_outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now())",
      "$1 pending, $2 published",
    ),
    "SELECT id FROM checkpoint_outbox WHERE published_at IS NULL",
  ),
  // A German name of one word.
  claimed(
    stated(
      "CREATE TABLE ausgangsnachrichten (nachrichten_id uuid PRIMARY KEY, ereignistyp text NOT NULL, nutzlast jsonb NOT NULL, erledigt boolean NOT NULL DEFAULT false, fehler boolean NOT NULL DEFAULT false, erstellt_am timestamptz NOT NULL DEFAULT now(), gesperrt_bis timestamptz)",
      "id=nachrichten_id eventType=ereignistyp payload=nutzlast createdAt=erstellt_am publishedAt=erledigt lockedUntil=gesperrt_bis",
      "INSERT INTO ausgangsnachrichten (nachrichten_id,ereignistyp,nutzlast,erledigt,fehler) VALUES ('$1','a','{}',false,false),('$2','a','{}',true,false),('$3','a','{}',false,true)",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT nachrichten_id FROM ausgangsnachrichten WHERE NOT erledigt AND NOT fehler",
  ),
  // Handed over, and confirmed by the broker or not.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, confirmed boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at",
      "INSERT INTO outbox (id,event_type,payload,published_at,confirmed) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),true),('$3','a','{}',now(),false),('$4','a','{}',now(),NULL)",
      "$1 pending, $2 published, $3 unknown, $4 unknown",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL",
  ),
  // A word says how the handling ended.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, handled_at timestamptz, outcome text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=handled_at",
      "INSERT INTO outbox (id,event_type,payload,handled_at,outcome) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),'OK'),('$3','a','{}',now(),'FAILED')",
      "$1 pending, $2 published, $3 unknown|failed|dead",
    ),
    "SELECT id FROM outbox WHERE handled_at IS NULL",
  ),
  // Flags that say that nobody sends the row.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, retryable boolean NOT NULL DEFAULT true, do_not_send boolean NOT NULL DEFAULT false, give_up boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent",
      "INSERT INTO outbox (id,event_type,payload,sent,retryable,do_not_send,give_up) VALUES ('$1','a','{}',false,true,false,false),('$2','a','{}',true,true,false,false),('$3','a','{}',false,false,false,false),('$4','a','{}',false,true,true,false),('$5','a','{}',false,true,false,true)",
      "$1 pending, $2 published, $3 unknown|dead, $4 unknown, $5 dead",
    ),
    "SELECT id FROM outbox WHERE NOT sent AND retryable AND NOT do_not_send AND NOT give_up",
  ),
  // A text as long as a time in digits, with words.
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published char(14) NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt?=published",
      "INSERT INTO outbox (id,event_type,payload,published) VALUES ('$1','a','{}','NO'),('$2','a','{}','YES')",
      "$1 unknown|pending, $2 unknown|published",
    ),
    "SELECT id FROM outbox WHERE published = 'NO'",
  ),
];
