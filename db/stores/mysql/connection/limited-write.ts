import type { Pool } from "./pool.ts";
import type { Session } from "./session.ts";
import { withSession, withWriteTransaction } from "./transaction.ts";

/**
 * Runs `work` as withWriteTransaction does, and ends it after `limitMs`. MariaDB ends the statement itself. MySQL limits
 * reads alone, so the statement that runs then is killed from a second connection.
 */
export function withLimitedWrite<T>(pool: Pool, limitMs: number, work: (session: Session) => Promise<T>): Promise<T> {
  const limited = async (session: Session) => {
    if (session.server.flavor === "mariadb") return work(session);
    const watch = killAfter(pool, session.id, limitMs);
    try {
      return await work(session);
    } finally {
      await watch.end();
    }
  };
  return withWriteTransaction(pool, limited, limitMs);
}

/** Between two statements a kill has no effect. */
const AGAIN_MS = 250;

function killAfter(pool: Pool, id: number, limitMs: number): { end: () => Promise<void> } {
  let isOver = false;
  let killing: Promise<unknown> | null = null;
  const kill = () =>
    withSession(pool, async (session) => {
      if (isOver) return;
      killing = session.run(`KILL QUERY ${id}`);
      await killing;
    }).catch(() => undefined);
  let timer = setTimeout(again, limitMs);
  /** One kill at a time: an earlier one could arrive after the last that is awaited. */
  async function again() {
    await kill();
    if (!isOver) timer = setTimeout(again, AGAIN_MS);
  }
  return {
    // A kill on its way must not hit a statement of whoever has the connection next.
    end: async () => {
      isOver = true;
      clearTimeout(timer);
      await killing?.catch(() => undefined);
    },
  };
}
