import type { Connection } from "mysql2/promise";
import { AGGREGATES, type BenchTable, payloadOf } from "#tests/outbox-table.ts";

export const MYSQL_TABLE = "bench_outbox";

/** As the tutorials have it, with the sequence that the order of aggregates needs. */
const DDL = `
DROP TABLE IF EXISTS ${MYSQL_TABLE};
CREATE TABLE ${MYSQL_TABLE} (
  id char(36) NOT NULL PRIMARY KEY, sequence bigint NOT NULL AUTO_INCREMENT UNIQUE, aggregate_type varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL,
  event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6),
  KEY (published_at, sequence))`;

export const MYSQL_INSERT = `INSERT INTO ${MYSQL_TABLE} (id, aggregate_type, aggregate_id, event_type, payload) VALUES (?, 'order', ?, 'order.changed', ?)`;

const OWN_TABLES = ["delivery", "dead_letter", "claim", "lease", "relay_instance"];
const BATCH = 1000;

export interface MysqlTable extends BenchTable {
  make(): Promise<void>;
  addPending(rows: number): Promise<number>;
}

export function openMysqlTable(connection: Connection, table: string): MysqlTable {
  const count = async (sql: string) => {
    const [rows] = await connection.query(sql);
    return Number((rows as { n: number | string }[])[0]?.n);
  };
  return {
    async make() {
      await connection.query(DDL);
      for (const own of OWN_TABLES) await connection.query(`DELETE FROM outbox_console.${own}`);
    },
    async addPending(rows) {
      const insert = `INSERT INTO ${table} (id, aggregate_type, aggregate_id, event_type, payload, created_at) VALUES ?`;
      for (let from = 0; from < rows; from += BATCH) {
        const values = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => rowOf(from + at));
        await connection.query(insert, [values]);
      }
      await connection.query(`ANALYZE TABLE ${table}`);
      return rows;
    },
    hasUnsent: async () =>
      (await count(`SELECT EXISTS (SELECT 1 FROM ${table} WHERE published_at IS NULL) AS n`)) === 1,
    countUnsent: () => count(`SELECT count(*) AS n FROM ${table} WHERE published_at IS NULL`),
  };
}

function rowOf(n: number): unknown[] {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const created = new Date(Date.now() - 3_600_000 + n * 30).toISOString().replace("T", " ").replace("Z", "");
  return [id, "order", String(n % AGGREGATES), "order.changed", payloadOf(n), created];
}
