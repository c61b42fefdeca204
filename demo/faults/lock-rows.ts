import { setTimeout as delay } from "node:timers/promises";
import type { BillingReport } from "../database/shop-database.ts";
import type { FaultSwitch } from "./fault-board.ts";

const FEW_ROWS = 10;
const EAGER_MS = 4;
const CALM_MS = 500;

/** Holds locks on outbox rows in a foreign session's transaction while the fault is on. */
export function lockRows(openReport: () => Promise<BillingReport>): FaultSwitch & { lockedRows(): number } {
  let report: BillingReport | null = null;
  let stopping: AbortController | null = null;
  let collecting: Promise<void> = Promise.resolve();
  let locked = 0;

  /** In normal operation rows wait only a few milliseconds, so it tries often until it holds some. */
  const collect = async (from: BillingReport, signal: AbortSignal) => {
    while (!signal.aborted) {
      locked += await from.lockWaiting();
      await delay(locked < FEW_ROWS ? EAGER_MS : CALM_MS, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    lockedRows: () => locked,
    begin: async () => {
      report = await openReport();
      locked = 0;
      stopping = new AbortController();
      collecting = collect(report, stopping.signal).catch(() => undefined);
    },
    end: async () => {
      stopping?.abort();
      await collecting;
      await report?.end();
      report = null;
      locked = 0;
    },
  };
}
