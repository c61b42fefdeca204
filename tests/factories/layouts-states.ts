import { randomUUID } from "node:crypto";
import type pg from "pg";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import {
  EVENTS_OUTBOX,
  OUTBOX_EVENTS,
  OUTBOX_EVENTS_WITH_ATTEMPTS,
  OUTBOX_PARTITIONED,
  OUTBOX_STATUS_TEXT,
  OUTBOX_WITH_ARCHIVE,
} from "./layouts.ts";

/** States that a layout's table can represent without the store side. */
type NativeState = Extract<MessageState, "pending" | "failed" | "dead" | "published" | "unknown">;

/** A tutorial's table, and how to insert a message in a given state. */
export interface Layout {
  name: string;
  ddl: string;
  table: string;
  /** Settings of its outbox: a number of attempts means dead only where one is configured. */
  settings?: { deadAttempts: number };
  /** States that the table represents in its own columns. */
  tells: readonly NativeState[];
  /** Inserts one message and returns its encoded id. */
  insert(pool: pg.Pool, state: NativeState, aggregate?: string): Promise<string>;
}

const CREATED = "2026-03-01T10:00:00.123456Z";
const TEXT_CREATED = "20260301100000";

async function insertEvent(pool: pg.Pool, aggregate: string, more: Record<string, unknown>): Promise<string> {
  return insertRow(pool, "outbox_events", {
    id: randomUUID(),
    aggregate_id: aggregate,
    event_type: "order.placed",
    payload: '{"total": 1.10}',
    occurred_at: CREATED,
    ...more,
  });
}

/** Inserts and returns the encoded id, from the first column. */
async function insertRow(pool: pg.Pool, table: string, row: Record<string, unknown>): Promise<string> {
  const names = Object.keys(row);
  const columns = names.map((name) => `"${name}"`).join(", ");
  const result = await pool.query<Record<string, string>>(
    `INSERT INTO ${table} (${columns}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")}) RETURNING "${names[0]}"::text AS id`,
    Object.values(row),
  );
  return encodeMessageId([result.rows[0]?.id ?? ""]);
}

export const LAYOUTS: readonly Layout[] = [
  {
    name: "(a)",
    ddl: OUTBOX_EVENTS,
    table: "public.outbox_events",
    tells: ["pending", "published"],
    insert: (pool, state, aggregate = "order-1") =>
      insertEvent(pool, aggregate, state === "published" ? { dispatched_at: CREATED } : {}),
  },
  {
    name: "(a) with attempts",
    settings: { deadAttempts: 10 },
    ddl: OUTBOX_EVENTS_WITH_ATTEMPTS,
    table: "public.outbox_events",
    tells: ["pending", "failed", "dead", "published"],
    insert: (pool, state, aggregate = "order-1") =>
      insertEvent(
        pool,
        aggregate,
        {
          pending: {},
          failed: { attempts: 9, last_error: "HTTP 500" },
          dead: { attempts: 10, last_error: "HTTP 500" },
          // A message published after many attempts is published, not dead.
          published: { attempts: 12, dispatched_at: CREATED },
          unknown: {},
        }[state],
      ),
  },
  {
    name: "(b)",
    ddl: EVENTS_OUTBOX,
    table: "public.events_outbox",
    tells: ["pending", "published"],
    insert: async (pool, state, aggregate = "00000000-0000-4000-8000-000000000001") => {
      const result = await pool.query<{ id: string }>(
        "INSERT INTO events_outbox (aggregate_id, type, payload, created_at, dispatched_at) VALUES ($1, 'order.placed', '{}', $2, $3) RETURNING id::text",
        [aggregate, CREATED, state === "published" ? CREATED : null],
      );
      return result.rows[0]?.id ?? "";
    },
  },
  {
    name: "(c)",
    ddl: OUTBOX_WITH_ARCHIVE,
    table: "public.outbox",
    tells: ["pending", "published"],
    insert: (pool, state, aggregate = "1") =>
      insertRow(pool, "outbox", {
        id: randomUUID(),
        aggregate_type: "order",
        aggregate_id: aggregate,
        event_type: "order.placed",
        payload: '{"n": 9007199254740993, "x": 1.10}',
        created_at: "2026-03-01 10:00:00.123456",
        published_at: state === "published" ? "2026-03-01 10:00:01" : null,
      }),
  },
  {
    name: "(d)",
    ddl: OUTBOX_PARTITIONED,
    table: "public.outbox",
    tells: ["pending", "published"],
    insert: async (pool, state, aggregate = "1") => {
      const id = randomUUID();
      await pool.query(
        "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, created_at, published_at) VALUES ($1, 'order', $2, 'order.placed', '{}', $3, $4)",
        [id, aggregate, CREATED, state === "published" ? CREATED : null],
      );
      return encodeMessageId([id, CREATED]);
    },
  },
  {
    name: "(e)",
    settings: { deadAttempts: 10 },
    ddl: OUTBOX_STATUS_TEXT,
    table: "public.outbox",
    tells: ["pending", "failed", "dead", "published", "unknown"],
    insert: (pool, state, aggregate = "1") =>
      insertRow(pool, "outbox", {
        outbox_id: randomUUID(),
        event_type: "order.placed",
        aggregate_id: aggregate,
        aggregate_type: "order",
        payload: '{"a":1}',
        user: "zoë",
        created_at: TEXT_CREATED,
        published_at: state === "published" ? "20260301100001" : null,
        ...{
          pending: {},
          failed: { status: "FAILED", retry_count: 9, error_message: "HTTP 500" },
          dead: { status: "FAILED", retry_count: 10, error_message: "HTTP 500" },
          published: { status: "PUBLISHED", retry_count: 3 },
          unknown: { status: "ODD" },
        }[state],
      }),
  },
];
