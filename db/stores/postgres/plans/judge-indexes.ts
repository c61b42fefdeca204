import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { IndexJudgement, JudgedTable } from "#db/stores/port/index-advice.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import { listSources } from "../read/list-sources.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { explainClaim } from "./explain-claim.ts";
import { findAccess, partialIndexes } from "./find-access.ts";
import { type RecommendedIndex, recommendedIndexes } from "./recommended-indexes.ts";
import { deliveryOrder, isSmall, partBases } from "./table-access.ts";

/**
 * Plans the statements of the relay and the console with sequential scans off, and reports which index each lacks.
 * Reads no rows. Needs a transaction.
 */
export async function judgeIndexes(
  client: PoolClient,
  ref: OutboxRef,
  relay: { lanes: boolean } | null,
): Promise<JudgedTable> {
  const indexes: IndexJudgement[] = [];
  for (const index of recommendedIndexes(ref.mapping, ref.partitioned ?? false))
    indexes.push({ ...index, verdict: await verdictOf(client, ref, index) });
  const small = await isSmall(client, ref);
  const claim = relay && ref.storeSide ? await explainClaim(client, ref, relay.lanes) : null;
  // For the relay its own claim's plan decides. On a small table it may use any index for now, so that is not judged.
  const judged = indexes.map((index) =>
    index.use === "waiting" && !small && claim?.indexed === false ? { ...index, verdict: "missing" as const } : index,
  );
  return { indexes: judged, claim, small };
}

function verdictOf(client: PoolClient, ref: OutboxRef, index: RecommendedIndex): Promise<IndexJudgement["verdict"]> {
  const { use } = index;
  switch (use) {
    case "waiting":
    case "failed":
    case "dead":
    case "unknown":
      return judgePart(client, ref, use, index.sql);
    case "history":
      return judgeHistory(client, ref);
    case "aggregate":
      return judgeAggregate(client, ref);
  }
}

/** Waiting rows are needed in order; the other parts are small enough to sort. */
async function judgePart(
  client: PoolClient,
  ref: OutboxRef,
  part: TablePart,
  advice: string,
): Promise<IndexJudgement["verdict"]> {
  const access = await findAccess(client, ref, { bases: partBases(ref, part), order: deliveryOrder(ref) });
  if (!access || (part === "waiting" && !access.ordered)) return "missing";
  return access.exact || (await isThere(client, ref, advice)) ? "ok" : "wider";
}

/**
 * As long as a wider index holds no more rows than the advised one, the planner may use either; so look for the advised
 * index by its condition.
 */
async function isThere(client: PoolClient, ref: OutboxRef, advice: string): Promise<boolean> {
  const plain = (predicate: string) => predicate.replaceAll(/["()\s;]/g, "").toLowerCase();
  const wanted = plain(advice.slice(advice.indexOf(" WHERE ") + " WHERE ".length));
  return [...(await partialIndexes(client, ref)).values()].some((predicate) => plain(predicate) === wanted);
}

async function judgeHistory(client: PoolClient, ref: OutboxRef): Promise<IndexJudgement["verdict"]> {
  const [source] = listSources(ref, { state: "published" });
  if (!source) return "ok";
  const query = { bases: partBases(ref, "published"), order: orderBy(source.keyset), walk: true };
  const access = await findAccess(client, ref, query);
  return access?.ordered ? "ok" : "missing";
}

async function judgeAggregate(client: PoolClient, ref: OutboxRef): Promise<IndexJudgement["verdict"]> {
  const { aggregateId } = ref.mapping.columns;
  if (!aggregateId) return "ok";
  const outbox = outboxTable(ref.mapping);
  const any = sql`(SELECT ${outboxTable(ref.mapping, "any_row").column(aggregateId)} FROM ${outbox.table} any_row LIMIT 1)`;
  const bases = [sql`${outbox.column(aggregateId)} = ${any}`];
  const access = await findAccess(client, ref, { bases, order: deliveryOrder(ref) });
  return access ? "ok" : "missing";
}
