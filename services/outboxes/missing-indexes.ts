import type { IndexJudgement, JudgedTable } from "#db/stores/port/index-advice.ts";
import { orderingOf } from "#db/stores/port/ordering.ts";
import type { OutboxHandle } from "../runtime.ts";
import { AFTER_ANSWER, isOfGuess } from "./index-of-guess.ts";
import { outboxOf } from "./outbox-of.ts";

/**
 * Every index that the relay's and the console's statements expect, judged from their plans. Throws: unavailable,
 * query_timeout.
 */
export function judgeIndexesOf(handle: OutboxHandle): Promise<JudgedTable> {
  const lanes = orderingOf(handle.mapping, handle.config.relay?.ordering ?? "aggregate").kind !== "none";
  return outboxOf(handle).read.judgeIndexes(handle.config.mode === "relay" ? { lanes } : null);
}

export interface MissingIndex {
  purpose: string;
  /** Null while the mapping that it follows is only a guess. */
  sql: string | null;
}

/** Indexes to create, each with its purpose and SQL. */
export async function missingIndexesOf(handle: OutboxHandle): Promise<MissingIndex[]> {
  const { indexes } = await judgeIndexesOf(handle);
  return createdOnce(indexes).map((index) =>
    isOfGuess(handle, index)
      ? { purpose: `${purposeOf(index)}. ${AFTER_ANSWER}`, sql: null }
      : { purpose: purposeOf(index), sql: index.sql },
  );
}

/** The indexes to create, each once: where an engine has no partial indexes, one may serve several purposes. */
export function createdOnce(indexes: readonly IndexJudgement[]): IndexJudgement[] {
  const bySql = new Map<string, IndexJudgement>();
  for (const index of indexes.filter(({ verdict }) => verdict !== "ok")) {
    const same = bySql.get(index.sql);
    bySql.set(index.sql, same ? { ...same, purpose: `${same.purpose}. ${index.purpose}` } : index);
  }
  return [...bySql.values()];
}

/** The index's purpose; for a wider index with a note that it holds more rows than needed. */
export function purposeOf({ purpose, verdict }: Pick<IndexJudgement, "purpose" | "verdict">): string {
  return verdict === "wider"
    ? `${purpose}. The index used now also holds other rows, which are read and discarded`
    : purpose;
}
