import type { DoctorFinding } from "../../port/doctor.ts";
import { quoteAccount } from "../connection/account.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";

interface Limits {
  account: string;
  ofServer: number;
  /** 0 is no limit. */
  ofAccount: number;
  /** Connections at this moment, ours included; null where the user may not know. */
  used: number | null;
  usedByAccount: number;
}

/** Checks that one console and one worker can open all their connections; findings include what fixes a shortage. */
export async function checkConnections(session: Session, name: string, needed: number): Promise<DoctorFinding[]> {
  const limits = await readLimits(session);
  const need = `one console and one worker open up to ${needed}`;
  const short = shortages(limits, needed);
  if (short.length === 0) return [{ level: "ok", text: `${name}: there are enough connections (${need})` }];
  return short.map(({ what, limit, used, fix }) => ({
    level: "bad",
    text: `${name}: ${what} allows ${limit} connections, ${used} are open now, and ${need}`,
    fix,
  }));
}

interface Shortage {
  what: string;
  limit: number;
  used: number;
  fix: string;
}

function shortages({ account, ofServer, ofAccount, used, usedByAccount }: Limits, needed: number): Shortage[] {
  const found: Shortage[] = [];
  if (ofAccount > 0 && ofAccount < needed)
    found.push({
      what: `the user ${account}`,
      limit: ofAccount,
      used: usedByAccount,
      fix: `ALTER USER ${quoteAccount(account)} WITH MAX_USER_CONNECTIONS ${needed};`,
    });
  if (ofServer - (used ?? 0) < needed)
    found.push({
      what: "the server (max_connections)",
      limit: ofServer,
      used: used ?? usedByAccount,
      fix: `SET GLOBAL max_connections = ${ofServer + needed}; -- and in the server's configuration`,
    });
  return found;
}

/** @@max_user_connections is the account's own limit, or without one the server's for each account. */
async function readLimits(session: Session): Promise<Limits> {
  const [row] = await session.rows(
    `SELECT CURRENT_USER(), @@global.max_connections, @@session.max_user_connections,
       (SELECT COUNT(*) FROM information_schema.processlist WHERE user = SUBSTRING_INDEX(USER(), '@', 1) AND id <> CONNECTION_ID())`,
  );
  const [account, ofServer, ofAccount, usedByAccount] = row ?? [];
  return {
    account: account ?? "",
    ofServer: Number(ofServer),
    ofAccount: Number(ofAccount),
    usedByAccount: Number(usedByAccount),
    used: await readUsed(session),
  };
}

/** The process list has only the user's own connections without PROCESS; the status counts all. */
async function readUsed(session: Session): Promise<number | null> {
  try {
    const [row] = await session.rows("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
    const count = Number(row?.[1]);
    return Number.isNaN(count) ? null : count - 1;
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}
