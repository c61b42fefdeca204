import { Pool } from "pg";
import type { OpenOptions, ShopDatabase } from "../shop-database.ts";
import { addRevenue, earnPoints } from "./consume.ts";
import { inTransaction } from "./in-transaction.ts";
import { openReport } from "./open-report.ts";
import { PostgresTransaction } from "./postgres-transaction.ts";
import { sweepOldRows } from "./sweep-old-rows.ts";
import { TABLES_SQL } from "./tables.ts";

export function openPostgres({ url, onTrouble }: OpenOptions): ShopDatabase {
  const openPool = (name: string, max: number) => {
    const pool = new Pool({ connectionString: url, max, application_name: name, connectionTimeoutMillis: 5_000 });
    pool.on("error", onTrouble);
    // A connection that dies in use fails its statement; without a listener the event would end the process.
    pool.on("connect", (client) => void client.on("error", () => undefined));
    return pool;
  };
  const shop = openPool("shop", 8);
  const consumers = openPool("shop consumers", 16);
  return {
    createTables: async () => void (await shop.query(TABLES_SQL)),
    transaction: (work) => inTransaction(shop, (client) => work(new PostgresTransaction(client))),
    hasCustomers: async () => (await shop.query("SELECT 1 FROM shop.customers LIMIT 1")).rows.length > 0,
    sweepOldRows: () => sweepOldRows(shop),
    earnPoints: (message) => earnPoints(consumers, message),
    addRevenue: (message) => addRevenue(consumers, message),
    openReport: () => openReport(url),
    close: async () => {
      await Promise.all([shop.end(), consumers.end()]);
    },
  };
}
