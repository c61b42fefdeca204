import type { OwnPlace } from "../connection/own-place.ts";
import { createPool } from "../connection/pool.ts";
import { type Session, sessionOn } from "../connection/session.ts";

/** A long read must not be cut short, nor a snapshot lost while its rows are marked. */
const LONGEST_MS = 600_000;

export interface OwnSession {
  session: Session;
  /** Ends its transaction, too. */
  close(): Promise<void>;
}

/** A separate connection, direct to the server. */
export async function openSession(url: string, own: OwnPlace): Promise<OwnSession> {
  const pool = createPool({
    ...{ url, own, applicationName: "outbox-console change-over", readOnly: false, max: 1 },
    ...{ statementTimeoutMs: LONGEST_MS, idleLimitMs: LONGEST_MS },
  });
  try {
    const link = await pool.connect();
    const close = async () => {
      pool.release(link, true);
      await pool.end();
    };
    return { session: sessionOn(link, pool), close };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
