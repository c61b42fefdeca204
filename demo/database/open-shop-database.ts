import type { OpenOptions, ShopDatabase } from "./shop-database.ts";

/** Loads the driver; connects on first use. */
export async function openShopDatabase(options: OpenOptions): Promise<ShopDatabase> {
  return isMysql(options.url)
    ? (await import("./mysql/open-mysql.ts")).openMysql(options)
    : (await import("./postgres/open-postgres.ts")).openPostgres(options);
}

/** True for MySQL and MariaDB, which share a driver. */
export function isMysql(url: string): boolean {
  return /^(mysql|mariadb):/.test(url);
}
