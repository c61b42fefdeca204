import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with types, keys and names that only Postgres has. */
export const CLAIMED_TYPES_OF_POSTGRES: readonly ClaimedTable[] = [
  // Labels of an enum with blanks and signs, in German.
  claimed(
    stated(
      `CREATE TYPE versand AS ENUM ('Zu versenden','Wird versendet','Versendet','Fehler!'); CREATE TABLE "Ausgehende-Nachrichten" ("Lfd.Nr." bigserial PRIMARY KEY, "Nachrichten-Typ" text NOT NULL, "Inhalt" jsonb NOT NULL, "Status" versand NOT NULL DEFAULT 'Zu versenden', "Erstellt.am" timestamptz NOT NULL DEFAULT now(), "Gesendet.am" timestamptz)`,
      "id=Lfd.Nr. eventType=Nachrichten-Typ payload=Inhalt status=Status createdAt=Erstellt.am publishedAt=Gesendet.am order?=Lfd.Nr.",
      `INSERT INTO "Ausgehende-Nachrichten" ("Nachrichten-Typ","Inhalt","Status","Gesendet.am") VALUES ('a','{}','Zu versenden',NULL),('a','{}','Wird versendet',NULL),('a','{}','Versendet',now()),('a','{}','Fehler!',NULL)`,
      "1 pending, 2 in_flight, 3 published, 4 failed|dead",
    ),
    `SELECT "Lfd.Nr." FROM "Ausgehende-Nachrichten" WHERE "Status" = 'Zu versenden'`,
  ),
  // Internal "char" for a code, with a comment.
  claimed(
    stated(
      `CREATE TABLE outbox_small (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, topic text NOT NULL, payload bytea NOT NULL, state "char" NOT NULL DEFAULT 'n', created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN outbox_small.state IS 'n=new, s=sent, f=failed'`,
      "id=id topic=topic payload=payload status=state createdAt=created_at order?=id",
      "INSERT INTO outbox_small (topic,payload,state) VALUES ('t','x','n'),('t','x','s'),('t','x','f')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_small WHERE state = 'n'",
  ),
  // A window in which a row may be sent.
  claimed(
    stated(
      "CREATE TABLE outbox_windows (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, send_window tstzrange DEFAULT tstzrange(now(), NULL), published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO outbox_windows (id,event_type,payload,send_window,published_at) VALUES ('$1','a','{}',tstzrange(now()-interval '1 min',NULL),NULL),('$2','a','{}',tstzrange(now()-interval '1 min',NULL),now()),('$3','a','{}',tstzrange(now()-interval '2 d',now()-interval '1 d'),NULL),('$4','a','{}',tstzrange(now()+interval '1 d',NULL),NULL)",
      "$1 pending, $2 published, $3 expired|dead, $4 pending|unknown",
    ),
    "SELECT id FROM outbox_windows WHERE published_at IS NULL AND send_window @> {now}",
  ),
  // Hstore, ltree and citext.
  claimed(
    stated(
      "CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public; CREATE EXTENSION IF NOT EXISTS ltree SCHEMA public; CREATE EXTENSION IF NOT EXISTS citext SCHEMA public; CREATE TABLE message_outbox (message_id uuid PRIMARY KEY, topic public.ltree NOT NULL, headers public.hstore NOT NULL DEFAULT '', body xml NOT NULL, state public.citext NOT NULL DEFAULT 'Waiting', retries int NOT NULL DEFAULT 0, stored_at timestamptz NOT NULL DEFAULT now())",
      "id=message_id topic=topic payload=body status=state attempts=retries createdAt=stored_at headers?=headers",
      "INSERT INTO message_outbox (message_id,topic,body,state,retries) VALUES ('$1','a.b','<a/>','Waiting',0),('$2','a.b','<a/>','sent',0),('$3','a.b','<a/>','SENT',0),('$4','a.b','<a/>','Failed',3),('$5','a.b','<a/>','waiting',0)",
      "$1 pending, $2 published, $3 published, $4 failed|dead, $5 pending",
    ),
    "SELECT message_id FROM message_outbox WHERE state = 'waiting'",
  ),
  // A transaction's number, and its errors as a list.
  claimed(
    stated(
      "CREATE TABLE outbox_tx (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx_id xid8 DEFAULT pg_current_xact_id(), event_type text NOT NULL, payload jsonb NOT NULL, errors text[] NOT NULL DEFAULT '{}', published_at timestamptz, created_at timestamptz NOT NULL DEFAULT clock_timestamp())",
      "id=id eventType=event_type payload=payload lastError=errors publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO outbox_tx (event_type,payload,errors,published_at) VALUES ('a','{}','{}',NULL),('a','{}','{}',now()),('a','{}','{timeout,refused}',NULL),('a','{}','{timeout}',now())",
      "1 pending, 2 published, 3 failed, 4 published",
    ),
    "SELECT id FROM outbox_tx WHERE published_at IS NULL",
  ),
  // Null for not yet, false for refused.
  claimed(
    stated(
      "CREATE TABLE outgoing_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text NOT NULL, payload jsonb NOT NULL, delivered boolean, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN outgoing_events.delivered IS 'NULL = not tried, true = delivered, false = gave up'",
      "id=id aggregateId=aggregate_id eventType=event_type payload=payload publishedAt=delivered createdAt=created_at order?=id",
      "INSERT INTO outgoing_events (event_type,payload,delivered) VALUES ('a','{}',NULL),('a','{}',true),('a','{}',false)",
      "1 pending, 2 published, 3 dead|failed",
    ),
    "SELECT id FROM outgoing_events WHERE delivered IS NULL",
  ),
  // The key has the status, which the partitions are made by.
  claimed(
    stated(
      "CREATE TABLE outbox_parts (id bigint GENERATED BY DEFAULT AS IDENTITY, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED')), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, status)) PARTITION BY LIST (status); CREATE TABLE outbox_parts_open PARTITION OF outbox_parts FOR VALUES IN ('PENDING','FAILED'); CREATE TABLE outbox_parts_sent PARTITION OF outbox_parts FOR VALUES IN ('SENT')",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO outbox_parts (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','SENT'),('a','{}','FAILED')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM outbox_parts WHERE status = 'PENDING'",
  ),
  // A flag computed for the index.
  claimed(
    stated(
      `CREATE TABLE "OutboxEntries" ("EntryId" uuid PRIMARY KEY, "AggregateKey" text NOT NULL, "EventName" text NOT NULL, "EventData" jsonb NOT NULL, "EnqueuedAt" timestamptz NOT NULL DEFAULT now(), "SentAt" timestamptz, "IsOpen" boolean GENERATED ALWAYS AS ("SentAt" IS NULL) STORED, "DeliveryAttempts" smallint NOT NULL DEFAULT 0, "LastFailure" text)`,
      "id=EntryId aggregateId=AggregateKey eventType=EventName payload=EventData createdAt=EnqueuedAt publishedAt=SentAt attempts=DeliveryAttempts lastError=LastFailure",
      `INSERT INTO "OutboxEntries" ("EntryId","AggregateKey","EventName","EventData","SentAt","DeliveryAttempts","LastFailure") VALUES ('$1','k','a','{}',NULL,0,NULL),('$2','k','a','{}',now(),1,NULL),('$3','k','a','{}',NULL,3,'x'),('$4','k','a','{}',now(),2,'x')`,
      "$1 pending, $2 published, $3 failed, $4 published",
    ),
    `SELECT "EntryId" FROM "OutboxEntries" WHERE "IsOpen"`,
  ),
  // Bits for what has happened.
  claimed(
    stated(
      "CREATE TABLE event_outbox_bits (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, marks bit(3) NOT NULL DEFAULT B'000', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO event_outbox_bits (event_type,payload,marks) VALUES ('a','{}',B'000'),('a','{}',B'001'),('a','{}',B'010')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM event_outbox_bits WHERE marks = B'000'",
  ),
  // A delay, and a wait between attempts, both as intervals.
  claimed(
    stated(
      "CREATE TABLE outbox_waits (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delay interval NOT NULL DEFAULT '0', attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz)",
      "id=id eventType=event_type payload=payload attempts=attempts createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO outbox_waits (event_type,payload,delay,attempts,sent_at) VALUES ('a','{}','0',0,NULL),('a','{}','0',1,now()),('a','{}','0',2,NULL),('a','{}','2 days',0,NULL)",
      "1 pending, 2 published, 3 failed, 4 pending|unknown",
    ),
    "SELECT id FROM outbox_waits WHERE sent_at IS NULL AND created_at + delay <= {now}",
  ),
  // Cyrillic and Greek letters in names.
  claimed(
    stated(
      `CREATE TABLE "исходящие_события" ("ид" bigserial PRIMARY KEY, "тип_события" text NOT NULL, "данные" jsonb NOT NULL, "создано" timestamptz NOT NULL DEFAULT now(), "отправлено" timestamptz)`,
      "id=ид eventType=тип_события payload=данные createdAt=создано publishedAt=отправлено order?=ид",
      `INSERT INTO "исходящие_события" ("тип_события","данные","отправлено") VALUES ('a','{}',NULL),('a','{}',now())`,
      "1 pending, 2 published",
    ),
    `SELECT "ид" FROM "исходящие_события" WHERE "отправлено" IS NULL`,
  ),
  // A boolean list of what two channels have got.
  claimed(
    stated(
      "CREATE TABLE outbox_channels (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, delivered_to text[] NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO outbox_channels (event_type,payload,delivered_to) VALUES ('a','{}','{}'),('a','{}','{kafka,search}'),('a','{}','{kafka}')",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM outbox_channels WHERE NOT delivered_to @> '{kafka,search}'",
  ),
  // A payload of a composite type, and a composite for the last try.
  claimed(
    stated(
      "CREATE TYPE envelope AS (kind text, body jsonb); CREATE TYPE last_try AS (at timestamptz, error text); CREATE TABLE outbox_typed (id bigserial PRIMARY KEY, payload envelope NOT NULL, last_try last_try, published boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id payload=payload publishedAt=published createdAt=created_at order?=id",
      "INSERT INTO outbox_typed (payload,last_try,published) VALUES (ROW('a','{}'),NULL,false),(ROW('a','{}'),ROW(now(),NULL),true),(ROW('a','{}'),ROW(now(),'x'),false)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_typed WHERE NOT published",
  ),
  // A large object's number stands for the payload.
  claimed(
    stated(
      "CREATE TABLE outbox_lobs (id bigserial PRIMARY KEY, event_type text NOT NULL, payload oid NOT NULL, sent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=sent createdAt=created_at order?=id",
      "INSERT INTO outbox_lobs (event_type,payload,sent) VALUES ('a',lo_from_bytea(0,'x'),false),('a',lo_from_bytea(0,'y'),true)",
      "1 pending, 2 published",
    ),
    "SELECT id FROM outbox_lobs WHERE NOT sent",
  ),
];
