import pg from "pg";
import { Pool } from "undici";
import type { Contender } from "./contender.ts";
import { TABLE } from "./outbox-table.ts";

const BATCH = 100;
const SLEEP_MS = 500;

/** What most tutorials show: claim 100 under a lock, publish one by one, mark, commit; sleep when there is nothing. */
export const referenceTutorial: Contender = {
  name: "tutorial loop: claim 100, publish one by one, mark",
  async start({ url, sinkUrl }) {
    const client = new pg.Client(url);
    await client.connect();
    const target = sinkUrl === null ? null : new URL(sinkUrl);
    const pool = target && new Pool(target.origin, { connections: 1 });
    let stopped = false;
    const loop = async () => {
      while (!stopped) {
        await client.query("BEGIN");
        const { rows } = await client.query<{ id: string; payload: string }>(
          `SELECT id::text, payload::text FROM ${TABLE} WHERE published_at IS NULL ORDER BY seq LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        );
        for (const row of rows) {
          if (!pool || !target) continue;
          const headers = { "content-type": "application/json", "webhook-id": row.id };
          const { body } = await pool.request({ path: target.pathname, method: "POST", headers, body: row.payload });
          await body.dump();
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
        await pool?.close();
      },
    };
  },
};
