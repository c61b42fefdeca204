import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with errors that nothing counts, and flags beside the published mark. */
export const CLAIMED_UNCOUNTED_ERRORS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE errplain_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lastError=error order?=id",
      "INSERT INTO errplain_outbox (event_type,payload,sent_at,error) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'boom')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM errplain_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE errflag2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, last_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload lastError=last_error createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO errflag2_outbox (event_type,payload,sent,last_error) VALUES ('a','{}',false,NULL),('a','{}',true,NULL),('a','{}',false,'boom')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM errflag2_outbox WHERE NOT sent",
  ),
  claimed(
    stated(
      "CREATE TABLE errjson_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, error_details jsonb, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at lastError=error_details order?=id",
      `INSERT INTO errjson_outbox (event_type,payload,published_at,error_details) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'{"m":1}')`,
      "1 pending, 2 published, 3 failed|unknown",
    ),
    "SELECT id FROM errjson_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE errstatus_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at lastError=error order?=id",
      "INSERT INTO errstatus_outbox (event_type,payload,status,error) VALUES ('a','{}','PENDING',NULL),('a','{}','SENT',NULL),('a','{}','PENDING','boom')",
      "1 pending, 2 published, 3 failed|pending",
    ),
    "SELECT id FROM errstatus_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE errarr_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, errors text[] NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at lastError=errors order?=id",
      "INSERT INTO errarr_outbox (event_type,payload,published_at,errors) VALUES ('a','{}',NULL,'{}'),('a','{}',now(),'{}'),('a','{}',NULL,'{boom}')",
      "1 pending, 2 published, 3 failed|unknown|pending",
    ),
    "SELECT id FROM errarr_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE cnt1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, fail_cnt int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=fail_cnt order?=id",
      "INSERT INTO cnt1_outbox (event_type,payload,sent_at,fail_cnt) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',NULL,2)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM cnt1_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE cnt2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, delivery_attempts int NOT NULL DEFAULT 0, max_delivery_attempts int NOT NULL DEFAULT 3, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at attempts=delivery_attempts publishedAt=sent_at order?=id",
      "INSERT INTO cnt2_outbox (event_type,payload,sent_at,delivery_attempts) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',NULL,2),('a','{}',NULL,3)",
      "1 pending, 2 published, 3 failed, 4 dead|failed|unknown",
    ),
    "SELECT id FROM cnt2_outbox WHERE sent_at IS NULL AND delivery_attempts<max_delivery_attempts",
  ),
  claimed(
    stated(
      "CREATE TABLE cnt3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, tries_remaining smallint NOT NULL DEFAULT 3, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO cnt3_outbox (event_type,payload,sent_at,tries_remaining) VALUES ('a','{}',NULL,3),('a','{}',now(),3),('a','{}',NULL,2),('a','{}',NULL,0)",
      "1 pending, 2 published, 3 failed|unknown, 4 dead|unknown",
    ),
    "SELECT id FROM cnt3_outbox WHERE sent_at IS NULL AND tries_remaining>0",
  ),
  claimed(
    stated(
      "CREATE TABLE cnt4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','DONE')), attempts int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 3, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status attempts=attempts createdAt=created_at order?=id",
      "INSERT INTO cnt4_outbox (event_type,payload,status,attempts) VALUES ('a','{}','NEW',0),('a','{}','DONE',1),('a','{}','NEW',1),('a','{}','NEW',3)",
      "1 pending, 2 published, 3 failed, 4 dead|failed|unknown",
    ),
    "SELECT id FROM cnt4_outbox WHERE status='NEW' AND attempts<max_attempts",
  ),
  claimed(
    stated(
      "CREATE TABLE cnt5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, errors_count int NOT NULL DEFAULT 0, gave_up boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at attempts=errors_count order?=id",
      "INSERT INTO cnt5_outbox (event_type,payload,sent_at,errors_count,gave_up) VALUES ('a','{}',NULL,0,false),('a','{}',now(),0,false),('a','{}',NULL,2,false),('a','{}',NULL,9,true)",
      "1 pending, 2 published, 3 failed, 4 dead",
    ),
    "SELECT id FROM cnt5_outbox WHERE sent_at IS NULL AND NOT gave_up",
  ),
  claimed(
    stated(
      "CREATE TABLE cnt6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, attempt_no int NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO cnt6_outbox (event_type,payload,sent_at,attempt_no) VALUES ('a','{}',NULL,1),('a','{}',now(),1),('a','{}',NULL,3)",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM cnt6_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE fl1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, is_cancelled smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO fl1_outbox (event_type,payload,sent_at,is_cancelled) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 unknown|dead",
    ),
    "SELECT id FROM fl1_outbox WHERE sent_at IS NULL AND is_cancelled=0",
  ),
  claimed(
    stated(
      "CREATE TABLE fl2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', void boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO fl2_outbox (event_type,payload,status,void) VALUES ('a','{}','PENDING',false),('a','{}','SENT',false),('a','{}','PENDING',true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM fl2_outbox WHERE status='PENDING' AND NOT void",
  ),
  claimed(
    stated(
      "CREATE TABLE fl3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', is_test boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO fl3_outbox (event_type,payload,status,is_test) VALUES ('a','{}','PENDING',false),('a','{}','SENT',true),('a','{}','PENDING',true)",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM fl3_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE fl4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, do_not_send boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO fl4_outbox (event_type,payload,sent_at,do_not_send) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM fl4_outbox WHERE sent_at IS NULL AND NOT do_not_send",
  ),
  claimed(
    stated(
      "CREATE TABLE fl5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, locked boolean NOT NULL DEFAULT false, lock_time timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO fl5_outbox (event_type,payload,sent_at,locked,lock_time) VALUES ('a','{}',NULL,false,NULL),('a','{}',now(),false,NULL),('a','{}',NULL,true,now())",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM fl5_outbox WHERE sent_at IS NULL AND NOT locked",
  ),
  claimed(
    stated(
      "CREATE TABLE fl6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, in_progress boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO fl6_outbox (event_type,payload,sent_at,in_progress) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM fl6_outbox WHERE sent_at IS NULL AND NOT in_progress",
  ),
  claimed(
    stated(
      "CREATE TABLE fl7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, is_sent boolean, is_failed boolean, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=is_sent order?=id",
      "INSERT INTO fl7_outbox (event_type,payload,is_sent,is_failed) VALUES ('a','{}',NULL,NULL),('a','{}',true,false),('a','{}',false,true),('a','{}',false,false)",
      "1 pending|unknown, 2 published, 3 failed|dead|unknown, 4 pending|unknown",
    ),
    "SELECT id FROM fl7_outbox WHERE is_sent IS NOT TRUE AND is_failed IS NOT TRUE",
  ),
  claimed(
    stated(
      "CREATE TABLE fl8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ok boolean NOT NULL DEFAULT false, sent_err boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO fl8_outbox (event_type,payload,sent_ok,sent_err) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM fl8_outbox WHERE NOT sent_ok AND NOT sent_err",
  ),
  claimed(
    stated(
      "CREATE TABLE fl9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status char(1) NOT NULL DEFAULT 'N', active char(1) NOT NULL DEFAULT 'Y', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO fl9_outbox (event_type,payload,status,active) VALUES ('a','{}','N','Y'),('a','{}','S','Y'),('a','{}','N','N')",
      "1 pending|unknown, 2 published|unknown, 3 unknown",
    ),
    "SELECT id FROM fl9_outbox WHERE status='N' AND active='Y'",
  ),
  claimed(
    stated(
      "CREATE TABLE fl10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, visible boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO fl10_outbox (event_type,payload,published,visible) VALUES ('a','{}',false,true),('a','{}',true,true),('a','{}',false,false)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM fl10_outbox WHERE NOT published AND visible",
  ),
  claimed(
    stated(
      "CREATE TABLE fl11_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, hidden boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO fl11_outbox (event_type,payload,published,hidden) VALUES ('a','{}',false,false),('a','{}',true,false),('a','{}',false,true)",
      "1 pending, 2 published, 3 unknown|in_flight",
    ),
    "SELECT id FROM fl11_outbox WHERE NOT published AND NOT hidden",
  ),
  claimed(
    stated(
      "CREATE TABLE fl12_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published boolean NOT NULL DEFAULT false, obsolete char(1) NOT NULL DEFAULT 'N', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published order?=id",
      "INSERT INTO fl12_outbox (event_type,payload,published,obsolete) VALUES ('a','{}',false,'N'),('a','{}',true,'N'),('a','{}',false,'Y')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM fl12_outbox WHERE NOT published AND obsolete='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE fl13_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, err char(1), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lastError?=err order?=id",
      "INSERT INTO fl13_outbox (event_type,payload,sent_at,err) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'X')",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM fl13_outbox WHERE sent_at IS NULL AND err IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE fl14_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, error boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO fl14_outbox (event_type,payload,sent_at,error) VALUES ('a','{}',NULL,false),('a','{}',now(),false),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM fl14_outbox WHERE sent_at IS NULL AND NOT error",
  ),
  claimed(
    stated(
      "CREATE TABLE fl15_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, has_error int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO fl15_outbox (event_type,payload,sent_at,has_error) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM fl15_outbox WHERE sent_at IS NULL AND has_error=0",
  ),
  claimed(
    stated(
      "CREATE TABLE x1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent char(1) NOT NULL DEFAULT ' ', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=sent order?=id",
      "INSERT INTO x1_outbox (event_type,payload,sent) VALUES ('a','{}',' '),('a','{}','X')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM x1_outbox WHERE sent=' '",
  ),
  claimed(
    stated(
      "CREATE TABLE x2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent char(1), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO x2_outbox (event_type,payload,sent) VALUES ('a','{}',NULL),('a','{}','X'),('a','{}','E')",
      "1 pending|unknown, 2 published|unknown, 3 unknown|failed",
    ),
    "SELECT id FROM x2_outbox WHERE sent IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE x3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed varchar(1) DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=processed order?=id",
      "INSERT INTO x3_outbox (event_type,payload,processed) VALUES ('a','{}',''),('a','{}','X')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM x3_outbox WHERE processed=''",
  ),
  claimed(
    stated(
      "CREATE TABLE x4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x4_outbox (event_type,payload,status) VALUES ('a','{}',''),('a','{}','SENT'),('a','{}','ERROR')",
      "1 pending|unknown, 2 published, 3 failed",
    ),
    "SELECT id FROM x4_outbox WHERE status=''",
  ),
  claimed(
    stated(
      "CREATE TABLE x5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(20), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x5_outbox (event_type,payload,status) VALUES ('a','{}',NULL),('a','{}','SENT'),('a','{}','ERROR')",
      "1 pending|unknown, 2 published, 3 failed",
    ),
    "SELECT id FROM x5_outbox WHERE status IS NULL",
  ),
  // A status without a word for failed.
  claimed(
    stated(
      "CREATE TABLE outbox_two_words (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT')), last_error text)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status lastError=last_error order?=id",
      "INSERT INTO outbox_two_words (event_type,payload,status,last_error) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',NULL),('a','{}','NEW','timeout')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM outbox_two_words WHERE status = 'NEW'",
  ),
];
