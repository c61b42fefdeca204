import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with words of a status, comments on them, and holds. */
export const CLAIMED_WORDS_AND_COMMENTS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE x17b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT')), last_error text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status lastError=last_error createdAt=created_at order?=id",
      "INSERT INTO x17b_outbox (event_type,payload,status,last_error) VALUES ('a','{}','PENDING',NULL),('a','{}','SENT',NULL),('a','{}','PENDING','x')",
      "1 pending, 2 published, 3 failed|pending",
    ),
    "SELECT id FROM x17b_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE x18b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0 CHECK (status IN (0,1)), deleted smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO x18b_outbox (event_type,payload,status,deleted) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',0,1)",
      "1 pending|unknown, 2 published|unknown, 3 unknown",
    ),
    "SELECT id FROM x18b_outbox WHERE status=0 AND deleted=0",
  ),
  claimed(
    stated(
      "CREATE TABLE x19b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent smallint NOT NULL DEFAULT 0, deleted smallint NOT NULL DEFAULT 0, failed smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=sent order?=id",
      "INSERT INTO x19b_outbox (event_type,payload,sent,deleted,failed) VALUES ('a','{}',0,0,0),('a','{}',1,0,0),('a','{}',0,1,0),('a','{}',0,0,1)",
      "1 pending, 2 published, 3 unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM x19b_outbox WHERE sent=0 AND deleted=0 AND failed=0",
  ),
  claimed(
    stated(
      "CREATE TABLE x20b_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent char(1) NOT NULL DEFAULT '0', del_flag char(1) NOT NULL DEFAULT '0', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=sent order?=id",
      "INSERT INTO x20b_outbox (event_type,payload,sent,del_flag) VALUES ('a','{}','0','0'),('a','{}','1','0'),('a','{}','0','1')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM x20b_outbox WHERE sent='0' AND del_flag='0'",
  ),
  claimed(
    stated(
      "CREATE TABLE v1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, publish_status text NOT NULL DEFAULT 'PENDING', process_status text NOT NULL DEFAULT 'NONE', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=publish_status order?=id",
      "INSERT INTO v1_outbox (event_type,payload,publish_status,process_status) VALUES ('a','{}','PENDING','NONE'),('a','{}','PUBLISHED','NONE'),('a','{}','FAILED','NONE')",
      "1 pending|unknown, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM v1_outbox WHERE publish_status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE v2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'unsent', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v2_outbox (event_type,payload,status) VALUES ('a','{}','unsent'),('a','{}','sent'),('a','{}','send_error'),('a','{}','max_attempts_reached'),('a','{}','sending')",
      "1 pending, 2 published, 3 failed, 4 dead, 5 in_flight",
    ),
    "SELECT id FROM v2_outbox WHERE status='unsent'",
  ),
  claimed(
    stated(
      "CREATE TABLE v3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'ToBePublished', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v3_outbox (event_type,payload,status) VALUES ('a','{}','ToBePublished'),('a','{}','Published'),('a','{}','PublishError')",
      "1 pending, 2 published, 3 failed",
    ),
    "SELECT id FROM v3_outbox WHERE status='ToBePublished'",
  ),
  claimed(
    stated(
      "CREATE TABLE v4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'Registered', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v4_outbox (event_type,payload,status) VALUES ('a','{}','Registered'),('a','{}','Published'),('a','{}','Faulted'),('a','{}','Suspended')",
      "1 pending, 2 published, 3 failed|dead, 4 unknown",
    ),
    "SELECT id FROM v4_outbox WHERE status='Registered'",
  ),
  claimed(
    stated(
      "CREATE TABLE v5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'Draft', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v5_outbox (event_type,payload,status) VALUES ('a','{}','Draft'),('a','{}','Ready'),('a','{}','Sent')",
      "1 unknown, 2 pending, 3 published",
    ),
    "SELECT id FROM v5_outbox WHERE status='Ready'",
  ),
  claimed(
    stated(
      "CREATE TABLE v6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'INITIALIZED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v6_outbox (event_type,payload,status) VALUES ('a','{}','INITIALIZED'),('a','{}','HANDED_OVER'),('a','{}','CONFIRMED'),('a','{}','REFUSED')",
      "1 pending, 2 in_flight|published|unknown, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM v6_outbox WHERE status='INITIALIZED'",
  ),
  claimed(
    stated(
      "CREATE TABLE v7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'SCHEDULED', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v7_outbox (event_type,payload,status) VALUES ('a','{}','SCHEDULED'),('a','{}','TRIGGERED'),('a','{}','COMPLETED'),('a','{}','MISFIRED')",
      "1 pending, 2 unknown|in_flight, 3 published, 4 unknown|failed",
    ),
    "SELECT id FROM v7_outbox WHERE status='SCHEDULED'",
  ),
  claimed(
    stated(
      "CREATE TABLE v8_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'P', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v8_outbox (event_type,payload,status) VALUES ('a','{}','P'),('a','{}','PUBLISHED'),('a','{}','E')",
      "1 pending|unknown, 2 published, 3 failed|unknown",
    ),
    "SELECT id FROM v8_outbox WHERE status='P'",
  ),
  claimed(
    stated(
      "CREATE TABLE v9_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v9_outbox (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','PROCESSED'),('a','{}','UNDELIVERED'),('a','{}','REQUEUED'),('a','{}','REPLAYED')",
      "1 pending, 2 published, 3 unknown|pending|failed, 4 pending|failed|unknown, 5 unknown|published|pending",
    ),
    "SELECT id FROM v9_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE v10_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v10_outbox (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','SENT'),('a','{}','ACKED'),('a','{}','NACKED'),('a','{}','TIMEOUT')",
      "1 pending, 2 in_flight|published|unknown, 3 published, 4 failed, 5 failed|unknown",
    ),
    "SELECT id FROM v10_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE v11_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'OPEN', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v11_outbox (event_type,payload,status) VALUES ('a','{}','OPEN'),('a','{}','CLOSED')",
      "1 pending, 2 published|unknown",
    ),
    "SELECT id FROM v11_outbox WHERE status='OPEN'",
  ),
  claimed(
    stated(
      "CREATE TABLE v12_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'EMPTY', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v12_outbox (event_type,payload,status) VALUES ('a','{}','EMPTY'),('a','{}','SUCCESS'),('a','{}','FAILURE')",
      "1 pending|unknown, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM v12_outbox WHERE status='EMPTY'",
  ),
  claimed(
    stated(
      "CREATE TABLE v13_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, processed text NOT NULL DEFAULT 'NO', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=processed order?=id",
      "INSERT INTO v13_outbox (event_type,payload,processed) VALUES ('a','{}','NO'),('a','{}','YES'),('a','{}','ERROR')",
      "1 pending, 2 published, 3 failed|unknown",
    ),
    "SELECT id FROM v13_outbox WHERE processed='NO'",
  ),
  claimed(
    stated(
      "CREATE TABLE v14_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent text NOT NULL DEFAULT 'pending', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at status=sent order?=id",
      "INSERT INTO v14_outbox (event_type,payload,sent) VALUES ('a','{}','pending'),('a','{}','ok'),('a','{}','ko')",
      "1 pending, 2 published|unknown, 3 failed|unknown",
    ),
    "SELECT id FROM v14_outbox WHERE sent='pending'",
  ),
  claimed(
    stated(
      "CREATE TABLE v15_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v15_outbox (event_type,payload,status) VALUES ('a','{}','PENDING'),('a','{}','SENT_TO_KAFKA'),('a','{}','PUBLISH_TIMEOUT'),('a','{}','IN_DLQ'),('a','{}','WAITING_RETRY')",
      "1 pending, 2 published, 3 failed|unknown, 4 dead, 5 failed|pending|unknown",
    ),
    "SELECT id FROM v15_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE v16_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'ENTWURF', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v16_outbox (event_type,payload,status) VALUES ('a','{}','ENTWURF'),('a','{}','FREIGEGEBEN'),('a','{}','VERSENDET'),('a','{}','FEHLER')",
      "1 unknown, 2 pending|unknown, 3 published, 4 failed|dead",
    ),
    "SELECT id FROM v16_outbox WHERE status='FREIGEGEBEN'",
  ),
  claimed(
    stated(
      "CREATE TABLE v17_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, estado varchar(1) NOT NULL DEFAULT 'P', created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN v17_outbox.estado IS 'P: Pendiente, E: Enviado, X: Error'",
      "id=id eventType=event_type payload=payload status=estado createdAt=created_at order?=id",
      "INSERT INTO v17_outbox (event_type,payload,estado) VALUES ('a','{}','P'),('a','{}','E'),('a','{}','X')",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM v17_outbox WHERE estado='P'",
  ),
  claimed(
    stated(
      "CREATE TABLE v18_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN v18_outbox.status IS '1 - Awaiting, 2 - Sending, 3 - Delivered, 4 - Abandoned'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v18_outbox (event_type,payload,status) VALUES ('a','{}',1),('a','{}',2),('a','{}',3),('a','{}',4)",
      "1 pending, 2 in_flight, 3 published, 4 dead",
    ),
    "SELECT id FROM v18_outbox WHERE status=1",
  ),
  claimed(
    stated(
      "CREATE TABLE v19_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN v19_outbox.status IS 'bit 0 sent, bit 1 failed'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v19_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2),('a','{}',3)",
      "1 unknown|pending, 2 published|unknown, 3 failed|unknown, 4 unknown",
    ),
    "SELECT id FROM v19_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE v20_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now()); COMMENT ON COLUMN v20_outbox.status IS 'Durum: 0 bekliyor, 1 gonderildi, 2 hata'",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO v20_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1),('a','{}',2)",
      "1 pending, 2 published, 3 failed|dead",
    ),
    "SELECT id FROM v20_outbox WHERE status=0",
  ),
  claimed(
    stated(
      "CREATE TABLE u1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, picked_by text, picked_until timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lockedUntil=picked_until lockedBy=picked_by order?=id",
      "INSERT INTO u1_outbox (event_type,payload,sent_at,picked_by,picked_until) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'w',now()+interval '1 h')",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM u1_outbox WHERE sent_at IS NULL AND (picked_until IS NULL OR picked_until<{now})",
  ),
  claimed(
    stated(
      "CREATE TABLE u2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, processing_by uuid, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at lockedBy=processing_by order?=id",
      "INSERT INTO u2_outbox (event_type,payload,sent_at,processing_by) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'00000000-0000-4000-8000-000000000001')",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM u2_outbox WHERE sent_at IS NULL AND processing_by IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE u3_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', heartbeat_at timestamptz, worker text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at lockedBy=worker order?=id",
      "INSERT INTO u3_outbox (event_type,payload,status,heartbeat_at,worker) VALUES ('a','{}','PENDING',NULL,NULL),('a','{}','SENT',NULL,'w'),('a','{}','PROCESSING',now(),'w'),('a','{}','PROCESSING',now()-interval '1 d','w')",
      "1 pending, 2 published, 3 in_flight, 4 in_flight|pending|failed",
    ),
    "SELECT id FROM u3_outbox WHERE status='PENDING'",
  ),
  claimed(
    stated(
      "CREATE TABLE u4_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, lock_version int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO u4_outbox (event_type,payload,sent_at,lock_version) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',NULL,3)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM u4_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE u5_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, reserved boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO u5_outbox (event_type,payload,sent_at,reserved) VALUES ('a','{}',NULL,false),('a','{}',now(),true),('a','{}',NULL,true)",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM u5_outbox WHERE sent_at IS NULL AND NOT reserved",
  ),
  claimed(
    stated(
      "CREATE TABLE u6_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, consumer_id bigint, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO u6_outbox (event_type,payload,sent_at,consumer_id) VALUES ('a','{}',NULL,NULL),('a','{}',now(),5),('a','{}',NULL,5)",
      "1 pending, 2 published, 3 in_flight|unknown|pending",
    ),
    "SELECT id FROM u6_outbox WHERE sent_at IS NULL AND consumer_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE u7_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, lease_seconds int NOT NULL DEFAULT 30, leased_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO u7_outbox (event_type,payload,sent_at,leased_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),now()),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM u7_outbox WHERE sent_at IS NULL AND leased_at IS NULL",
  ),
];
