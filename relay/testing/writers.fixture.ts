import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";

export interface Writers {
  /** Stops the writers after their current statements; returns the number of committed events. */
  stop(): Promise<number>;
}

/**
 * Writes until stopped, as several producers. Each has its own aggregates, so that within an aggregate the order of the
 * sequence is the order of commits. Payload {"aggregate", "n"} as in `insertEvents`.
 */
export function startWriters(pool: Pool, input: { writers: number; aggregates: number; pauseMs: number }): Writers {
  let stopped = false;
  let committed = 0;
  const write = async (writer: number) => {
    const next = new Map<number, number>();
    while (!stopped) {
      const aggregates = Array.from({ length: 5 }, () => Math.floor(Math.random() * input.aggregates));
      const events = aggregates.map((aggregate) => {
        const n = next.get(aggregate) ?? 0;
        next.set(aggregate, n + 1);
        return { aggregate: `w${writer}-${aggregate}`, n };
      });
      await pool.query(
        `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
         SELECT 'order', e ->> 'aggregate', 'order.changed', e::jsonb FROM json_array_elements($1::json) e`,
        [JSON.stringify(events)],
      );
      committed += events.length;
      await delay(input.pauseMs * Math.random() * 2);
    }
  };
  const running = Promise.all(Array.from({ length: input.writers }, (_, writer) => write(writer)));
  // `stop` reports a failed writer; a test that fails before calling it must not fail all others too.
  running.catch(() => undefined);
  return {
    async stop() {
      stopped = true;
      await running;
      return committed;
    },
  };
}
