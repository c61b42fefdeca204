import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** What another column says of the same row in another form than the published mark, and expiries that are none. */
export const CLAIMED_SAID_ELSEWHERE: readonly ClaimedTable[] = [
  // Expires 0 = never.
  claimed(
    stated(
      "CREATE TABLE exp0_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, expires_at bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at expiresAt=expires_at order?=id",
      "INSERT INTO exp0_outbox (event_type,payload,sent_at,expires_at) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1751362530000),('a','{}',NULL,4102444800000)",
      "1 pending|unknown, 2 published, 3 expired|unknown, 4 pending|unknown",
    ),
    "SELECT id FROM exp0_outbox WHERE sent_at IS NULL AND (expires_at=0 OR expires_at > extract(epoch from now())*1000)",
  ),
  // Expires year 1 = never (Go).
  claimed(
    stated(
      "CREATE TABLE expy1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, expires_at timestamptz NOT NULL DEFAULT '0001-01-01')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id expiresAt?=expires_at",
      "INSERT INTO expy1_outbox (event_type,payload,sent_at,expires_at) VALUES ('a','{}',NULL,'0001-01-01'),('a','{}',now(),'0001-01-01'),('a','{}',NULL,now()-interval '1 h'),('a','{}',NULL,now()+interval '1 h')",
      "1 pending|unknown, 2 published, 3 expired|unknown, 4 pending|unknown",
    ),
    "SELECT id FROM expy1_outbox WHERE sent_at IS NULL AND (expires_at='0001-01-01' OR expires_at > now())",
  ),
  // Destinations in two forms.
  claimed(
    stated(
      "CREATE TABLE fan1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), kafka_sent_at timestamptz, webhook_sent_at bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=kafka_sent_at",
      "INSERT INTO fan1_outbox (event_type,payload,kafka_sent_at,webhook_sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),1751362530000),('a','{}',now(),NULL),('a','{}',NULL,1751362530000)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM fan1_outbox WHERE kafka_sent_at IS NULL",
  ),
  // Destinations as flag and number.
  claimed(
    stated(
      "CREATE TABLE fan2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), kafka_sent boolean NOT NULL DEFAULT false, email_sent int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=kafka_sent",
      "INSERT INTO fan2_outbox (event_type,payload,kafka_sent,email_sent) VALUES ('a','{}',false,0),('a','{}',true,1),('a','{}',true,0),('a','{}',false,1)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM fan2_outbox WHERE NOT kafka_sent",
  ),
  // Ack as number(1).
  claimed(
    stated(
      "CREATE TABLE ackf_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, broker_ack numeric(1))",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=sent_at",
      "INSERT INTO ackf_outbox (event_type,payload,sent_at,broker_ack) VALUES ('a','{}',NULL,NULL),('a','{}',now(),1),('a','{}',now(),NULL),('a','{}',now(),0)",
      "1 pending, 2 published, 3 unknown|in_flight, 4 unknown|failed",
    ),
    "SELECT id FROM ackf_outbox WHERE sent_at IS NULL",
  ),
  // Ack as a date.
  claimed(
    stated(
      "CREATE TABLE ackd_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, acked_on date)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=sent_at",
      "INSERT INTO ackd_outbox (event_type,payload,sent_at,acked_on) VALUES ('a','{}',NULL,NULL),('a','{}',now(),current_date),('a','{}',now(),NULL)",
      "1 pending, 2 published, 3 unknown|in_flight",
    ),
    "SELECT id FROM ackd_outbox WHERE sent_at IS NULL",
  ),
  // Coded flag and time disagree.
  claimed(
    stated(
      "CREATE TABLE codeflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent smallint NOT NULL DEFAULT 0, sent_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=sent_at status?=sent",
      "INSERT INTO codeflag_outbox (event_type,payload,sent,sent_at) VALUES ('a','{}',0,NULL),('a','{}',1,now()),('a','{}',1,NULL),('a','{}',0,now())",
      "1 pending, 2 published, 3 unknown|published, 4 unknown|pending",
    ),
    "SELECT id FROM codeflag_outbox WHERE sent=0",
  ),
  // Resend requested in ms.
  claimed(
    stated(
      "CREATE TABLE resend_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, resend_requested_at bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO resend_outbox (event_type,payload,sent_at,resend_requested_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now()-interval '1 h',(extract(epoch from now())*1000)::bigint)",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM resend_outbox WHERE sent_at IS NULL",
  ),
  // Success letter that begins blank.
  claimed(
    stated(
      "CREATE TABLE okx_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, sent_ok char(1) NOT NULL DEFAULT ' ')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO okx_outbox (event_type,payload,sent_at,sent_ok) VALUES ('a','{}',NULL,' '),('a','{}',now(),'X'),('a','{}',now(),' ')",
      "1 pending, 2 published, 3 unknown|failed",
    ),
    "SELECT id FROM okx_outbox WHERE sent_at IS NULL",
  ),
  // A blank letter asks to send again.
  claimed(
    stated(
      "CREATE TABLE resendx_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, resend char(1) NOT NULL DEFAULT ' ')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO resendx_outbox (event_type,payload,sent_at,resend) VALUES ('a','{}',NULL,' '),('a','{}',now(),' '),('a','{}',now(),'X')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM resendx_outbox WHERE sent_at IS NULL",
  ),
  // A request with the year 1 for none.
  claimed(
    stated(
      "CREATE TABLE resendy_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, resend_requested_at timestamptz NOT NULL DEFAULT '0001-01-01')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO resendy_outbox (event_type,payload,sent_at,resend_requested_at) VALUES ('a','{}',NULL,'0001-01-01'),('a','{}',now(),'0001-01-01'),('a','{}',now()-interval '1 h',now())",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM resendy_outbox WHERE sent_at IS NULL",
  ),
  // Letters of success and error beside a status.
  claimed(
    stated(
      "CREATE TABLE stok_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status varchar(40) NOT NULL DEFAULT 'NEW', success char(1) NOT NULL DEFAULT ' ', error char(1) NOT NULL DEFAULT ' ')",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status order?=id",
      "INSERT INTO stok_outbox (event_type,payload,status,success,error) VALUES ('a','{}','NEW',' ',' '),('a','{}','DONE','X',' '),('a','{}','DONE',' ',' '),('a','{}','NEW',' ','X')",
      "1 pending, 2 published, 3 unknown|failed, 4 failed|unknown",
    ),
    "SELECT id FROM stok_outbox WHERE status='NEW' AND error=' '",
  ),
  // An index expects poisoned to be false of what waits.
  claimed(
    stated(
      "CREATE TABLE poison_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), delivered_at timestamptz NOT NULL, poisoned boolean NOT NULL DEFAULT false); CREATE INDEX ON poison_outbox (id) WHERE (NOT poisoned)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt?=delivered_at order?=id",
      "INSERT INTO poison_outbox (event_type,payload,delivered_at,poisoned) VALUES ('a','{}','0001-01-01',false),('a','{}',now(),false),('a','{}','0001-01-01',true)",
      "1 unknown, 2 unknown, 3 unknown|dead",
    ),
    "SELECT id FROM poison_outbox WHERE delivered_at = '0001-01-01' AND NOT poisoned",
  ),
  // A program's zero time in an expiry without a default.
  claimed(
    stated(
      "CREATE TABLE promo_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), valid_until timestamptz NOT NULL, sent boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt=valid_until order?=id",
      "INSERT INTO promo_outbox (event_type,payload,valid_until,sent) VALUES ('a','{}','0001-01-01',false),('a','{}','0001-01-01',true),('a','{}',now()-interval '1 h',false),('a','{}',now()+interval '1 h',false)",
      "1 pending, 2 published, 3 expired|unknown, 4 pending",
    ),
    "SELECT id FROM promo_outbox WHERE NOT sent AND (valid_until = '0001-01-01' OR valid_until > {now})",
  ),
  // Times of Python as fractions.
  claimed(
    stated(
      "CREATE TABLE leased_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, lease_until double precision, valid_until double precision)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO leased_outbox (event_type,payload,sent_at,lease_until,valid_until) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,extract(epoch from now())+60,NULL),('a','{}',NULL,NULL,extract(epoch from now())-60)",
      "1 pending, 2 published, 3 in_flight|unknown, 4 expired|unknown",
    ),
    "SELECT id FROM leased_outbox WHERE sent_at IS NULL AND lease_until IS NULL",
  ),
  // Failed after it was published, with a placeholder.
  claimed(
    stated(
      "CREATE TABLE later_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz NOT NULL DEFAULT '0001-01-01', failed_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id",
      "INSERT INTO later_outbox (event_type,payload,published_at,failed_at) VALUES ('a','{}','0001-01-01',NULL),('a','{}',now(),NULL),('a','{}',now(),now()-interval '1 h'),('a','{}',now()-interval '1 h',now()),('a','{}','0001-01-01',now())",
      "1 pending, 2 published, 3 published, 4 failed|dead|unknown, 5 failed|dead",
    ),
    "SELECT id FROM later_outbox WHERE published_at = '0001-01-01'",
  ),
  // The status of a parcel beside a placeholder.
  claimed(
    stated(
      "CREATE TABLE granted_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz NOT NULL DEFAULT '0001-01-01', delivery_status varchar(40) NOT NULL DEFAULT 'PENDING')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at order?=id status?=delivery_status",
      "INSERT INTO granted_outbox (event_type,payload,published_at,delivery_status) VALUES ('a','{}','0001-01-01','PENDING'),('a','{}',now(),'PENDING'),('a','{}','0001-01-01','DELIVERED'),('a','{}',now(),'DELIVERED')",
      "1 pending, 2 published|unknown, 3 pending|unknown, 4 published",
    ),
    "SELECT id FROM granted_outbox WHERE published_at = '0001-01-01'",
  ),
];
