import { AppError } from "#domain/errors.ts";
import type { StoreHandle } from "../runtime.ts";

/** A check starts no new lookup after this time, ms. */
const BUDGET_MS = 15_000;
/** No query is sent after this time, ms. */
const LONGEST_MS = 30_000;
/** Longest wait for one answer, ms. */
const PATIENCE_MS = 5_000;

/** The time that one check of an inbox may take. */
export interface CheckRun {
  /** True once the check should end with its results so far. */
  isOver(): boolean;
  /** Throws query_timeout for a check that takes too long, and once the program stops. */
  ask<Value>(store: StoreHandle, work: () => Promise<Value>): Promise<Value>;
}

export function beginCheck(closing: AbortSignal): CheckRun {
  const startedMs = performance.now();
  const tookMs = () => performance.now() - startedMs;
  return {
    isOver: () => closing.aborted || tookMs() > BUDGET_MS,
    ask: async (store, work) => {
      if (closing.aborted) throw new AppError("unavailable", "The program stops.");
      if (tookMs() > LONGEST_MS) throw new AppError("query_timeout", "The databases answer too slowly for the check.");
      return store.guard.ask(work, { patienceMs: PATIENCE_MS });
    },
  };
}
