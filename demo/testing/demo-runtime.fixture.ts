import { readFileSync } from "node:fs";
import { Pool } from "pg";
import { parseConfig } from "#services/config/load-config.ts";
import { type OutboxHandle, openRuntime, type Runtime } from "#services/runtime.ts";
import { openShopDatabase } from "../database/open-shop-database.ts";

export interface DemoRuntime {
  runtime: Runtime;
  outbox: OutboxHandle;
  /** A pool with write permission, like the shop's. */
  pool: Pool;
  close(): Promise<void>;
}

/** The demo's tables in a test database of Postgres, and a runtime over them with the demo's configuration. */
export async function openDemoRuntime(url: string, consoleUrl = url): Promise<DemoRuntime> {
  const pool = new Pool({ connectionString: url, max: 10, application_name: "shop under test" });
  pool.on("error", () => undefined);
  await createTables(url);
  const env = { DEMO_DATABASE_URL: url, OUTBOX_EMBEDDED_URL: consoleUrl, DEMO_GATEWAY_PORT: "9" };
  const config = parseConfig(readFileSync("demo/outbox.yaml", "utf8"), env, "demo/outbox.yaml");
  const runtime = openRuntime({ config, applicationName: "outbox-console test", env });
  const outbox = await runtime.outbox("orders");
  return {
    runtime,
    outbox,
    pool,
    close: async () => {
      await Promise.all([runtime.close(), pool.end()]);
    },
  };
}

async function createTables(url: string): Promise<void> {
  const database = await openShopDatabase({ url, onTrouble: () => undefined });
  try {
    await database.createTables();
  } finally {
    await database.close();
  }
}
