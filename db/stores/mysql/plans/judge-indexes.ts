import { sql } from "drizzle-orm";
import type { IndexJudgement, IndexUse, JudgedTable } from "#db/stores/port/index-advice.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { Session } from "../connection/session.ts";
import type { Pieces } from "../tables/index-pieces.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { explainClaim } from "./explain-claim.ts";
import type { Order } from "./find-access.ts";
import { recommendedIndexes } from "./recommended-indexes.ts";
import { accessesOf, deliveryOrder, isSmall, partBases } from "./table-access.ts";
import { isThere, type TableIndex, tableIndexes } from "./table-indexes.ts";

/**
 * Plans the statements of the relay and the console over the indexes that are there, and reports which index each
 * lacks. Reads no rows.
 */
export async function judgeIndexes(
  session: Session,
  ref: OutboxRef,
  relay: { lanes: boolean } | null,
): Promise<JudgedTable> {
  const indexes: (IndexJudgement & { isThere: boolean })[] = [];
  const there = await tableIndexes(session, ref.mapping.table);
  for (const { columns, ...index } of recommendedIndexes(ref.mapping)) {
    const exists = isThere(there, columns);
    indexes.push({
      ...index,
      isThere: exists,
      verdict: exists ? "ok" : await verdictOf(session, ref, index.use, there),
    });
  }
  const small = await isSmall(session, ref);
  const claim = relay && ref.storeSide ? await explainClaim(session, ref, relay.lanes) : null;
  // The plan of the relay's own claim decides. It is not judged on a small table, where the server may use any index.
  const judged = indexes.map(({ isThere, ...index }) =>
    index.use === "waiting" && !small && claim?.indexed === false
      ? { ...index, verdict: isThere ? ("wider" as const) : ("missing" as const) }
      : index,
  );
  return { indexes: judged, claim, small };
}

type There = readonly TableIndex[];

async function verdictOf(
  session: Session,
  ref: OutboxRef,
  use: IndexUse,
  there: There,
): Promise<IndexJudgement["verdict"]> {
  switch (use) {
    case "waiting":
    case "failed":
    case "dead":
    case "unknown":
      return judgePart(session, ref, use, there);
    case "history":
      return judgeHistory(session, ref, there);
    case "aggregate":
      return judgeAggregate(session, ref, there);
  }
}

/** Waiting rows are needed in order; the other parts are small enough to sort. */
async function judgePart(
  session: Session,
  ref: OutboxRef,
  part: TablePart,
  indexes: There,
): Promise<IndexJudgement["verdict"]> {
  const bases = partBases(ref, part);
  const found = await accessesOf(session, ref, { bases, order: deliveryOrder(ref), indexes });
  const serving = part === "waiting" ? found.filter(({ ordered }) => ordered) : found;
  if (serving.length === 0) return "missing";
  return serving.some(({ exact }) => exact) ? "ok" : "wider";
}

async function judgeHistory(session: Session, ref: OutboxRef, indexes: There): Promise<IndexJudgement["verdict"]> {
  const { createdAt } = ref.mapping.columns;
  if (!createdAt) return "ok";
  const key = ref.mapping.primaryKey.filter(({ name }) => name !== createdAt.name);
  const order: Order = { columns: [createdAt, ...key], descending: true };
  const found = await accessesOf(session, ref, { bases: partBases(ref, "published"), order, walk: true, indexes });
  return found.some(({ ordered }) => ordered) ? "ok" : "missing";
}

async function judgeAggregate(session: Session, ref: OutboxRef, indexes: There): Promise<IndexJudgement["verdict"]> {
  const { aggregateId } = ref.mapping.columns;
  if (!aggregateId) return "ok";
  const outbox = outboxTable(ref.mapping);
  const any = sql`(SELECT ${outboxTable(ref.mapping, "any_row").column(aggregateId)} FROM ${outbox.table} any_row LIMIT 1)`;
  const one: Pieces = [
    { where: sql`${outbox.column(aggregateId)} = ${any}`, columns: [{ name: aggregateId.name, one: true }] },
  ];
  const found = await accessesOf(session, ref, { bases: [one], order: deliveryOrder(ref), indexes });
  return found.length > 0 ? "ok" : "missing";
}
