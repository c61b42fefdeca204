import { MYSQL_TABLE } from "../mysql/mysql-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { BenchRow } from "../publishers/publisher.ts";
import type { Contender } from "./contender.ts";
import { connect, SELECT } from "./mysql-limit.ts";

const BATCH = 100;
const SLEEP_MS = 500;

/** The loop of most tutorials, on MySQL: claim 100 rows under a lock, publish one by one, mark, commit. */
export const mysqlTutorial: Contender = {
  async start({ url, target }) {
    const connection = await connect(url);
    const publisher = await openPublisher(target);
    let stopped = false;
    const loop = async () => {
      while (!stopped) {
        await connection.beginTransaction();
        const [found] = await connection.query(
          `${SELECT} WHERE published_at IS NULL ORDER BY sequence LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        );
        const rows = found as BenchRow[];
        for (const row of rows) {
          if (stopped) break;
          await publisher.one(row);
        }
        const ids = rows.map((row) => row.id);
        if (ids.length > 0)
          await connection.query(`UPDATE ${MYSQL_TABLE} SET published_at = UTC_TIMESTAMP(6) WHERE id IN (?)`, [ids]);
        await connection.commit();
        if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, SLEEP_MS));
      }
    };
    const running = loop();
    return {
      async stop() {
        stopped = true;
        await running;
        await connection.end();
        await publisher.close();
      },
    };
  },
};
