import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";

export interface Producers {
  /** Events of committed transactions so far. */
  committed(): number;
  /** Ends them after their present transactions. */
  stop(): Promise<void>;
}

const MOST_IN_ONE = 6;
const LONGEST_OPEN_MS = 40;
const MOST_TRIES = 600;
const PAUSE_MS = 100;

/**
 * Producers whose transactions overlap, so that the order of commits is not that of inserts; each has aggregates of its
 * own. Payload {"aggregate", "n"}, where n counts within the aggregate.
 */
export function startProducers(
  pool: Pool,
  input: { producers: number; perSecond: number; bytes: number; aggregateType?: string; prefix?: string },
): Producers {
  const { aggregateType = "order", prefix = "p" } = input;
  let [stopped, committed] = [false, 0];
  const filler = "x".repeat(input.bytes);
  const perProducer = input.perSecond / input.producers;
  const run = async (producer: number) => {
    let n = 0;
    const startedMs = performance.now();
    while (!stopped) {
      const count = 1 + Math.floor(Math.random() * MOST_IN_ONE);
      await writeOnce(pool, { aggregateType, aggregate: `${prefix}${producer}`, from: n, count, filler });
      n += count;
      committed += count;
      await delay(Math.max(0, startedMs + (n / perProducer) * 1000 - performance.now()));
    }
  };
  const running = Promise.all(Array.from({ length: input.producers }, (_, producer) => run(producer)));
  running.catch(() => undefined);
  return {
    committed: () => committed,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

interface Batch {
  aggregateType: string;
  aggregate: string;
  from: number;
  count: number;
  filler: string;
}

/** Until it is committed, however often the database goes away: an answer that is lost is looked up. */
async function writeOnce(pool: Pool, batch: Batch): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (tries > 0 && (await isThere(pool, batch))) return;
      return await write(pool, batch);
    } catch (error) {
      if (tries >= MOST_TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function isThere(pool: Pool, { aggregate, from }: Batch): Promise<boolean> {
  const { rowCount } = await pool.query(
    "SELECT 1 FROM outbox_events WHERE aggregate_id = $1 AND (payload ->> 'n')::int = $2",
    [aggregate, from],
  );
  return rowCount === 1;
}

async function write(pool: Pool, { aggregateType, aggregate, from, count, filler }: Batch): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query("BEGIN");
    for (let n = from; n < from + count; n += 1) {
      const payload = JSON.stringify({ aggregate, n, filler });
      await client.query(
        "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ($1, $2, 'order.changed', $3)",
        [aggregateType, aggregate, payload],
      );
      if (n === from && Math.random() < 0.5) await delay(Math.random() * LONGEST_OPEN_MS);
    }
    await client.query("COMMIT");
    broken = false;
  } finally {
    client.release(broken);
  }
}
