import type { Pool } from "pg";

export interface ReceivedEvent {
  id: string;
  eventType: string;
  aggregateId: string;
  /** The request's body, as text. */
  payload: string;
}

/** Processes an event exactly the first time: "repeat" when its inbox has the event already, and then nothing is done. */
export interface Consumer {
  name: string;
  consume(event: ReceivedEvent): Promise<"processed" | "repeat">;
}

/** A consumer that is one statement, and so one transaction: the inbox row and its effect are both there or neither. */
export function consumerOf(name: string, pool: Pool, sql: string): Consumer {
  return {
    name,
    consume: async (event) => {
      const { rows } = await pool.query<{ first: boolean }>(sql, [event.id, event.eventType, event.payload]);
      return rows[0]?.first ? "processed" : "repeat";
    },
  };
}
