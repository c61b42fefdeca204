import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

/** What an index of waiting rows leaves out, words behind a number, and who has settled a row. */
export const CLAIMED_INDEXES_AND_PREFIXES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE x_idx3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, lane text NOT NULL DEFAULT 'main', created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON x_idx3_outbox (id) WHERE sent_at IS NULL AND lane <> 'sink'",
      "publishedAt=sent_at id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO x_idx3_outbox (event_type,payload,sent_at,lane) VALUES ('a','{}',NULL,'main'),('a','{}',now(),'main'),('a','{}',NULL,'sink')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x_idx3_outbox WHERE sent_at IS NULL AND lane<>'sink'",
  ),
  claimed(
    stated(
      "CREATE TABLE x_idx4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, target text, created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON x_idx4_outbox (id) WHERE sent_at IS NULL AND target IS NOT NULL",
      "publishedAt=sent_at id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO x_idx4_outbox (event_type,payload,sent_at,target) VALUES ('a','{}',NULL,'k'),('a','{}',now(),'k'),('a','{}',NULL,NULL)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x_idx4_outbox WHERE sent_at IS NULL AND target IS NOT NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE x_idx5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, tries smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON x_idx5_outbox (id) WHERE sent_at IS NULL AND tries < 5",
      "publishedAt=sent_at id=id eventType=event_type payload=payload attempts=tries createdAt=created_at order?=id",
      "INSERT INTO x_idx5_outbox (event_type,payload,sent_at,tries) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',NULL,2),('a','{}',NULL,5)",
      "1 pending, 2 published, 3 failed, 4 dead|unknown",
    ),
    "SELECT id FROM x_idx5_outbox WHERE sent_at IS NULL AND tries<5",
  ),
  claimed(
    stated(
      "CREATE TABLE x_num_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(20) NOT NULL DEFAULT '1-PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x_num_outbox (event_type,payload,status) VALUES ('a','{}','1-PENDING'),('a','{}','2-SENT'),('a','{}','3-FAILED')",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM x_num_outbox WHERE status='1-PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE x_resby_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, tries int NOT NULL DEFAULT 0, handled_manually_by text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload attempts=tries createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO x_resby_outbox (event_type,payload,sent,tries,handled_manually_by) VALUES ('a','{}',false,0,NULL),('a','{}',true,1,NULL),('a','{}',false,9,'ada')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x_resby_outbox WHERE NOT sent AND handled_manually_by IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE oe_outbox (oe_id bigserial PRIMARY KEY, oe_type text NOT NULL, oe_body jsonb NOT NULL, oe_ts timestamptz NOT NULL DEFAULT now(), oe_done smallint NOT NULL DEFAULT 0, oe_err text, oe_void smallint NOT NULL DEFAULT 0)",
      "id=oe_id payload=oe_body lastError=oe_err eventType=oe_type createdAt=oe_ts status=oe_done order?=oe_id",
      "INSERT INTO oe_outbox (oe_type,oe_body,oe_done,oe_err,oe_void) VALUES ('a','{}',0,NULL,0),('a','{}',1,NULL,0),('a','{}',0,'x',0),('a','{}',0,NULL,1)",
      "1 pending, 2 published, 3 failed, 4 unknown",
    ),
    "SELECT oe_id FROM oe_outbox WHERE oe_done=0 AND oe_void=0",
  ),
  claimed(
    stated(
      "CREATE TABLE x_repl_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, replaced_by_id bigint, merged boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO x_repl_outbox (event_type,payload,sent_at,replaced_by_id,merged) VALUES ('a','{}',NULL,NULL,false),('a','{}',now(),NULL,false),('a','{}',NULL,1,false),('a','{}',NULL,NULL,true)",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM x_repl_outbox WHERE sent_at IS NULL AND replaced_by_id IS NULL AND NOT merged",
  ),
  claimed(
    stated(
      "CREATE TABLE y_json_outbox (doc_id uuid PRIMARY KEY, doc jsonb NOT NULL, doc_type text NOT NULL, flushed boolean NOT NULL DEFAULT false, flush_error text, at timestamptz NOT NULL DEFAULT now())",
      "publishedAt=flushed createdAt=at payload=doc id=doc_id",
      "INSERT INTO y_json_outbox (doc_id,doc,doc_type,flushed,flush_error) VALUES ('$1','{}','a',false,NULL),('$2','{}','a',true,NULL),('$3','{}','a',false,'x')",
      "$1 pending, $2 published, $3 failed|unknown",
    ),
    "SELECT doc_id FROM y_json_outbox WHERE NOT flushed",
  ),
  claimed(
    stated(
      "CREATE TABLE y_blk_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, blocked_by_event_id bigint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO y_blk_outbox (event_type,payload,sent_at,blocked_by_event_id) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM y_blk_outbox WHERE sent_at IS NULL AND blocked_by_event_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE v_idx_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status varchar(12) NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED')), kind varchar(10) NOT NULL DEFAULT 'ext', tries int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON v_idx_outbox (id) WHERE status = 'PENDING' AND kind <> 'int' AND tries < 8",
      "status=status id=id eventType=event_type payload=payload attempts=tries createdAt=created_at order?=id",
      "INSERT INTO v_idx_outbox (event_type,payload,status,kind,tries) VALUES ('a','{}','PENDING','ext',0),('a','{}','SENT','ext',0),('a','{}','PENDING','int',0),('a','{}','PENDING','ext',8),('a','{}','PENDING','ext',2)",
      "1 pending, 2 published, 3 unknown|pending, 4 dead|unknown, 5 failed",
    ),
    "SELECT id FROM v_idx_outbox WHERE status='PENDING' AND kind<>'int' AND tries<8",
  ),
  claimed(
    stated(
      "CREATE TABLE v_idx3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed boolean NOT NULL DEFAULT false, priority int NOT NULL DEFAULT 5, created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON v_idx3_outbox (id) WHERE NOT processed AND priority = 1; CREATE INDEX ON v_idx3_outbox (id) WHERE NOT processed",
      "publishedAt=processed id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO v_idx3_outbox (event_type,payload,processed,priority) VALUES ('a','{}',false,5),('a','{}',true,5),('a','{}',false,1)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM v_idx3_outbox WHERE NOT processed",
  ),
  claimed(
    stated(
      "CREATE TABLE v_idx6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, trace_ctx text, created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON v_idx6_outbox (trace_ctx) WHERE sent_at IS NULL AND trace_ctx IS NOT NULL",
      "publishedAt=sent_at id=id eventType=event_type payload=payload createdAt=created_at order?=id",
      "INSERT INTO v_idx6_outbox (event_type,payload,sent_at,trace_ctx) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'x')",
      "1 pending|unknown, 2 published, 3 pending",
    ),
    "SELECT id FROM v_idx6_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE x_bare_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, send_status varchar(10), created_at timestamptz NOT NULL DEFAULT now()); CREATE INDEX ON x_bare_outbox (id) WHERE send_status IS NULL",
      "id=id eventType=event_type payload=payload status=send_status createdAt=created_at order?=id",
      "INSERT INTO x_bare_outbox (event_type,payload,send_status) VALUES ('a','{}',NULL),('a','{}','SENT'),('a','{}','ERROR')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM x_bare_outbox WHERE send_status IS NULL",
  ),
];
