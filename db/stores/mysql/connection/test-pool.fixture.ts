import { onTestFinished } from "vitest";
import type { MysqlTestDatabase } from "#tests/mysql.ts";
import { createPool, type Pool, type PoolOptions } from "./pool.ts";

/** A pool of a test's database, closed when the test is over. */
export function openPool({ url, own }: Pick<MysqlTestDatabase, "url" | "own">, more: Partial<PoolOptions> = {}): Pool {
  const pool = createPool({
    url,
    own,
    applicationName: "outbox-console test",
    readOnly: false,
    max: 2,
    statementTimeoutMs: 5000,
    ...more,
  });
  onTestFinished(() => pool.end());
  return pool;
}

/** What work throws. */
export async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}
