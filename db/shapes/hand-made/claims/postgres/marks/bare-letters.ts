import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Letters without a default, of which nothing shows what they are. */
export const CLAIMED_BARE_LETTERS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE q_cxl2_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts timestamptz, cancelled char(1), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_ts order?=id",
      "INSERT INTO q_cxl2_outbox (event_type,payload,sent_ts,cancelled) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'Y'),('a','{}',NULL,'N')",
      "1 pending, 2 published, 3 unknown, 4 pending",
    ),
    "SELECT id FROM q_cxl2_outbox WHERE sent_ts IS NULL AND coalesce(cancelled,'N')='N'",
  ),
  claimed(
    stated(
      "CREATE TABLE q_shadow_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts timestamptz, shadow char(1), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_ts order?=id",
      "INSERT INTO q_shadow_outbox (event_type,payload,sent_ts,shadow) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'X')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q_shadow_outbox WHERE sent_ts IS NULL AND shadow IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q_stcxl_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW','SENT')), voided char(1), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload status=status createdAt=created_at order?=id",
      "INSERT INTO q_stcxl_outbox (event_type,payload,status,voided) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',NULL),('a','{}','NEW','Y')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM q_stcxl_outbox WHERE status='NEW' AND voided IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q_dead_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, dead varchar(1), failed varchar(1), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent order?=id",
      "INSERT INTO q_dead_outbox (event_type,payload,sent,dead,failed) VALUES ('a','{}',false,NULL,NULL),('a','{}',true,NULL,NULL),('a','{}',false,'X',NULL),('a','{}',false,NULL,'X')",
      "1 pending, 2 published, 3 dead|unknown, 4 failed|unknown",
    ),
    "SELECT id FROM q_dead_outbox WHERE NOT sent AND dead IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE q_op_outbox (id bigserial PRIMARY KEY, entity text NOT NULL, entity_id text NOT NULL, op char(1), payload jsonb NOT NULL, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id payload=payload createdAt=created_at publishedAt=sent_at aggregateId=entity_id aggregateType=entity eventType=op order?=id",
      "INSERT INTO q_op_outbox (entity,entity_id,op,payload,sent_at) VALUES ('a','1','I','{}',NULL),('a','1','U','{}',now())",
      "1 pending, 2 published",
    ),
    "SELECT id FROM q_op_outbox WHERE sent_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE z_cxl_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ts timestamptz, cxl_flg char(1), cxl_rsn varchar(100), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_ts order?=id",
      "INSERT INTO z_cxl_outbox (event_type,payload,sent_ts,cxl_flg,cxl_rsn) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,'Y','dup')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM z_cxl_outbox WHERE sent_ts IS NULL AND cxl_flg IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE z_undo_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, undone_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO z_undo_outbox (event_type,payload,sent_at,undone_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM z_undo_outbox WHERE sent_at IS NULL AND undone_at IS NULL",
  ),
];
