import pg from "pg";
import { TABLE } from "#tests/outbox-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { BenchRow } from "../publishers/publisher.ts";
import type { Contender } from "./contender.ts";

const BATCH = 100;
const SLEEP_MS = 500;

/**
 * The loop of most tutorials: claim 100 rows under a lock, publish one by one, mark, commit; sleep when there are none.
 */
export const tutorial: Contender = {
  async start({ url, target }) {
    const client = new pg.Client(url);
    await client.connect();
    const publisher = await openPublisher(target);
    let stopped = false;
    const loop = async () => {
      while (!stopped) {
        await client.query("BEGIN");
        const { rows } = await client.query<BenchRow>(
          `SELECT id::text, aggregate_type AS type, aggregate_id AS aggregate, event_type AS event, payload::text,
             created_at::text AS created FROM ${TABLE} WHERE published_at IS NULL ORDER BY seq LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        );
        for (const row of rows) {
          if (stopped) break;
          await publisher.one(row);
        }
        const ids = rows.map((row) => row.id);
        await client.query(`UPDATE ${TABLE} SET published_at = now() WHERE id = ANY($1::uuid[])`, [ids]);
        await client.query("COMMIT");
        if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, SLEEP_MS));
      }
    };
    const running = loop();
    return {
      async stop() {
        stopped = true;
        await running;
        await client.end();
        await publisher.close();
      },
    };
  },
};
