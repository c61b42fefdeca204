import { and, desc, eq, gt, sql } from "drizzle-orm";
import { SILENT_SOON_SECONDS } from "#domain/diagnosis/facts/relays.ts";
import type { NoWrites } from "#domain/diagnosis/facts/store-facts.ts";
import {
  DEADLOCK,
  errorNumber,
  isConnectionError,
  isLockTimeout,
  isServerTrouble,
} from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import { readWhyRefused } from "../connection/refused-connection.ts";
import type { Session } from "../connection/session.ts";
import { tryToWrite, withSession } from "../connection/transaction.ts";
import { whoLocksOwnRows, whoLocksOwnTable } from "../own-schema/who-locks.ts";
import { asFlag, NOW } from "../tables/column-values.ts";
import { readHeldCommits } from "./sessions/read-held-commits.ts";

/** Values of the setting that allow writes; newer MariaDB servers answer in words. */
const TAKES_WRITES = ["0", "OFF"];
/** An account with one of these privileges can write anyway, unless `super_read_only` is on. */
const PRIVILEGES = sql`('SUPER', 'CONNECTION_ADMIN', 'READ_ONLY ADMIN')`;
const MAY_WRITE = sql`EXISTS (SELECT 1 FROM information_schema.user_privileges
  WHERE grantee = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''') AND privilege_type IN ${PRIVILEGES})`;

/**
 * Why the server refuses writes of this account; null if it accepts them. No setting shows a full disk or a revoked
 * permission, so if the relays of the outbox have fallen silent, a heartbeat of theirs is tried and rolled back.
 */
export async function readWhyReadOnly(writes: Pool, outbox: string): Promise<NoWrites | null> {
  const refusal = await readWhyRefused(writes, outbox);
  if (refusal !== null) return { ...refusal, refusesConnections: true, tried: true, leased: false, everywhere: true };
  const setting = await withSession(writes, readSetting);
  if (setting !== null) return { reason: setting, tried: false, leased: false, everywhere: true };
  const locker = await withSession(writes, whoLocked);
  // A relay continues under a lock of only the heartbeat's tables.
  if (locker) return { ...locker, leased: locker.leased && (await isLeased(writes, outbox)) };
  const refused = await whyRefused(writes, outbox);
  return refused === null ? null : { ...refused, tried: true, leased: await isLeased(writes, outbox) };
}

/** The setting under which the server takes no writes of this account; null if there is none. MariaDB has only one. */
async function readSetting(session: Session): Promise<string | null> {
  const rows = await session.rows(sql`SHOW GLOBAL VARIABLES WHERE variable_name IN ('read_only', 'super_read_only')`);
  const isOn = (name: string) => rows.some(([one, value]) => one === name && !TAKES_WRITES.includes(value ?? "0"));
  if (isOn("super_read_only")) return "the server is read-only, also for administrators (super_read_only)";
  if (!isOn("read_only")) return null;
  const [[mayWrite] = []] = await session.rows(sql`SELECT ${MAY_WRITE}`);
  return mayWrite === "1" ? null : "the server is read-only";
}

/**
 * What holds back every commit, or a session that has locked the tables of a heartbeat. Call it before a heartbeat is
 * tried, which would wait for the lock. Null also where that is not recorded, or may not be read. Throws if the server
 * was too slow to tell.
 */
async function whoLocked(session: Session): Promise<NoWrites | null> {
  try {
    return (await readHeldCommits(session)) ?? (await whoLockedOurs(session));
  } catch (error) {
    if (isConnectionError(error) || isLockTimeout(error) || NOT_REFUSED.has(errorNumber(error) ?? 0)) throw error;
    return null;
  }
}

/** The tables of a heartbeat. A relay of ours locks their rows for a moment. */
const OF_A_HEARTBEAT = ["relay_instance", "lease"];

async function whoLockedOurs(session: Session): Promise<NoWrites | null> {
  const lock =
    (await whoLocksOwnTable(session, "writers", OF_A_HEARTBEAT)) ?? (await whoLocksOwnRows(session, OF_A_HEARTBEAT));
  if (lock === null) return null;
  const remedy = `Let its owner end it, or end the session: \`${lock.endStatement}\`.`;
  return { reason: lock.clause, tried: false, leased: true, everywhere: false, remedy };
}

async function isLeased(writes: Pool, outbox: string): Promise<boolean> {
  return withSession(writes, async ({ db, own: { lease } }) => {
    const live = and(eq(lease.outbox, outbox), gt(lease.until, NOW));
    return (await db.select({ until: lease.until }).from(lease).where(live).limit(1)).length > 0;
  });
}

async function whyRefused(writes: Pool, outbox: string): Promise<Pick<NoWrites, "reason" | "everywhere"> | null> {
  try {
    await tryToWrite(writes, (session) => beatInPlaceOfSilent(session, outbox));
  } catch (error) {
    if (isConnectionError(error)) throw error;
    const says = errorNumber(error) !== undefined && error instanceof Error;
    if (!says || isLockTimeout(error) || NOT_REFUSED.has(errorNumber(error) ?? 0)) return null;
    // The error is about our own tables: its text has names and numbers, and in a refusal the account, which is
    // removed.
    const reason = error.message.replace(/ to user '[^']*'@'[^']*'/, "").slice(0, 200);
    return { reason, everywhere: isServerTrouble(error) };
  }
  return null;
}

/** A deadlock or our time limit: says nothing of whether writes are taken. */
const NOT_REFUSED = new Set([DEADLOCK, 3024, 1969, 1317]);

/**
 * Writes a heartbeat for the relay that fell silent last; nothing while a relay of the outbox has a fresh heartbeat.
 */
async function beatInPlaceOfSilent(session: Session, outbox: string): Promise<void> {
  const { relayInstance: relay } = session.own;
  const fresh = sql`${relay.heartbeatAt} > ${NOW} - INTERVAL ${sql.raw(String(SILENT_SOON_SECONDS))} SECOND`;
  const [last] = await session.db
    .select({ id: relay.id, isFresh: asFlag(fresh) })
    .from(relay)
    .where(eq(relay.outbox, outbox))
    .orderBy(desc(relay.heartbeatAt))
    .limit(1);
  if (last === undefined || last.isFresh) return;
  // An update to the same value would write nothing.
  await session.run(
    sql`UPDATE ${relay} SET ${sql.identifier(relay.heartbeatAt.name)} = ${NOW} WHERE ${relay.outbox} = ${outbox} AND ${relay.id} = ${last.id}`,
  );
}
