import type { Pool } from "pg";

export interface ReceivedEvent {
  id: string;
  eventType: string;
  aggregateId: string;
  /** The request's body, as text. */
  payload: string;
}

/** Processes an event exactly once; returns "repeat" without doing anything when its inbox already has the event. */
export interface Consumer {
  name: string;
  consume(event: ReceivedEvent): Promise<"processed" | "repeat">;
}

/** A consumer in a single statement, hence one transaction: the inbox row and its effect commit together. */
export function consumerOf(name: string, pool: Pool, sql: string): Consumer {
  return {
    name,
    consume: async (event) => {
      const { rows } = await pool.query<{ first: boolean }>(sql, [event.id, event.eventType, event.payload]);
      return rows[0]?.first ? "processed" : "repeat";
    },
  };
}
