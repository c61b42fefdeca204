import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";

export interface Writers {
  /** Ends the writers after what they are at; returns how many events they have committed. */
  stop(): Promise<number>;
}

/**
 * Writes without end, as several producers: each has aggregates of its own, so that within an aggregate the order of
 * the sequence is the order of commits. Payload {"aggregate", "n"} as `insertEvents` does.
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
  // A writer that fails is told of by `stop`; a test that fails before it must not fail all others too.
  running.catch(() => undefined);
  return {
    async stop() {
      stopped = true;
      await running;
      return committed;
    },
  };
}
