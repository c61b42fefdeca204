import { sql } from "drizzle-orm";
import type { Session } from "./session.ts";

const NAME = "outbox-console list of transactions";
const MOST_SECONDS = 3;

/**
 * Runs `work`, which reads information_schema.innodb_trx until it gets a list of the moment, while nothing else of ours
 * does the same. The server makes that list anew only after 100 ms without a read of it, so such readers without turns
 * keep it old for each other. A single read that may be old takes no turn. Waits at most 3 s, since a process that
 * stands still may have the turn; after that, and where the server has no named locks, `work` runs without it.
 */
export async function inListTurn<T>(session: Pick<Session, "rows">, work: () => Promise<T>): Promise<T> {
  const got = await session.rows(sql`SELECT GET_LOCK(${NAME}, ${MOST_SECONDS})`).catch(() => []);
  try {
    return await work();
  } finally {
    // A lost connection has released it.
    if (got[0]?.[0] === "1") await session.rows(sql`SELECT RELEASE_LOCK(${NAME})`).catch(() => undefined);
  }
}
