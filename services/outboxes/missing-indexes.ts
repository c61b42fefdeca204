import { orderingOf } from "#db/stores/port/ordering.ts";
import { toDatabaseError } from "#db/stores/postgres/connection/database-error.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { type IndexJudgement, type JudgedTable, judgeIndexes } from "#db/stores/postgres/plans/judge-indexes.ts";
import type { IndexAdvice } from "#db/stores/postgres/plans/recommended-indexes.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxRef } from "./outbox-ref.ts";

const STATEMENT_TIMEOUT_MS = 3000;

/** Every index that the relay's and the console's statements expect, judged by planning them. Throws: unavailable, query_timeout. */
export async function judgeIndexesOf(handle: OutboxHandle): Promise<JudgedTable> {
  const ref = outboxRef(handle);
  const lanes = orderingOf(handle.mapping, handle.config.relay?.ordering ?? "aggregate").kind !== "none";
  const relay = handle.config.mode === "relay" ? { lanes } : null;
  try {
    return await withReadTransaction(handle.store.reads, STATEMENT_TIMEOUT_MS, (client) =>
      judgeIndexes(client, ref, relay),
    );
  } catch (error) {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  }
}

/** Indexes to create, each with what it is for and what is wrong without it. */
export async function missingIndexesOf(handle: OutboxHandle): Promise<IndexAdvice[]> {
  const { indexes } = await judgeIndexesOf(handle);
  return indexes
    .filter(({ verdict }) => verdict !== "ok")
    .map(({ sql, ...index }) => ({ purpose: purposeOf(index), sql }));
}

/** "Finding what waits, …", with a word where an index serves it and holds more than it should. */
export function purposeOf({ purpose, verdict }: Pick<IndexJudgement, "purpose" | "verdict">): string {
  return verdict === "wider"
    ? `${purpose}. The index that serves it now holds further rows, which are read in vain`
    : purpose;
}
