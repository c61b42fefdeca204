import type { StorePressure } from "#db/stores/port/retention.ts";
import { formatDuration } from "#domain/format.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import { withSession } from "../connection/transaction.ts";

/**
 * A transaction older than this makes the server keep so many old row versions that more removals only slow down reads.
 */
const HELD_SECONDS = 60;

const HOLDER_SQL = `
SELECT trx_mysql_thread_id, TIMESTAMPDIFF(SECOND, trx_started, NOW()) FROM information_schema.innodb_trx
WHERE trx_mysql_thread_id <> CONNECTION_ID() AND trx_started < NOW() - INTERVAL ${HELD_SECONDS} SECOND ORDER BY trx_started LIMIT 1`;

const CLOCK_SQL = "SELECT UNIX_TIMESTAMP(NOW(6)) * 1000";

/** Whether the database has room for a batch now. Without PROCESS the server does not name old transactions. */
export async function readPressure(pool: Pool): Promise<StorePressure> {
  const startedMs = performance.now();
  const { clock, rows } = await withSession(pool, async (session) => ({
    clock: await session.rows(CLOCK_SQL),
    rows: await session.rows(HOLDER_SQL).catch((error: unknown) => {
      if (isForbidden(error)) return [];
      throw error;
    }),
  }));
  const [holder] = rows;
  return {
    probeMs: performance.now() - startedMs,
    databaseTimeMs: Number(clock[0]?.[0]),
    heldBack: holder
      ? `connection ${holder[0]} has kept a transaction open for ${formatDuration(Number(holder[1]))}, and removed rows cannot be cleaned up before it ends`
      : null,
  };
}
