import type { OwnPlace } from "../connection/own-place.ts";
import { createPool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withSession } from "../connection/transaction.ts";

const STATEMENT_TIMEOUT_MS = 10_000;

/** Runs `work` on a new connection. */
export async function inNewSession<T>(
  { url, own }: { url: string; own: OwnPlace },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const pool = createPool({
    ...{ url, own, applicationName: "outbox-console relay", readOnly: false, max: 1 },
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    return await withSession(pool, work);
  } finally {
    await pool.end();
  }
}
