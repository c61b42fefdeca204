import { type SQL, sql } from "drizzle-orm";
import type { NoWrites } from "#domain/diagnosis/facts/store-facts.ts";
import type { Session } from "../../connection/session.ts";
import { endSessionSql } from "./our-sessions.ts";

/** Commits take milliseconds; one that waits for so long is held back, s. */
const WAITS_SECONDS = 2;

const SERVER_WIDE = { tried: false, leased: false, everywhere: true };

/**
 * Why commits of all sessions wait: for a replica, for room on a disk, or for a backup that has locked the whole server.
 * Null if none is known to. Without the privilege PROCESS only sessions of this user are seen.
 */
export async function readHeldCommits(session: Session): Promise<NoWrites | null> {
  return (
    (await awaitsReplica(session)) ??
    (await awaitsSpace(session)) ??
    (await whoLockedAll(session)) ??
    (await heldByBackup(session))
  );
}

/** Newer MySQL servers say source and replica for master and slave. */
const REPLICA_AWAITED = sql`state LIKE 'Waiting for semi-sync ACK%' AND time >= ${sql.raw(String(WAITS_SECONDS))}`;

/** A heartbeat is a commit too and waits as well, so running and stopped relays look alike. */
async function awaitsReplica(session: Session): Promise<NoWrites | null> {
  if (!(await someSession(session, REPLICA_AWAITED))) return null;
  const rows = await session.rows(
    sql`SHOW GLOBAL STATUS WHERE variable_name IN ('Rpl_semi_sync_master_clients', 'Rpl_semi_sync_source_clients')`,
  );
  const [[name = "", clients = ""] = []] = rows;
  const connected = clients === "0" ? "none is connected" : `${clients} connected`;
  const setting = `rpl_semi_sync_${name?.includes("source") ? "source" : "master"}_enabled`;
  return {
    reason: `commits wait for a semi-synchronous replica that does not confirm them, ${connected}`,
    ...SERVER_WIDE,
    remedy: `Bring the replica back, or let commits not wait for one (\`SET GLOBAL ${setting} = OFF\`): those that wait are then done.`,
  };
}

/** MariaDB's and newer MySQL servers' words for a write to a full disk, which waits instead of failing. */
const SPACE_AWAITED = sql`(state LIKE 'Waiting for someone to free space%' OR state LIKE 'Waiting for disk space%')`;
/**
 * MySQL's for any commit that is not finished. Ours are small: one that lasts waits for the disk of the binary log, also
 * if the disk is not full and does not answer.
 */
const OUR_COMMIT_LASTS = sql`state = 'waiting for handler commit' AND time >= ${sql.raw(String(WAITS_SECONDS))}
  AND user = SUBSTRING_INDEX(USER(), '@', 1)`;

async function awaitsSpace(session: Session): Promise<NoWrites | null> {
  const isFull = await someSession(session, SPACE_AWAITED);
  if (!isFull && !(await someSession(session, OUR_COMMIT_LASTS))) return null;
  return {
    reason: isFull
      ? "commits wait because the disk of the server, or of its binary log, is full"
      : "commits do not finish, as when the disk of the server's binary log is full",
    ...SERVER_WIDE,
    remedy:
      "Free space on the disk of the server and of its binary log, or enlarge it. The commits that wait are then done, up to a minute later; the server's log says whether the disk is full.",
  };
}

const PROGRAM = sql`COALESCE((SELECT a.attr_value FROM performance_schema.session_connect_attrs a
  WHERE a.processlist_id = t.processlist_id AND a.attr_name = 'program_name' LIMIT 1), t.processlist_user)`;

/** A session's lock on the whole server; null where metadata locks are not recorded, or may not be read. */
async function readHolder(session: Session, lock: SQL): Promise<{ id: number; name: string } | null> {
  const [[id, name] = []] = await session.rows(
    sql`SELECT t.processlist_id, ${PROGRAM}
      FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
      WHERE ${lock} AND m.lock_status = 'GRANTED' AND t.processlist_id <> CONNECTION_ID() LIMIT 1`,
  );
  return id ? { id: Number(id), name: `${name || "a session"} (pid ${id})` } : null;
}

/** FLUSH TABLES WITH READ LOCK, as backups use it: in MySQL and in MariaDB. */
const READ_LOCK = sql`(m.object_type = 'GLOBAL' AND m.lock_type = 'SHARED'
  OR m.object_type = 'BACKUP' AND m.lock_type LIKE 'BACKUP\\_FTWRL%')`;

async function whoLockedAll(session: Session): Promise<NoWrites | null> {
  const holder = await readHolder(session, READ_LOCK);
  return (
    holder && heldBy(holder, "has locked all tables for writes, as FLUSH TABLES WITH READ LOCK does", "UNLOCK TABLES")
  );
}

/** The stage that MariaDB shows of a backup may be an earlier one; a migration waits in this state, too. */
const BACKUP_AWAITED = sql`state = 'Waiting for backup lock'
  AND NOT COALESCE(info, '') REGEXP '^[[:space:]]*(ALTER|CREATE|DROP|RENAME|TRUNCATE|OPTIMIZE|REPAIR|ANALYZE|GRANT|REVOKE|BACKUP|FLUSH)'`;

const STAGED = sql`m.object_type = 'BACKUP' AND m.lock_duration = 'EXPLICIT'`;

async function heldByBackup(session: Session): Promise<NoWrites | null> {
  if (session.server.flavor !== "mariadb" || !(await someSession(session, BACKUP_AWAITED))) return null;
  const holder = await readHolder(session, STAGED);
  if (holder) return heldBy(holder, "holds back every commit, as BACKUP STAGE does", "BACKUP STAGE END");
  return {
    reason: "another session holds back every commit, as BACKUP STAGE and FLUSH TABLES WITH READ LOCK do",
    ...SERVER_WIDE,
    remedy:
      "A backup does this for a while. If it lasts, end its session: `SHOW PROCESSLIST` there lists all sessions.",
  };
}

function heldBy({ id, name }: { id: number; name: string }, does: string, undo: string): NoWrites {
  return {
    reason: `${name} ${does}`,
    ...SERVER_WIDE,
    remedy: `A backup does this for a while. If it lasts, let its owner run ${undo}, or end the session: \`${endSessionSql(id)}\`.`,
  };
}

async function someSession(session: Session, condition: SQL): Promise<boolean> {
  const query = sql`SELECT 1 FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND (${condition}) LIMIT 1`;
  return (await session.rows(query)).length > 0;
}
