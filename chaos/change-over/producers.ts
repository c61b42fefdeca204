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

/**
 * Producers whose transactions overlap, so that the order of commits is not that of inserts; each has aggregates of its
 * own. Payload {"aggregate", "n"}, where n counts within the aggregate.
 */
export function startProducers(pool: Pool, input: { producers: number; perSecond: number; bytes: number }): Producers {
  let [stopped, committed] = [false, 0];
  const filler = "x".repeat(input.bytes);
  const perProducer = input.perSecond / input.producers;
  const run = async (producer: number) => {
    let n = 0;
    const startedMs = performance.now();
    while (!stopped) {
      const count = 1 + Math.floor(Math.random() * MOST_IN_ONE);
      await write(pool, { aggregate: `p${producer}`, from: n, count, filler });
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
  aggregate: string;
  from: number;
  count: number;
  filler: string;
}

async function write(pool: Pool, { aggregate, from, count, filler }: Batch): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    for (let n = from; n < from + count; n += 1) {
      const payload = JSON.stringify({ aggregate, n, filler });
      await client.query(
        "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', $1, 'order.changed', $2)",
        [aggregate, payload],
      );
      if (n === from && Math.random() < 0.5) await delay(Math.random() * LONGEST_OPEN_MS);
    }
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}
