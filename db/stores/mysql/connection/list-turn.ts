import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
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

/** The server makes the list anew only after it has not been read for 100 ms. */
export const CACHED_MS = 110;
/** By how much each wait may be longer than the one before: the more others read, the longer it must be. */
const JITTER_MS = 150;

/**
 * What `read` makes of the list once it is one of the moment; null if it never was. The list is a picture that all
 * sessions share, and it is of the moment exactly if it shows the session that reads with this very statement, which
 * has `mark` in its text. `longestMs`: of the waits in between, of which each has a random length so that it falls
 * between the regular reads of other programs. `firstMs`: before the first reading.
 */
export async function readUntilFresh<List>(
  read: (mark: string) => Promise<List | null>,
  waits: { tries: number; longestMs: number; firstMs?: number; signal?: AbortSignal },
): Promise<List | null> {
  let waitMs = waits.firstMs ?? 0;
  for (let attempt = 1; attempt <= waits.tries; attempt += 1) {
    if (waitMs > 0) await delay(waitMs, undefined, { signal: waits.signal });
    const list = await read(randomUUID());
    if (list !== null) return list;
    waitMs = CACHED_MS + Math.random() * Math.min(waits.longestMs - CACHED_MS, JITTER_MS * attempt);
  }
  return null;
}
