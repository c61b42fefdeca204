import { sql } from "drizzle-orm";
import type { Session } from "./session.ts";

const NAME = "outbox-console list of transactions";
const MOST_SECONDS = 3;

/**
 * Runs `work` while no other session of ours reads information_schema.innodb_trx. The server makes that list anew only
 * after 100 ms without a read of it, so programs that read it without turns would all see an old one for ever. Waits at
 * most 3 s, since a process that stands still may have the turn; after that, and where the server has no named locks,
 * `work` runs without it.
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
