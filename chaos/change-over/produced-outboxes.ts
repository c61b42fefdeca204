import type mysql from "mysql2/promise";
import type { Pool } from "pg";
import type { Batch, ProducedOutbox } from "./producers.ts";

export function postgresOutbox(pool: Pool): ProducedOutbox {
  return {
    async isThere({ aggregate, from }) {
      const { rowCount } = await pool.query(
        "SELECT 1 FROM outbox_events WHERE aggregate_id = $1 AND (payload ->> 'n')::int = $2",
        [aggregate, from],
      );
      return rowCount === 1;
    },
    async write(batch, pause) {
      const client = await pool.connect();
      let broken = true;
      try {
        await client.query("BEGIN");
        for (const [index, payload] of payloadsOf(batch).entries()) {
          await client.query(
            "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ($1, $2, 'order.changed', $3)",
            [batch.aggregateType, batch.aggregate, payload],
          );
          if (index === 0) await pause();
        }
        await client.query("COMMIT");
        broken = false;
      } finally {
        client.release(broken);
      }
    },
  };
}

export function mysqlOutbox(pool: mysql.Pool): ProducedOutbox {
  return {
    async isThere({ aggregate, from }) {
      const [rows] = await pool.query(
        "SELECT 1 FROM outbox_events WHERE aggregate_id = ? AND JSON_EXTRACT(payload, '$.n') = ?",
        [aggregate, from],
      );
      return (rows as unknown[]).length === 1;
    },
    async write(batch, pause) {
      const connection = await pool.getConnection();
      try {
        await connection.query("BEGIN");
        const [first, ...rest] = payloadsOf(batch).map((payload) => [batch.aggregateType, batch.aggregate, payload]);
        await connection.query(INSERT_ROWS, [[first]]);
        await pause();
        // Several rows of one statement are one event of the log.
        if (rest.length > 0) await connection.query(INSERT_ROWS, [rest]);
        await connection.query("COMMIT");
        connection.release();
      } catch (error) {
        connection.destroy();
        throw error;
      }
    },
  };
}

const INSERT_ROWS = "INSERT INTO outbox_events (aggregate_type, aggregate_id, payload) VALUES ?";

function payloadsOf({ aggregate, from, count, filler }: Batch): string[] {
  return Array.from({ length: count }, (_, index) => JSON.stringify({ aggregate, n: from + index, filler }));
}
