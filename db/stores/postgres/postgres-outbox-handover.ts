import type { Pool } from "pg";
import type { HandoverProblem, LogNames, OutboxHandover, ReaderState, WaitingCounts } from "../port/handover.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { markSent } from "./handover/mark-sent.ts";
import { openBoundary } from "./handover/open-boundary.ts";
import { openDivision } from "./handover/open-division.ts";
import { waitingSql } from "./handover/waiting-sql.ts";
import { checkSlot } from "./replication/check-slot.ts";
import type { SlotProblemCode } from "./replication/slot-problem.ts";
import { withScript } from "./replication/with-script.ts";
import { notPublishedPredicate, quoteTable } from "./tables/mapping-sql.ts";

/** The slot's own state is read by `reader`. */
const OF_THE_SLOT: readonly SlotProblemCode[] = ["slot_missing", "slot_in_use"];

export function createOutboxHandover(pools: StorePools, ref: OutboxRef, url: string): OutboxHandover {
  const of = `outbox ${ref.name}`;
  return {
    keeps: "slot",
    product: async () => "Postgres",
    problems: (names) => asking(of, () => readProblems(url, ref, names)),
    reader: (name) => asking(of, () => readReader(pools.reads(), name)),
    claimed: () => asking(of, () => countClaimed(pools.writes(), ref)),
    counts: (most) => asking(of, () => countWaiting(pools.writes(), ref, most)),
    openBoundary: (input) => asking(of, () => openBoundary({ ...input, url, ref })),
    openDivision: (input) => asking(of, () => openDivision({ ...input, url, ref })),
    mark: (request) => asking(of, () => markSent(pools.writes(), ref, request)),
    // A slot is dropped by hand.
    forget: async () => undefined,
  };
}

async function readProblems(url: string, { mapping }: OutboxRef, names: LogNames): Promise<HandoverProblem[]> {
  const asked = { slot: names.reader, publication: names.feed, table: mapping.table };
  const found = await withScript(url, (session) => checkSlot(session, asked));
  return found
    .filter(({ code }) => !OF_THE_SLOT.includes(code))
    .map(({ message, sql }) => ({ message, sql: sql ?? null }));
}

async function readReader(pool: Pool, name: string): Promise<ReaderState | null> {
  const { rows } = await pool.query<Omit<ReaderState, "offset">>(
    `SELECT coalesce(confirmed_flush_lsn, restart_lsn)::text AS position, active AS "inUse",
       (wal_status IS NOT DISTINCT FROM 'lost') AS lost
     FROM pg_replication_slots WHERE slot_name = $1 AND NOT temporary`,
    [name],
  );
  return rows[0] ? { ...rows[0], offset: null } : null;
}

async function countClaimed(pool: Pool, { name }: OutboxRef): Promise<number> {
  const { rows } = await pool.query<{ claimed: number }>(
    "SELECT coalesce(sum(cardinality(message_ids)), 0)::int AS claimed FROM outbox_console.claim WHERE outbox = $1",
    [name],
  );
  return rows[0]?.claimed ?? 0;
}

async function countWaiting(pool: Pool, ref: OutboxRef, most: number): Promise<WaitingCounts> {
  const { where } = waitingSql(ref);
  const table = quoteTable(ref.mapping.table);
  const { rows } = await pool.query<WaitingCounts>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM ${table} o WHERE ${where} LIMIT $2) waiting) AS waiting,
       (SELECT count(*)::int FROM (SELECT FROM ${table} o WHERE ${notPublishedPredicate(ref.mapping, "o")} AND (${where}) IS NOT TRUE LIMIT $2) rest) AS "left"`,
    [ref.name, most],
  );
  return rows[0] ?? { waiting: 0, left: 0 };
}
