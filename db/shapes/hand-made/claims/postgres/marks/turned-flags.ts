import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with errors that nothing counts, fixed times, and flags that nobody explains. */
export const CLAIMED_TURNED_FLAGS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE z1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, dispatched_at timestamptz, failure_reason text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=dispatched_at createdAt=created_at lastError=failure_reason order?=id",
      "INSERT INTO z1_outbox (event_type,payload,dispatched_at,failure_reason) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM z1_outbox WHERE dispatched_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE z2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, error_msg varchar(200) NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=error_msg publishedAt=processed order?=id",
      "INSERT INTO z2_outbox (event_type,payload,processed,error_msg) VALUES ('a','{}',false,''),('a','{}',true,''),('a','{}',false,'x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM z2_outbox WHERE NOT processed",
  ),
  claimed(
    stated(
      "CREATE TABLE z3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, is_published char(1) NOT NULL DEFAULT 'N', err_text text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at lastError=err_text status=is_published order?=id",
      "INSERT INTO z3_outbox (event_type,payload,is_published,err_text) VALUES ('a','{}','N',NULL),('a','{}','Y',NULL),('a','{}','N','x')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM z3_outbox WHERE is_published='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE z4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, exception jsonb, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at lastError=exception order?=id",
      `INSERT INTO z4_outbox (event_type,payload,published_at,exception) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'{"a":1}'),('a','{}',NULL,'{}')`,
      "1 pending, 2 published, 3 failed, 4 pending|failed",
    ),
    "SELECT id FROM z4_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE z5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, error text, locked_until timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lockedUntil=locked_until createdAt=created_at publishedAt=sent_at lastError=error order?=id",
      "INSERT INTO z5_outbox (event_type,payload,sent_at,error,locked_until) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'x',NULL),('a','{}',NULL,NULL,now()+interval '1 h')",
      "1 pending, 2 published, 3 failed, 4 in_flight",
    ),
    "SELECT id FROM z5_outbox WHERE sent_at IS NULL AND (locked_until IS NULL OR locked_until<{now})",
  ),
  claimed(
    stated(
      "CREATE TABLE z6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, last_error text, expires_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at lastError=last_error expiresAt=expires_at createdAt=created_at order?=id",
      "INSERT INTO z6_outbox (event_type,payload,published_at,last_error,expires_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),'old',NULL),('a','{}',NULL,'x',NULL),('a','{}',NULL,'x',now()-interval '1 h')",
      "1 pending, 2 published, 3 failed, 4 expired",
    ),
    "SELECT id FROM z6_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE z7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, last_error text, next_attempt_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at lastError=last_error createdAt=created_at availableAt=next_attempt_at order?=id",
      "INSERT INTO z7_outbox (event_type,payload,published_at,last_error,next_attempt_at) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'x',now()+interval '1 h')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM z7_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE y1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz NOT NULL DEFAULT '2099-01-01', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO y1_outbox (event_type,payload,published_at) VALUES ('a','{}','2099-01-01'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM y1_outbox WHERE published_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE y2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamp NOT NULL DEFAULT '2000-01-01 00:00:00', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO y2_outbox (event_type,payload,published_at) VALUES ('a','{}','2000-01-01'),('a','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM y2_outbox WHERE published_at='2000-01-01'",
  ),
  claimed(
    stated(
      "CREATE TABLE y3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, deleted_at timestamptz NOT NULL DEFAULT '2099-12-31', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO y3_outbox (event_type,payload,sent_at,deleted_at) VALUES ('a','{}',NULL,'2099-12-31'),('a','{}',now(),'2099-12-31'),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM y3_outbox WHERE sent_at IS NULL AND deleted_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE y4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt?=published_at",
      "INSERT INTO y4_outbox (event_type,payload,published_at) VALUES ('a','{}','2099-12-31'),('a','{}',now())",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM y4_outbox WHERE published_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE y5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at order?=id",
      "INSERT INTO y5_outbox (event_type,payload,published_at) VALUES ('a','{}','2999-12-31'),('a','{}',now()),('a','{}',NULL)",
      "1 pending|unknown, 2 published|unknown, 3 pending|unknown",
    ),
    "SELECT id FROM y5_outbox WHERE published_at>now()",
  ),
  claimed(
    stated(
      "CREATE TABLE y6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW', next_try timestamptz NOT NULL DEFAULT now(), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status availableAt=next_try createdAt=created_at order?=id",
      "INSERT INTO y6_outbox (event_type,payload,status,next_try) VALUES ('a','{}','NEW',now()),('a','{}','SENT',now()),('a','{}','NEW','2999-12-31')",
      "1 pending, 2 published, 3 pending|unknown|dead",
    ),
    "SELECT id FROM y6_outbox WHERE status='NEW' AND next_try<={now}",
  ),
  claimed(
    stated(
      "CREATE TABLE y7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, next_try timestamptz NOT NULL DEFAULT now(), tries int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload availableAt=next_try attempts=tries createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO y7_outbox (event_type,payload,sent_at,next_try,tries) VALUES ('a','{}',NULL,now(),0),('a','{}',now(),now(),1),('a','{}',NULL,'2100-01-01',5)",
      "1 pending, 2 published, 3 dead|unknown|failed",
    ),
    "SELECT id FROM y7_outbox WHERE sent_at IS NULL AND next_try<={now}",
  ),
  claimed(
    stated(
      "CREATE TABLE y8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, cancelled_at timestamptz NOT NULL DEFAULT '1900-01-01', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO y8_outbox (event_type,payload,sent_at,cancelled_at) VALUES ('a','{}',NULL,'1900-01-01'),('a','{}',now(),'1900-01-01'),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM y8_outbox WHERE sent_at IS NULL AND cancelled_at='1900-01-01'",
  ),
  claimed(
    stated(
      "CREATE TABLE x1b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, annulled boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x1b_outbox (event_type,payload,sent_at,annulled) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x1b_outbox WHERE sent_at IS NULL AND NOT annulled",
  ),
  claimed(
    stated(
      "CREATE TABLE x2b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, terminated boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x2b_outbox (event_type,payload,sent_at,terminated) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM x2b_outbox WHERE sent_at IS NULL AND NOT terminated",
  ),
  claimed(
    stated(
      "CREATE TABLE x3b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, expired boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x3b_outbox (event_type,payload,sent_at,expired) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM x3b_outbox WHERE sent_at IS NULL AND NOT expired",
  ),
  claimed(
    stated(
      "CREATE TABLE x4b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, retired boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x4b_outbox (event_type,payload,sent_at,retired) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM x4b_outbox WHERE sent_at IS NULL AND NOT retired",
  ),
  claimed(
    stated(
      "CREATE TABLE x5b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, unrecoverable boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x5b_outbox (event_type,payload,sent_at,unrecoverable) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM x5b_outbox WHERE sent_at IS NULL AND NOT unrecoverable",
  ),
  claimed(
    stated(
      "CREATE TABLE x6b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, is_poison boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x6b_outbox (event_type,payload,sent_at,is_poison) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 dead",
    ),
    "SELECT id FROM x6b_outbox WHERE sent_at IS NULL AND NOT is_poison",
  ),
  claimed(
    stated(
      "CREATE TABLE x7b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, needs_review boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x7b_outbox (event_type,payload,sent_at,needs_review) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM x7b_outbox WHERE sent_at IS NULL AND NOT needs_review",
  ),
  claimed(
    stated(
      "CREATE TABLE x8b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, manual_hold boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x8b_outbox (event_type,payload,sent_at,manual_hold) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x8b_outbox WHERE sent_at IS NULL AND NOT manual_hold",
  ),
  claimed(
    stated(
      "CREATE TABLE x9b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, ready boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x9b_outbox (event_type,payload,sent_at,ready) VALUES ('a','{}',NULL,true),('a','{}',now(),true),('a','{}',NULL,false)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x9b_outbox WHERE sent_at IS NULL AND ready",
  ),
  claimed(
    stated(
      "CREATE TABLE x10b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, committed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x10b_outbox (event_type,payload,sent_at,committed) VALUES ('a','{}',NULL,true),('a','{}',now(),true),('a','{}',NULL,false)",
      "1 pending|unknown, 2 published, 3 unknown",
    ),
    "SELECT id FROM x10b_outbox WHERE sent_at IS NULL AND committed",
  ),
  claimed(
    stated(
      "CREATE TABLE x11b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, is_draft boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x11b_outbox (event_type,payload,sent_at,is_draft) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x11b_outbox WHERE sent_at IS NULL AND NOT is_draft",
  ),
  claimed(
    stated(
      "CREATE TABLE x12b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, is_compressed boolean NOT NULL DEFAULT false, is_encrypted boolean NOT NULL DEFAULT false, urgent boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x12b_outbox (event_type,payload,sent_at,is_compressed,urgent) VALUES ('a','{}',NULL,false,true),('a','{}',now(),true,false),('a','{}',NULL,true,true)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM x12b_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE x13b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, confirmed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x13b_outbox (event_type,payload,sent_at,confirmed) VALUES ('a','{}',NULL,false),('a','{}',now(),true),('a','{}',now(),false)",
      "1 pending, 2 published, 3 in_flight|unknown|published",
    ),
    "SELECT id FROM x13b_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE x14b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT')), failed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x14b_outbox (event_type,payload,status,failed) VALUES ('a','{}','PENDING',false),('a','{}','SENT',false),('a','{}','PENDING',true)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM x14b_outbox WHERE status='PENDING' AND NOT failed",
  ),
  claimed(
    stated(
      "CREATE TABLE x15b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT')), error boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x15b_outbox (event_type,payload,status,error) VALUES ('a','{}','PENDING',false),('a','{}','SENT',false),('a','{}','PENDING',true)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM x15b_outbox WHERE status='PENDING' AND NOT error",
  ),
  claimed(
    stated(
      "CREATE TABLE x16b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT')), failed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x16b_outbox (event_type,payload,status,failed_at) VALUES ('a','{}','PENDING',NULL),('a','{}','SENT',NULL),('a','{}','PENDING',now())",
      "1 pending, 2 published, 3 failed|dead|unknown|pending",
    ),
    "SELECT id FROM x16b_outbox WHERE status='PENDING' AND failed_at IS NULL",
  ),
];
