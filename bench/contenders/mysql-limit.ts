import mysql, { type Connection } from "mysql2/promise";
import { MYSQL_TABLE } from "../mysql/mysql-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { BenchRow } from "../publishers/publisher.ts";
import type { Contender } from "./contender.ts";
import { runPipeline } from "./pipeline.ts";

const BATCH = 1000;

type Row = BenchRow & { sequence: string };

/** Opens a connection at READ COMMITTED, where a read blocks no producer. */
export async function connect(url: string): Promise<Connection> {
  const connection = await mysql.createConnection({
    uri: url.replace(/^mariadb:/, "mysql:"),
    ...{ supportBigNumbers: true, bigNumberStrings: true, dateStrings: true, timezone: "Z" },
  });
  await connection
    .query("SET time_zone = '+00:00', SESSION transaction_isolation = 'READ-COMMITTED'")
    .catch(() => connection.query("SET time_zone = '+00:00', SESSION tx_isolation = 'READ-COMMITTED'"));
  return connection;
}

export const SELECT = `SELECT id, aggregate_type AS type, aggregate_id AS aggregate, event_type AS event, CAST(payload AS CHAR) AS payload, created_at AS created, sequence FROM ${MYSQL_TABLE}`;

/**
 * The machine's limit for this work, as bench/contenders/limit.ts is for Postgres: one connection reads ahead, another
 * marks, in batches of 1000, without order, lease, claims or retries.
 */
export const mysqlLimit: Contender = {
  async start({ url, target }) {
    const [reader, marker] = await Promise.all([connect(url), connect(url)]);
    const publisher = await openPublisher(target);
    let last = "0";
    const read = async (): Promise<Row[]> => {
      const [found] = await reader.execute(
        `${SELECT} WHERE published_at IS NULL AND sequence > ? ORDER BY sequence LIMIT ${BATCH}`,
        [last],
      );
      const rows = found as Row[];
      last = rows.at(-1)?.sequence ?? last;
      return rows;
    };
    const mark = (rows: readonly Row[]) =>
      marker.query(`UPDATE ${MYSQL_TABLE} SET published_at = UTC_TIMESTAMP(6) WHERE id IN (?)`, [
        rows.map(({ id }) => id),
      ]);
    const running = runPipeline({ read, toBench: (row) => row, publisher, mark });
    return {
      async stop() {
        await running.stop();
        await Promise.all([reader.end(), marker.end(), publisher.close()]);
      },
    };
  },
};
