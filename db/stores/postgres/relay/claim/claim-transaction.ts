import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { Line, OneTripStep } from "#db/stores/postgres/connection/sessions.ts";
import { quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { outboxLockSql } from "#db/stores/postgres/tables/outbox-lock.ts";
import { leaseHoldsSql, termOf } from "../lease/term-sql.ts";
import type { Measured, RelayContext } from "../relay-context.ts";
import { tableXminSql } from "./writers.ts";

/** Claims need no fsync: if a server crash loses a claim, its settle is fenced. */
const NO_WAIT = "set_config('synchronous_commit', 'off', true)";
/**
 * A transaction number that no transaction begun before the read reaches, and the clock. Runs after the read. A
 * snapshot's xmax only follows the last ended transaction, so running ones may be above it. age() covers the numbers up
 * to this transaction's own, assigned after the read, or up to the next unassigned one.
 */
export const CLOSING: OneTripStep = {
  name: "outbox_console_claimed",
  text: `SELECT (xmax + greatest(age((xmax % 4294967296)::text::xid), 0))::text, (extract(epoch FROM clock_timestamp()) * 1000)::float8::text
    FROM (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS xmax) AS snapshot`,
  values: [],
};

/** Every transaction below it had ended at the snapshot. */
export const XMIN = "pg_snapshot_xmin(pg_current_snapshot())::text";

/** The first statement of a claim; the snapshots of those after it are taken under the lock. */
export function claimLock({ outbox }: RelayContext): OneTripStep {
  return { name: "outbox_console_lock", text: `${outboxLockSql(outbox, "shared")}, ${NO_WAIT}`, values: [] };
}

/** SQL: true if the table has values in TOAST, so payloads may be large; also true if that is unknown. */
function largePayloadsSql(mapping: OutboxMapping): string {
  return `(SELECT (c.relkind = 'p' OR c.reltoastrelid <> 0 AND pg_relation_size(c.reltoastrelid) > 0)::text
    FROM pg_class c WHERE c.oid = ${quoteLiteral(quoteTable(mapping.table))}::regclass)`;
}

/** SQL: true from Postgres 14 on, which can report whether a value is compressed. */
const TELLS_COMPRESSION = "(current_setting('server_version_num')::int >= 140000)::text";

/**
 * Statements before a claim's read: the lock, then the lease check. The check is a separate statement, so its snapshot
 * is later than the lock. It is older than the read's, so every transaction below its xmin has ended for the read.
 */
export function claimOpening(context: RelayContext, lease: ClaimRequest["lease"], wantWriters = false): Line[] {
  const { mapping } = context;
  const facts = `SELECT ${leaseHoldsSql(context)}, ${XMIN}, ${largePayloadsSql(mapping)}, ${TELLS_COMPRESSION}${wantWriters ? `, ${tableXminSql(mapping)}` : ""}`;
  return [
    claimLock(context),
    { name: `outbox_console_facts${wantWriters ? "_writers" : ""}`, text: facts, values: termOf(lease) },
  ];
}

/** Throws LeaseLostError. */
export function readOpening(opened: readonly (string | null)[][][]): {
  xmin: bigint;
  measured: Measured;
  measures: RelayContext["measures"];
  writersXmin: bigint | null;
} {
  const [holds, xmin, large, tells, writers] = opened.at(-1)?.[0] ?? [];
  requireHolds(holds);
  const writersXmin = writers == null ? null : BigInt(writers);
  const measures = tells === "true" ? "bounded" : "stored";
  return { xmin: BigInt(xmin ?? 0), measured: large === "false" ? false : measures, measures, writersXmin };
}

/** Throws LeaseLostError unless the answer of `leaseHoldsSql` is "true". */
export function requireHolds(holds: string | null | undefined): void {
  if (holds !== "true") throw new LeaseLostError("The lease of this relay is over.");
}
