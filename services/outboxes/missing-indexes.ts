import type { IndexAdvice, IndexJudgement, JudgedTable } from "#db/stores/port/index-advice.ts";
import { orderingOf } from "#db/stores/port/ordering.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxOf } from "./outbox-of.ts";

/**
 * Every index that the relay's and the console's statements expect, judged from their plans. Throws: unavailable,
 * query_timeout.
 */
export function judgeIndexesOf(handle: OutboxHandle): Promise<JudgedTable> {
  const lanes = orderingOf(handle.mapping, handle.config.relay?.ordering ?? "aggregate").kind !== "none";
  return outboxOf(handle).read.judgeIndexes(handle.config.mode === "relay" ? { lanes } : null);
}

/** Indexes to create, each with its purpose and what is wrong without it. */
export async function missingIndexesOf(handle: OutboxHandle): Promise<IndexAdvice[]> {
  const { indexes } = await judgeIndexesOf(handle);
  return indexes
    .filter(({ verdict }) => verdict !== "ok")
    .map(({ sql, ...index }) => ({ purpose: purposeOf(index), sql }));
}

/** The index's purpose; for a wider index with a note that it holds more rows than needed. */
export function purposeOf({ purpose, verdict }: Pick<IndexJudgement, "purpose" | "verdict">): string {
  return verdict === "wider"
    ? `${purpose}. The index used now also holds other rows, which are read and discarded`
    : purpose;
}
