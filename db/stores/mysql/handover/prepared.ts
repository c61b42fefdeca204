import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../../port/store-error.ts";
import type { Session } from "../connection/session.ts";
import { namesStatementOf } from "../diagnosis-facts/sessions/prepared-names.ts";

const LOOK_MS = 200;

type Asked = Pick<Session, "rows" | "server">;

/** In MySQL it needs XA_RECOVER_ADMIN. */
export async function readPrepared(session: Asked): Promise<string[]> {
  return (await session.rows(namesStatementOf(session))).map((row) => row.join(" "));
}

/**
 * Resolves when the XA transactions that are prepared now have ended. The log has their rows where they were prepared,
 * and the table has them from their commit on. Throws `locked` after `waitMs`.
 */
export async function untilPreparedEnd(session: Asked, waitMs: number): Promise<void> {
  // A transaction logged a moment ago may not be in the list yet.
  await delay(LOOK_MS);
  const before = await readPrepared(session);
  const deadline = performance.now() + waitMs;
  for (let still = before; still.length > 0; ) {
    if (performance.now() >= deadline) throw stillPrepared(still.length, waitMs);
    await delay(LOOK_MS);
    const now = await readPrepared(session);
    still = before.filter((one) => now.includes(one));
  }
}

function stillPrepared(count: number, waitMs: number): StoreError {
  const message = `${count} prepared XA transactions are not finished after ${Math.round(waitMs / 1000)} s, and the log has their rows already. XA RECOVER names them: commit them or roll them back.`;
  return new StoreError("locked", "locked", message, {});
}
