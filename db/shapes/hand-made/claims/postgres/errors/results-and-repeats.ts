import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

const EVENT =
  "id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()";
const ROLES = "id=id order?=id eventType=event_type payload=payload createdAt=created_at";

interface Team {
  name: string;
  /** Definitions of its own columns, and their names. */
  columns: string;
  names: string;
  roles: string;
  /** Values of these columns, by row. */
  rows: readonly string[];
  states: string;
  takes: string;
}

function team({ name, columns, names, roles, rows, states, takes }: Team): ClaimedTable {
  const values = rows.map((row) => `('a','{}',${row})`).join(",");
  return claimed(
    stated(
      `CREATE TABLE ${name} (${EVENT}, ${columns})`,
      `${ROLES} ${roles}`,
      `INSERT INTO ${name} (event_type,payload,${names}) VALUES ${values}`,
      states,
    ),
    `SELECT id FROM ${name} WHERE ${takes}`,
  );
}

/** Flags that say how an attempt ended, and what asks for one more although the row was published. */
export const CLAIMED_RESULTS_AND_REPEATS: readonly ClaimedTable[] = [
  // A new row has no success, as nobody has tried yet.
  team({
    name: "audit_outbox",
    columns: "processed_at timestamptz, succeeded boolean NOT NULL DEFAULT false, error text",
    names: "processed_at,succeeded,error",
    roles: "publishedAt=processed_at lastError=error",
    rows: ["NULL,false,NULL", "now(),true,NULL", "now(),false,'x'"],
    states: "1 pending, 2 published, 3 dead|failed",
    takes: "processed_at IS NULL",
  }),
  team({
    name: "billing_outbox",
    columns: "sent_at timestamptz, was_successful boolean NOT NULL, attempts int NOT NULL DEFAULT 0",
    names: "sent_at,was_successful,attempts",
    roles: "publishedAt=sent_at attempts=attempts",
    rows: ["NULL,false,0", "now(),true,1", "now(),false,3", "NULL,false,2"],
    states: "1 pending, 2 published, 3 dead|failed|unknown, 4 failed",
    takes: "sent_at IS NULL",
  }),
  team({
    name: "crm_outbox",
    columns: "processed boolean NOT NULL DEFAULT false, ok boolean NOT NULL DEFAULT false",
    names: "processed,ok",
    roles: "publishedAt=processed",
    rows: ["false,false", "true,true", "true,false"],
    states: "1 pending, 2 published, 3 dead|failed|unknown",
    takes: "NOT processed",
  }),
  // Done says that it was tried.
  team({
    name: "erp_outbox",
    columns: "status text NOT NULL DEFAULT 'NEW', success boolean NOT NULL DEFAULT false",
    names: "status,success",
    roles: "status=status",
    rows: ["'NEW',false", "'DONE',true", "'DONE',false"],
    states: "1 pending, 2 published, 3 dead|failed|unknown",
    takes: "status = 'NEW'",
  }),
  // Sent once, and to be sent again.
  team({
    name: "invoice_outbox",
    columns: "sent_at timestamptz, resend boolean NOT NULL DEFAULT false",
    names: "sent_at,resend",
    roles: "publishedAt=sent_at",
    rows: ["NULL,false", "now(),false", "now(),true"],
    states: "1 pending, 2 published, 3 pending|unknown",
    takes: "sent_at IS NULL OR resend",
  }),
  team({
    name: "stock_outbox",
    columns: "sent_at timestamptz, resend_requested_at timestamptz",
    names: "sent_at,resend_requested_at",
    roles: "publishedAt=sent_at",
    rows: ["NULL,NULL", "now(),NULL", "now()-interval '1 hour',now()", "now(),now()-interval '1 hour'"],
    states: "1 pending, 2 published, 3 pending|unknown, 4 published",
    takes: "sent_at IS NULL OR resend_requested_at > sent_at",
  }),
  team({
    name: "price_outbox",
    columns: "processed boolean NOT NULL DEFAULT false, reprocess char(1) NOT NULL DEFAULT 'N'",
    names: "processed,reprocess",
    roles: "publishedAt=processed",
    rows: ["false,'N'", "true,'N'", "true,'Y'"],
    states: "1 pending, 2 published, 3 pending|unknown",
    takes: "NOT processed OR reprocess = 'Y'",
  }),
  team({
    name: "search_outbox",
    columns: "status text NOT NULL DEFAULT 'NEW', replay_requested boolean NOT NULL DEFAULT false",
    names: "status,replay_requested",
    roles: "status=status",
    rows: ["'NEW',false", "'SENT',false", "'SENT',true"],
    states: "1 pending, 2 published, 3 pending|unknown",
    takes: "status = 'NEW' OR replay_requested",
  }),
  team({
    name: "pedido_outbox",
    columns: "publicado_en timestamptz, reenviar boolean NOT NULL DEFAULT false",
    names: "publicado_en,reenviar",
    roles: "publishedAt=publicado_en",
    rows: ["NULL,false", "now(),false", "now(),true"],
    states: "1 pending, 2 published, 3 pending|unknown",
    takes: "publicado_en IS NULL OR reenviar",
  }),
  // The row is a repeat itself.
  team({
    name: "history_outbox",
    columns: "published_at timestamptz, is_replay boolean NOT NULL DEFAULT false",
    names: "published_at,is_replay",
    roles: "publishedAt=published_at",
    rows: ["NULL,false", "now(),true", "NULL,true"],
    states: "1 pending, 2 published, 3 pending",
    takes: "published_at IS NULL",
  }),
  // The order's status, with the words that a message could have.
  team({
    name: "order_outbox",
    columns: "status text NOT NULL, sent_at timestamptz",
    names: "status,sent_at",
    roles: "publishedAt=sent_at status?=status",
    rows: ["'NEW',NULL", "'SENT',NULL", "'FAILED',now()", "'PAID',now()"],
    states: "1 pending, 2 pending|unknown, 3 published|unknown, 4 published|unknown",
    takes: "sent_at IS NULL",
  }),
  {
    ...team({
      name: "parcel_outbox",
      columns: "status_id int NOT NULL REFERENCES parcel_statuses, published_at timestamptz",
      names: "status_id,published_at",
      roles: "publishedAt=published_at status?=status_id",
      rows: ["1,NULL", "2,NULL", "2,now()"],
      states: "1 pending|unknown, 2 pending|unknown, 3 published|unknown",
      takes: "published_at IS NULL",
    }),
    ddl: `CREATE TABLE parcel_statuses (id int PRIMARY KEY, name text NOT NULL); INSERT INTO parcel_statuses VALUES (1,'new'),(2,'delivered'); CREATE TABLE parcel_outbox (${EVENT}, status_id int NOT NULL REFERENCES parcel_statuses, published_at timestamptz)`,
  },
  // The codes are of messages.
  {
    ...team({
      name: "relay_outbox",
      columns: "state_id int NOT NULL, published_at timestamptz",
      names: "state_id,published_at",
      roles: "status=state_id publishedAt=published_at",
      rows: ["1,NULL", "2,now()", "3,NULL"],
      states: "1 pending, 2 published, 3 dead",
      takes: "state_id = 1",
    }),
    ddl: `CREATE TABLE outbox_states (id int PRIMARY KEY, name text NOT NULL); INSERT INTO outbox_states VALUES (1,'ready'),(2,'sent'),(3,'dead'); CREATE TABLE relay_outbox (${EVENT}, state_id int NOT NULL REFERENCES outbox_states, published_at timestamptz)`,
  },
];
