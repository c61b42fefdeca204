import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

const BASE =
  "id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()";
const ROLES = "id=id eventType=event_type payload=payload createdAt=created_at order?=id";

/** Outboxes with a time that has more beside it: a flag and a success, a result, a draft, the state of a handler. */
export const CLAIMED_BESIDE_A_TIME: readonly ClaimedTable[] = [
  claimed(
    stated(
      `CREATE TABLE ended_outbox (${BASE}, done boolean NOT NULL DEFAULT false, done_at timestamptz, done_ok boolean, err text)`,
      `${ROLES} publishedAt?=done_at lastError=err`,
      "INSERT INTO ended_outbox (event_type,payload,done,done_at,done_ok,err) VALUES ('a','{}',false,NULL,NULL,NULL),('a','{}',true,now(),true,NULL),('a','{}',true,now(),false,'x')",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM ended_outbox WHERE NOT done",
  ),
  claimed(
    stated(
      `CREATE TABLE turned_outbox (${BASE}, needs_sync boolean NOT NULL DEFAULT true, synced_at timestamptz, succeeded boolean)`,
      `${ROLES} publishedAt?=synced_at`,
      "INSERT INTO turned_outbox (event_type,payload,needs_sync,synced_at,succeeded) VALUES ('a','{}',true,NULL,NULL),('a','{}',false,now(),true),('a','{}',false,now(),false)",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM turned_outbox WHERE needs_sync",
  ),
  claimed(
    stated(
      `CREATE TABLE result_outbox (${BASE}, processed_at timestamptz, result text)`,
      `${ROLES} publishedAt=processed_at`,
      "INSERT INTO result_outbox (event_type,payload,processed_at,result) VALUES ('a','{}',NULL,NULL),('a','{}',now(),'OK'),('a','{}',now(),'ERROR: timeout'),('a','{}',NULL,'ERROR: timeout')",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown, 4 failed|unknown",
    ),
    "SELECT id FROM result_outbox WHERE processed_at IS NULL",
  ),
  claimed(
    stated(
      `CREATE TABLE staged_outbox (${BASE}, lifecycle_phase text NOT NULL DEFAULT 'STAGED' CHECK (lifecycle_phase IN ('STAGED','COMMITTED','RELAYED','ROLLED_BACK')), relayed_at timestamptz)`,
      `${ROLES} status?=lifecycle_phase publishedAt=relayed_at`,
      "INSERT INTO staged_outbox (event_type,payload,lifecycle_phase,relayed_at) VALUES ('a','{}','STAGED',NULL),('a','{}','COMMITTED',NULL),('a','{}','RELAYED',now()),('a','{}','ROLLED_BACK',NULL)",
      "1 unknown, 2 pending|unknown, 3 published, 4 unknown|expired",
    ),
    "SELECT id FROM staged_outbox WHERE lifecycle_phase = 'COMMITTED'",
  ),
  claimed(
    stated(
      `CREATE TABLE handler_outbox (${BASE}, handler_state text NOT NULL DEFAULT 'todo', handler_node text, handled_at timestamptz)`,
      `${ROLES} publishedAt=handled_at lockedBy?=handler_node`,
      "INSERT INTO handler_outbox (event_type,payload,handler_state,handler_node,handled_at) VALUES ('a','{}','todo',NULL,NULL),('a','{}','doing','n1',NULL),('a','{}','done',NULL,now()),('a','{}','oops',NULL,NULL)",
      "1 pending, 2 in_flight|unknown, 3 published, 4 unknown|failed",
    ),
    "SELECT id FROM handler_outbox WHERE handler_state = 'todo'",
  ),
];
