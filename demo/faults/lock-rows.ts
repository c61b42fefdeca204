import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { FaultSwitch } from "./fault-board.ts";

/** What a careless nightly report does: it reads the waiting rows for update and then takes its time. */
const LOCK_SQL = `
SELECT id FROM shop.outbox_events WHERE published_at IS NULL ORDER BY sequence LIMIT 200 FOR UPDATE SKIP LOCKED`;
const FEW_ROWS = 10;
const EAGER_MS = 4;
const CALM_MS = 500;

/** A transaction of a foreign session that holds locks on outbox rows for as long as the fault is on. */
export function lockRows(databaseUrl: string): FaultSwitch & { lockedRows(): number } {
  let client: Client | null = null;
  let stopping: AbortController | null = null;
  let collecting: Promise<void> = Promise.resolve();
  let locked = 0;

  /** Rows wait for a few milliseconds only while all is well, so it looks often until it holds some. */
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
      // The session may be ended by an operator who followed the console's advice: then the locks are gone, and so be it.
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
