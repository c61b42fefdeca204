import type { RowDataPacket } from "mysql2/promise";
import type { OpenOptions, ShopDatabase } from "../shop-database.ts";
import { addRevenue, earnPoints } from "./consume.ts";
import { inTransaction } from "./in-transaction.ts";
import { MysqlTransaction } from "./mysql-transaction.ts";
import { openReport } from "./open-report.ts";
import { openPool } from "./sessions.ts";
import { sweepOldRows } from "./sweep-old-rows.ts";
import { TABLES } from "./tables.ts";

/** Reports nothing for an idle connection that fails, because its pool drops it. */
export function openMysql({ url }: OpenOptions): ShopDatabase {
  const shop = openPool(url, "shop", 8);
  const consumers = openPool(url, "shop consumers", 16);
  return {
    createTables: async () => {
      for (const sql of TABLES) await shop.query(sql);
    },
    transaction: (work) => inTransaction(shop, (connection) => work(new MysqlTransaction(connection))),
    hasCustomers: async () => (await shop.query<RowDataPacket[]>("SELECT 1 FROM customers LIMIT 1"))[0].length > 0,
    sweepOldRows: () => sweepOldRows(shop),
    earnPoints: (message) => earnPoints(consumers, message),
    addRevenue: (message) => addRevenue(consumers, message),
    openReport: () => openReport(url),
    close: async () => {
      await Promise.all([shop.end(), consumers.end()]);
    },
  };
}
