import pg from "pg";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { NoWrites } from "#domain/diagnosis/facts/store-facts.ts";
import { errorOfAttempt } from "../../shared/connection/one-attempt.ts";
import { toDatabaseError } from "./database-error.ts";
import { surviveLostConnections } from "./pool.ts";

/** What a server, or a pooler in front of it, answers where no connection is left. */
const FULL: readonly [RegExp, string][] = [
  [/^too many connections for role/, "no connection is left for this user"],
  [/^too many connections for database/, "no connection is left for this database"],
  [/too many clients|connection slots/, "no connection is left"],
  [/no more connections allowed|query_wait_timeout/, "the pooler has no connection left"],
];

/**
 * Why the server lets nobody in, by trying: connections that are open tell nothing of it. Null if it does, and if it
 * does not answer at all, which is not its refusal.
 */
export async function readWhyRefused(
  writes: pg.Pool,
  outbox: string,
): Promise<Pick<NoWrites, "reason" | "remedy"> | null> {
  const error = await errorOfAttempt(writes, () => connectOnce(writes));
  if (!(error instanceof Error) || !/^[0-9A-Z]{5}$/.test(errorCode(error) ?? "")) return null;
  const full = FULL.find(([words]) => words.test(error.message));
  return {
    reason: full?.[1] ?? "it does not let this user in",
    remedy: toDatabaseError(error, `outbox ${outbox}`).message,
  };
}

async function connectOnce({ options }: pg.Pool): Promise<void> {
  const pool = new pg.Pool({ ...options, max: 1 });
  surviveLostConnections(pool);
  try {
    (await pool.connect()).release();
  } finally {
    await pool.end();
  }
}
