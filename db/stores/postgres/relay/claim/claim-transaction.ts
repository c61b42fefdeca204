import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { Line } from "#db/stores/postgres/connection/sessions.ts";
import { quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { outboxLockSql } from "#db/stores/postgres/tables/outbox-lock.ts";
import { leaseHoldsSql, termOf } from "../lease/term-sql.ts";
import type { RelayContext } from "../relay-context.ts";
import { tableXminSql } from "./writers.ts";

/** A claim that a crash of the server forgets is a claim whose settle is fenced: no need to wait for the disk. */
const NO_WAIT = "set_config('synchronous_commit', 'off', true)";
/** After the read, so that no transaction of the read's snapshot is above it. */
export const CLOSING: Line = {
  name: "outbox_console_claimed",
  text: "SELECT pg_snapshot_xmax(pg_current_snapshot())::text, (extract(epoch FROM clock_timestamp()) * 1000)::float8::text",
  values: [],
};

/** Whether any value of the table is stored apart from its row, as large ones are; true when that cannot be told. */
function largePayloadsSql(mapping: OutboxMapping): string {
  return `(SELECT (c.relkind = 'p' OR c.reltoastrelid <> 0 AND pg_relation_size(c.reltoastrelid) > 0)::text
    FROM pg_class c WHERE c.oid = ${quoteLiteral(quoteTable(mapping.table))}::regclass)`;
}

/**
 * What stands before a claim's read: the lock, and then, in a statement of its own that sees what the lock protects,
 * the lease. The snapshot is older than the read's, so that all transactions below its xmin have ended for the read.
 */
export function claimOpening(context: RelayContext, lease: ClaimRequest["lease"], wantWriters = false): Line[] {
  const { outbox, mapping } = context;
  const facts = `SELECT ${leaseHoldsSql(context)}, pg_snapshot_xmin(pg_current_snapshot())::text, ${largePayloadsSql(mapping)}${wantWriters ? `, ${tableXminSql(mapping)}` : ""}`;
  return [
    { name: "outbox_console_lock", text: `${outboxLockSql(outbox, "shared")}, ${NO_WAIT}`, values: [] },
    { name: `outbox_console_facts${wantWriters ? "_writers" : ""}`, text: facts, values: termOf(lease) },
  ];
}

/** Throws LeaseLostError. */
export function readOpening(opened: readonly (string | null)[][][]): {
  xmin: bigint;
  measured: boolean;
  writersXmin: bigint | null;
} {
  const [holds, xmin, large, writers] = opened.at(-1)?.[0] ?? [];
  if (holds !== "true") throw new LeaseLostError("The lease of this relay is over.");
  const writersXmin = writers == null ? null : BigInt(writers);
  return { xmin: BigInt(xmin ?? 0), measured: large !== "false", writersXmin };
}
