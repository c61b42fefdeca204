import { and, desc, eq, gt, sql } from "drizzle-orm";
import { type NoWrites, SILENT_SOON_SECONDS } from "#domain/diagnosis/facts.ts";
import { DEADLOCK, errorNumber, isConnectionError, isLockTimeout } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { tryToWrite, withSession } from "../connection/transaction.ts";
import { asFlag, NOW } from "../tables/column-values.ts";
import { endSessionSql } from "./our-sessions.ts";

/** Newer MariaDB servers answer in words. */
const TAKES_WRITES = ["0", "OFF"];
/** Accounts with one of these write all the same, unless `super_read_only` is on. */
const PRIVILEGES = sql`('SUPER', 'CONNECTION_ADMIN', 'READ_ONLY ADMIN')`;
const MAY_WRITE = sql`EXISTS (SELECT 1 FROM information_schema.user_privileges
  WHERE grantee = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''') AND privilege_type IN ${PRIVILEGES})`;

/**
 * Why the server takes no writes of this account; null if it takes them. A full disk or a permission that was revoked is
 * in no setting: where the relays of the outbox have fallen silent, their heartbeat is tried, and rolled back.
 */
export async function readWhyReadOnly(writes: Pool, outbox: string): Promise<NoWrites | null> {
  const rows = await withSession(writes, (session) => session.rows(sql`SELECT @@global.read_only, ${MAY_WRITE}`));
  const [readOnly, mayWrite] = rows[0] ?? [];
  if (mayWrite !== "1" && !TAKES_WRITES.includes(readOnly ?? "0"))
    return { reason: "the server is read-only", tried: false, leased: false };
  const locker = await withSession(writes, whoLockedAll);
  if (locker) return locker;
  const reason = await whyRefused(writes, outbox);
  return reason === null ? null : { reason, tried: true, leased: await isLeased(writes, outbox) };
}

/**
 * A session that has locked every table, as a backup does (FLUSH TABLES WITH READ LOCK). Asked before a heartbeat is tried,
 * which would wait for it. Null also where metadata locks are not recorded, or may not be read.
 */
async function whoLockedAll(session: Session): Promise<NoWrites | null> {
  const program = sql`(SELECT a.attr_value FROM performance_schema.session_connect_attrs a
    WHERE a.processlist_id = t.processlist_id AND a.attr_name = 'program_name' LIMIT 1)`;
  const rows = await session
    .rows(
      sql`SELECT t.processlist_id, COALESCE(${program}, t.processlist_user)
        FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
        WHERE m.object_type = 'GLOBAL' AND m.lock_type = 'SHARED' AND m.lock_status = 'GRANTED' AND t.processlist_id <> CONNECTION_ID()
        LIMIT 1`,
    )
    .catch((error: unknown) => {
      if (isConnectionError(error)) throw error;
      return [];
    });
  const [found] = rows;
  if (!found) return null;
  const [id, name] = found;
  return {
    reason: `${name || "a session"} (pid ${id}) has locked all tables for writes, as FLUSH TABLES WITH READ LOCK does`,
    tried: false,
    leased: false,
    remedy: `A backup does this for a while. If it lasts, let its owner run UNLOCK TABLES, or end the session: \`${endSessionSql(Number(id))}\`.`,
  };
}

async function isLeased(writes: Pool, outbox: string): Promise<boolean> {
  return withSession(writes, async ({ db, own: { lease } }) => {
    const live = and(eq(lease.outbox, outbox), gt(lease.until, NOW));
    return (await db.select({ until: lease.until }).from(lease).where(live).limit(1)).length > 0;
  });
}

async function whyRefused(writes: Pool, outbox: string): Promise<string | null> {
  try {
    await tryToWrite(writes, (session) => beatInPlaceOfSilent(session, outbox));
  } catch (error) {
    if (isConnectionError(error)) throw error;
    const says = errorNumber(error) !== undefined && error instanceof Error;
    if (!says || isLockTimeout(error) || NOT_REFUSED.has(errorNumber(error) ?? 0)) return null;
    // Of our own tables: the server's words hold names and numbers, and in a refusal the account.
    return error.message.replace(/ to user '[^']*'@'[^']*'/, "").slice(0, 200);
  }
  return null;
}

/** A deadlock or our time limit: says nothing of whether writes are taken. */
const NOT_REFUSED = new Set([DEADLOCK, 3024, 1969, 1317]);

/** Writes the last silent relay's row; nothing while a relay of the outbox has a fresh heartbeat. */
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
