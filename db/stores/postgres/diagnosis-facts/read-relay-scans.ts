import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { dead as isDead } from "#db/stores/shared/states/state-predicates.ts";
import type { RelayScans } from "#domain/diagnosis/facts/table.ts";
import { queryOn } from "../connection/query-on.ts";
import { judgeIndexes } from "../plans/judge-indexes.ts";
import { heapBytes } from "../plans/table-access.ts";
import { countParts } from "../read/count-parts.ts";
import { outboxTable, regclass } from "../tables/outbox-table.ts";

/** Plans only change with indexes, which are created by hand. */
const JUDGED_EVERY_MS = 60_000;
/** Fewer dead rows are skipped in a few milliseconds. */
const MANY_DEAD = 5000;

const judged = new WeakMap<OutboxMapping, { until: number; scans: RelayScans | null }>();

/**
 * Reports if the relay's claim reads more than the waiting rows, judged from the claim's own plan, once a minute. Null
 * if it does not, without a relay of ours, and while the table is small enough to scan.
 */
export async function readRelayScans(
  client: PoolClient,
  ref: OutboxRef,
  relay: { lanes: boolean } | null,
): Promise<RelayScans | null> {
  if (!relay || !ref.storeSide) return null;
  const known = judged.get(ref.mapping);
  if (known && performance.now() < known.until) return known.scans;
  const scans = await judge(client, ref, relay);
  judged.set(ref.mapping, { until: performance.now() + JUDGED_EVERY_MS, scans });
  return scans;
}

async function judge(client: PoolClient, ref: OutboxRef, relay: { lanes: boolean }): Promise<RelayScans | null> {
  const { indexes, claim, small } = await judgeIndexes(client, ref, relay);
  const waiting = indexes.find(({ use }) => use === "waiting");
  if (small || !waiting || waiting.verdict === "ok") return null;
  const found = {
    index: claim?.index ?? null,
    tableBytes: await heapBytes(client, ref),
    sql: waiting.sql,
    invalid: await invalidIndexes(client, ref),
  };
  if (waiting.verdict === "missing") return { ...found, dead: null, deadCapped: false };
  const where = isDead(outboxTable(ref.mapping));
  const { dead } = await countParts(client, ref, { dead: { part: "dead", where } });
  return dead.value < MANY_DEAD ? null : { ...found, dead: dead.value, deadCapped: dead.precision !== "exact" };
}

/** Left by a CREATE INDEX CONCURRENTLY that failed, or made by one that runs. */
async function invalidIndexes(client: PoolClient, { mapping }: OutboxRef): Promise<string[]> {
  const { rows } = await queryOn(client).execute<{ name: string }>(
    sql`SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = ${regclass(mapping.table)} AND NOT indisvalid ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
