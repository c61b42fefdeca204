import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Rows that a decision, a code, a place or a deadline keeps from being sent. */
export const CLAIMED_DECISIONS_AND_CODES: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent boolean NOT NULL DEFAULT false, stop_flag smallint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt?=stop_flag availableAt?=stop_flag lockedBy?=stop_flag",
      "INSERT INTO outbox_messages (id,event_type,payload,sent) VALUES ('$1','a','{}',false),('$2','a','{}',true); INSERT INTO outbox_messages (id,event_type,payload,sent,stop_flag) VALUES ('$3','a','{}',false,1)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND stop_flag=0",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), frozen_flg smallint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=frozen_flg availableAt?=frozen_flg lockedBy?=frozen_flg",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,frozen_flg) VALUES ('$3','a','{}','NEW',1)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND frozen_flg=0",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, discard_code int)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at expiresAt?=discard_code availableAt?=discard_code lockedBy?=discard_code",
      "INSERT INTO outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now()); INSERT INTO outbox (id,event_type,payload,published_at,discard_code) VALUES ('$3','a','{}',NULL,3)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND discard_code IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent boolean NOT NULL DEFAULT false, review_state text NOT NULL DEFAULT 'none')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt?=review_state availableAt?=review_state lockedBy?=review_state",
      "INSERT INTO outbox_messages (id,event_type,payload,sent) VALUES ('$1','a','{}',false),('$2','a','{}',true); INSERT INTO outbox_messages (id,event_type,payload,sent,review_state) VALUES ('$3','a','{}',false,'needed')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND review_state='none'",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), deadline timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=deadline availableAt?=deadline lockedBy?=deadline",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,deadline) VALUES ('$3','a','{}','NEW',now()-interval '1 h')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND (deadline IS NULL OR deadline > now())",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent boolean NOT NULL DEFAULT false, is_test boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt?=is_test availableAt?=is_test lockedBy?=is_test",
      "INSERT INTO outbox_messages (id,event_type,payload,sent) VALUES ('$1','a','{}',false),('$2','a','{}',true); INSERT INTO outbox_messages (id,event_type,payload,sent,is_test) VALUES ('$3','a','{}',false,true)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND NOT is_test",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), synthetic boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=synthetic availableAt?=synthetic lockedBy?=synthetic",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,synthetic) VALUES ('$3','a','{}','NEW',true)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND NOT synthetic",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, dead_letter_id uuid)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at expiresAt?=dead_letter_id availableAt?=dead_letter_id lockedBy?=dead_letter_id",
      "INSERT INTO outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now()); INSERT INTO outbox (id,event_type,payload,published_at,dead_letter_id) VALUES ('$3','a','{}',NULL,gen_random_uuid())",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND dead_letter_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), disposition text)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=disposition availableAt?=disposition lockedBy?=disposition",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,disposition) VALUES ('$3','a','{}','NEW','discarded')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND disposition IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, resolution text)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at expiresAt?=resolution availableAt?=resolution lockedBy?=resolution",
      "INSERT INTO outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now()); INSERT INTO outbox (id,event_type,payload,published_at,resolution) VALUES ('$3','a','{}',NULL,'ignored')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND resolution IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent boolean NOT NULL DEFAULT false, lifecycle text NOT NULL DEFAULT 'live')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt?=lifecycle availableAt?=lifecycle lockedBy?=lifecycle",
      "INSERT INTO outbox_messages (id,event_type,payload,sent) VALUES ('$1','a','{}',false),('$2','a','{}',true); INSERT INTO outbox_messages (id,event_type,payload,sent,lifecycle) VALUES ('$3','a','{}',false,'retired')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND lifecycle='live'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, hidden boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at expiresAt?=hidden availableAt?=hidden lockedBy?=hidden",
      "INSERT INTO outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now()); INSERT INTO outbox (id,event_type,payload,published_at,hidden) VALUES ('$3','a','{}',NULL,true)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND NOT hidden",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent boolean NOT NULL DEFAULT false, batch_id uuid)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt?=batch_id availableAt?=batch_id lockedBy?=batch_id",
      "INSERT INTO outbox_messages (id,event_type,payload,sent) VALUES ('$1','a','{}',false),('$2','a','{}',true); INSERT INTO outbox_messages (id,event_type,payload,sent,batch_id) VALUES ('$3','a','{}',false,gen_random_uuid())",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND batch_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), mode text NOT NULL DEFAULT 'live')",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=mode availableAt?=mode lockedBy?=mode",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,mode) VALUES ('$3','a','{}','NEW','dry')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND mode='live'",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, environment text NOT NULL DEFAULT 'prod')",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at expiresAt?=environment availableAt?=environment lockedBy?=environment",
      "INSERT INTO outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now()); INSERT INTO outbox (id,event_type,payload,published_at,environment) VALUES ('$3','a','{}',NULL,'test')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND environment='prod'",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), decision text)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=decision availableAt?=decision lockedBy?=decision",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,decision) VALUES ('$3','a','{}','NEW','drop')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND decision IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, verdict varchar(10))",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at expiresAt?=verdict availableAt?=verdict lockedBy?=verdict",
      "INSERT INTO outbox (id,event_type,payload,published_at) VALUES ('$1','a','{}',NULL),('$2','a','{}',now()); INSERT INTO outbox (id,event_type,payload,published_at,verdict) VALUES ('$3','a','{}',NULL,'skip')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox WHERE published_at IS NULL AND verdict IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), exclude_code smallint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=exclude_code availableAt?=exclude_code lockedBy?=exclude_code",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,exclude_code) VALUES ('$3','a','{}','NEW',4)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND exclude_code=0",
  ),
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent boolean NOT NULL DEFAULT false, cancel_id bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent expiresAt?=cancel_id availableAt?=cancel_id lockedBy?=cancel_id",
      "INSERT INTO outbox_messages (id,event_type,payload,sent) VALUES ('$1','a','{}',false),('$2','a','{}',true); INSERT INTO outbox_messages (id,event_type,payload,sent,cancel_id) VALUES ('$3','a','{}',false,5)",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM outbox_messages WHERE NOT sent AND cancel_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), quarantine_id uuid)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=quarantine_id availableAt?=quarantine_id lockedBy?=quarantine_id",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,quarantine_id) VALUES ('$3','a','{}','NEW',gen_random_uuid())",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND quarantine_id IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), valid_to timestamptz NOT NULL DEFAULT '9999-12-31')",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=valid_to availableAt?=valid_to lockedBy?=valid_to",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,valid_to) VALUES ('$3','a','{}','NEW',now()-interval '1 h')",
      "$1 pending, $2 published, $3 unknown|failed|dead|expired",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND valid_to > now()",
  ),
  claimed(
    stated(
      "CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT','FAILED')), requires_ack boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at status=status expiresAt?=requires_ack availableAt?=requires_ack lockedBy?=requires_ack",
      "INSERT INTO event_outbox (id,event_type,payload,status) VALUES ('$1','a','{}','NEW'),('$2','a','{}','SENT'); INSERT INTO event_outbox (id,event_type,payload,status,requires_ack) VALUES ('$3','a','{}','NEW',true)",
      "$1 pending, $2 published, $3 pending",
    ),
    "SELECT id FROM event_outbox WHERE status = 'NEW' AND true",
  ),
];
