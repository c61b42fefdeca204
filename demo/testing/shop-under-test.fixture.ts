import { Pool } from "pg";
import { afterAll, beforeEach } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { openShopDatabase } from "../database/open-shop-database.ts";
import type { ShopDatabase } from "../database/shop-database.ts";

export const SHOPS = ["postgres", "mysql", "mariadb"] as const;
export type ShopKind = (typeof SHOPS)[number];

type Row = Record<string, string | null>;

/** The shop's tables in a test database. */
export interface ShopUnderTest {
  url: string;
  database: ShopDatabase;
  /** Names of its tables, as a statement has them. */
  tables: Record<"orders" | "events" | "loyaltyInbox" | "points" | "processedEvents" | "revenue", string>;
  /** Rows as texts. Values replace `?`. */
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** An expression: the time before so many hours. */
  hoursAgo(hours: number): string;
  /** Sessions named billing-report; where the server keeps no names, sessions that leave a transaction idle. */
  countReports(): Promise<number>;
}

const POSTGRES_TABLES = {
  orders: "shop.orders",
  events: "shop.outbox_events",
  loyaltyInbox: "loyalty.inbox",
  points: "loyalty.points",
  processedEvents: "analytics.processed_events",
  revenue: "analytics.daily_revenue",
};
const MYSQL_TABLES = {
  orders: "orders",
  events: "outbox_events",
  loyaltyInbox: "loyalty_inbox",
  points: "loyalty_points",
  processedEvents: "analytics_processed_events",
  revenue: "analytics_daily_revenue",
};

const REPORTS_SQL: Record<ShopKind, string> = {
  postgres: `SELECT count(*) AS count FROM pg_stat_activity
    WHERE application_name = 'billing-report' AND datname = current_database()`,
  mysql: `SELECT COUNT(*) AS count FROM performance_schema.session_connect_attrs a
    JOIN information_schema.processlist p ON p.id = a.processlist_id
    WHERE a.attr_name = 'program_name' AND a.attr_value = 'billing-report' AND p.db = DATABASE()`,
  mariadb: `SELECT COUNT(*) AS count FROM information_schema.innodb_trx t
    JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
    WHERE p.db = DATABASE() AND p.command = 'Sleep' AND t.trx_started < NOW() - INTERVAL 1 SECOND`,
};

/** An address where no server answers. */
export function deadUrl(kind: ShopKind): string {
  return `${kind === "postgres" ? "postgres" : "mysql"}://nobody@127.0.0.1:1/none`;
}

/**
 * One shop for all tests of a `describe`; `prepare` runs once, before the first. Where there is no such server, the
 * tests are skipped.
 */
export function shopUnderTest(
  kind: ShopKind,
  prepare: (shop: ShopUnderTest) => Promise<void> = async () => undefined,
): () => ShopUnderTest {
  const connect = kind === "postgres" ? postgresUnderTest() : mysqlUnderTest(kind);
  let shop: ShopUnderTest | null = null;
  // Each test may skip itself before this, which hooks that run once cannot know.
  beforeEach(async () => {
    if (shop !== null) return;
    const server = connect();
    const database = await openShopDatabase({ url: server.url, onTrouble: () => undefined });
    shop = {
      ...server,
      database,
      countReports: async () => Number((await server.query(REPORTS_SQL[kind]))[0]?.count),
    };
    await database.createTables();
    await prepare(shop);
  });
  afterAll(() => shop?.database.close());
  return () => {
    if (shop === null) throw new Error("The shop is available only inside tests and hooks.");
    return shop;
  };
}

type Server = Omit<ShopUnderTest, "database" | "countReports">;

function postgresUnderTest(): () => Server {
  const database = testDatabase("empty");
  let pool: Pool | null = null;
  afterAll(() => pool?.end());
  return () => {
    const { url } = database();
    pool = new Pool({ connectionString: url, types: { getTypeParser: () => String } });
    pool.on("error", () => undefined);
    const open = pool;
    return {
      url,
      tables: POSTGRES_TABLES,
      hoursAgo: (hours) => `now() - interval '${hours} hours'`,
      query: async (sql, values = []) => (await open.query<Row>(numbered(sql), [...values])).rows,
    };
  };
}

/** `?` as $1, $2, … */
function numbered(sql: string): string {
  let place = 0;
  return sql.replace(/\?/g, () => {
    place += 1;
    return `$${place}`;
  });
}

function mysqlUnderTest(kind: "mysql" | "mariadb"): () => Server {
  const database = testMysqlDatabase(kind, "empty");
  return () => ({
    url: database().url,
    tables: MYSQL_TABLES,
    hoursAgo: (hours) => `NOW(6) - INTERVAL ${hours} HOUR`,
    query: (sql, values) => database().query(sql, values),
  });
}
