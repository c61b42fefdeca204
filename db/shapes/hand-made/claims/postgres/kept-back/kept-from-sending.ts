import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

const EVENT =
  "id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()";
const ROLES = "id=id order?=id eventType=event_type payload=payload createdAt=created_at";
const OVER = "unknown|dead|expired|failed";

const MARKS = {
  time: { ddl: "published_at timestamptz", name: "published_at", open: "NULL", sent: "now()", takes: "IS NULL" },
  flag: { ddl: "sent boolean NOT NULL DEFAULT false", name: "sent", open: "false", sent: "true", takes: "IS FALSE" },
  status: {
    ddl: "status text NOT NULL DEFAULT 'NEW'",
    name: "status",
    open: "'NEW'",
    sent: "'SENT'",
    takes: "= 'NEW'",
  },
} as const;

/** Beside the mark a column that keeps the third row from being sent. */
interface Kept {
  mark: keyof typeof MARKS;
  column: string;
  type: string;
  /** In a row that is sent, and in one that is not. */
  free: string;
  kept: string;
  takes: string;
  roles?: string;
  state?: string;
}

function beside({ mark, column, type, free, kept, takes, roles = "", state = OVER }: Kept): ClaimedTable {
  const { ddl, name, open, sent, takes: waits } = MARKS[mark];
  const table = `${mark}_${column}_outbox`;
  const role = mark === "status" ? "status" : "publishedAt";
  return claimed(
    stated(
      `CREATE TABLE ${table} (${EVENT}, ${ddl}, ${column} ${type})`,
      `${ROLES} ${role}=${name}${roles === "" ? "" : ` ${roles}`}`,
      `INSERT INTO ${table} (event_type,payload,${name},${column}) VALUES ('a','{}',${open},${free}),('a','{}',${sent},${free}),('a','{}',${open},${kept})`,
      `1 pending, 2 published, 3 ${state}`,
    ),
    `SELECT id FROM ${table} WHERE ${name} ${waits} AND ${takes}`,
  );
}

const marks = Object.keys(MARKS) as (keyof typeof MARKS)[];

/** A text that says why. */
const withReason = (column: string) =>
  marks.map((mark) => beside({ mark, column, type: "text", free: "NULL", kept: "'x'", takes: `${column} IS NULL` }));
/** A time after which nobody sends it. */
const withEnd = (column: string) =>
  marks.map((mark) =>
    beside({
      ...{ mark, column, type: "timestamptz NOT NULL DEFAULT now() + interval '1 day'" },
      ...{ free: "now() + interval '1 day'", kept: "now() - interval '1 hour'", takes: `${column} > {now}` },
      roles: `expiresAt?=${column}`,
    }),
  );
const withFlag = (column: string) =>
  marks.map((mark) =>
    beside({
      mark,
      column,
      type: "boolean NOT NULL DEFAULT false",
      free: "false",
      kept: "true",
      takes: `NOT ${column}`,
    }),
  );
/** A time at which somebody held it or closed it. */
const withTime = (mark: keyof typeof MARKS, column: string) =>
  beside({ mark, column, type: "timestamptz", free: "NULL", kept: "now()", takes: `${column} IS NULL` });

/** Outboxes in which a reason, an end, a flag or a time keeps a row from being sent that its mark calls waiting. */
export const CLAIMED_KEPT_FROM_SENDING: readonly ClaimedTable[] = [
  ...["block_reason", "reject_reason", "sperrgrund", "motivo_descarte", "motif_rejet", "unsent_reason"].flatMap(
    withReason,
  ),
  ...["not_after", "discard_after", "send_before", "give_up_after"].flatMap(withEnd),
  ...["is_dry_run", "review_required"].flatMap(withFlag),
  withTime("time", "held_at"),
  withTime("flag", "gesperrt_am"),
  withTime("status", "held_at"),
  withTime("status", "closed_at"),
  withTime("status", "excluded_at"),
  withTime("status", "cancel_requested_at"),
  // With a publisher's name it is the publisher's.
  claimed(
    stated(
      `CREATE TABLE held_outbox (${EVENT}, published_at timestamptz, held_at timestamptz, held_by text)`,
      `${ROLES} publishedAt=published_at lockedBy=held_by`,
      "INSERT INTO held_outbox (event_type,payload,published_at,held_at,held_by) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',NULL,now(),'w1')",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT id FROM held_outbox WHERE published_at IS NULL AND (held_at IS NULL OR held_at < {now} - interval '1 hour')",
  ),
  // A day has passed, and it had a minute.
  claimed(
    stated(
      `CREATE TABLE ttl_outbox (${EVENT}, ttl_seconds int, sent_at timestamptz)`,
      `${ROLES} publishedAt=sent_at`,
      "INSERT INTO ttl_outbox (event_type,payload,created_at,ttl_seconds,sent_at) VALUES ('a','{}',now(),NULL,NULL),('a','{}',now(),60,now()),('a','{}',now()-interval '1 day',60,NULL)",
      "1 pending, 2 published, 3 expired|unknown|dead",
    ),
    "SELECT id FROM ttl_outbox WHERE sent_at IS NULL AND (ttl_seconds IS NULL OR created_at + ttl_seconds * interval '1 second' > {now})",
  ),
  // The reason of the change, and none of the message.
  beside({
    ...{ mark: "time", column: "change_reason", type: "text", free: "NULL", kept: "'x'", takes: "true" },
    state: "pending",
  }),
];
