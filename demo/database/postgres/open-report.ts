import { Client } from "pg";
import type { BillingReport } from "../shop-database.ts";

const LOCK_SQL = `
SELECT id FROM shop.outbox_events WHERE published_at IS NULL ORDER BY sequence LIMIT 200 FOR UPDATE SKIP LOCKED`;

export async function openReport(databaseUrl: string): Promise<BillingReport> {
  const session = new Client({ connectionString: databaseUrl, application_name: "billing-report" });
  // An operator who followed the console's advice may have ended the session; then the locks are gone as intended.
  session.on("error", () => undefined);
  await session.connect();
  await session.query("BEGIN");
  return {
    lockWaiting: async () => (await session.query(LOCK_SQL)).rowCount ?? 0,
    end: () => session.end(),
  };
}
