import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { FaultSwitch } from "./fault-board.ts";

/** A careless nightly report: it selects the waiting rows FOR UPDATE and keeps its transaction open. */
const LOCK_SQL = `
SELECT id FROM shop.outbox_events WHERE published_at IS NULL ORDER BY sequence LIMIT 200 FOR UPDATE SKIP LOCKED`;
const FEW_ROWS = 10;
const EAGER_MS = 4;
const CALM_MS = 500;

/** Holds locks on outbox rows in a foreign session's transaction while the fault is on. */
export function lockRows(databaseUrl: string): FaultSwitch & { lockedRows(): number } {
  let client: Client | null = null;
  let stopping: AbortController | null = null;
  let collecting: Promise<void> = Promise.resolve();
  let locked = 0;

  /** In normal operation rows wait only a few milliseconds, so it tries often until it holds some. */
  const collect = async (session: Client, signal: AbortSignal) => {
    while (!signal.aborted) {
      const found = await session.query(LOCK_SQL);
      locked += found.rowCount ?? 0;
      await delay(locked < FEW_ROWS ? EAGER_MS : CALM_MS, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    lockedRows: () => locked,
    begin: async () => {
      const session = new Client({ connectionString: databaseUrl, application_name: "billing-report" });
      // An operator who followed the console's advice may have ended the session; then the locks are gone as intended.
      session.on("error", () => undefined);
      await session.connect();
      await session.query("BEGIN");
      locked = 0;
      client = session;
      stopping = new AbortController();
      collecting = collect(session, stopping.signal).catch(() => undefined);
    },
    end: async () => {
      stopping?.abort();
      await collecting;
      await client?.end();
      client = null;
      locked = 0;
    },
  };
}
