import type { HealthStatus } from "../../figures/limits.ts";

/**
 * Counts, ages and rates of one outbox, read from its store. In this folder instants are RFC 3339 on the database's
 * clock. A fact is null if it does not apply to the outbox, and missing if it could not be read.
 */
export interface Figures {
  /** pending + failed + in flight. */
  waiting: number;
  /** True if counting stopped at a cap: there are at least that many. */
  waitingCapped: boolean;
  /** True if it comes from an estimate of the database, which may be too high or too low. */
  waitingEstimated?: boolean;
  /** The same at the newest sample, some seconds ago; null if unknown. */
  waitingBefore: number | null;
  /**
   * False if the number or the oldest age could not be read, e.g. without a full scan. A `waiting` of 0 then means
   * "unknown".
   */
  waitingKnown: boolean;
  /** Why `waitingKnown` is false, as a clause; null when it is true. */
  unknownBecause: string | null;
  /** The rows are those that a standby replayed long ago. */
  standsStill?: boolean;
  /** Another session has locked the whole table: nothing of it can be read until that ends. */
  tableLocked: boolean;
  failed: number;
  dead: number;
  /** True if counting stopped at a cap: there are at least that many. */
  failedCapped: boolean;
  deadCapped: boolean;
  unknownCapped: boolean;
  /** False if counting them needs a full scan; then 0 means "unknown". */
  deadKnown: boolean;
  unknown: number;
  /** False if counting them needs a full scan; then 0 means "unknown". */
  unknownKnown: boolean;
  /** Age of the oldest due, unpublished message, including those in flight; null when none waits. */
  oldestSeconds: number | null;
  /** When that message became due; null when `oldestSeconds` is. */
  oldestDueAt: string | null;
  /** False if no column gives the creation time. */
  agesKnown: boolean;
  /** Null when there is no live claim. */
  oldestClaimSeconds: number | null;
  inPerSecond: number | null;
  outPerSecond: number | null;
  failuresPerSecond: number | null;
  /** The figures judged against their limits, with hysteresis. */
  judged: { oldestPending: HealthStatus; dead: HealthStatus; failed: HealthStatus };
}
