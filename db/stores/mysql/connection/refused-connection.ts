import type { NoWrites } from "#domain/diagnosis/facts/store-facts.ts";
import { errorOfAttempt } from "../../shared/connection/one-attempt.ts";
import { errorNumber, hourlyLimitOf, toDatabaseError } from "./database-error.ts";
import type { Pool } from "./pool.ts";

/** What a server answers where no connection is left: for anyone, or for this user. */
const FULL: ReadonlyMap<number, string> = new Map([
  [1040, "no connection is left"],
  [1203, "no connection is left for this user"],
  [1226, "no connection is left for this user"],
]);

/**
 * Why the server lets nobody in, by trying: connections that are open tell nothing of it. Null if it does, and if it
 * does not answer at all, which is not its refusal.
 */
export async function readWhyRefused(pool: Pool, outbox: string): Promise<Pick<NoWrites, "reason" | "remedy"> | null> {
  const error = await errorOfAttempt(pool, () => pool.tryNew());
  const number = errorNumber(error);
  if (number === undefined) return null;
  const limit = hourlyLimitOf(error);
  return {
    reason: limit !== null ? `${limit} of this user is used up` : (FULL.get(number) ?? "it does not let this user in"),
    remedy: toDatabaseError(error, `outbox ${outbox}`).message,
  };
}
