import { setTimeout as delay } from "node:timers/promises";
import type { Connection, Pool, RowDataPacket } from "mysql2/promise";
import type { EventLog } from "../../event-log.ts";
import type { Step } from "../../schedule.ts";
import type { ChaosStore } from "../chaos-store.ts";
import { openSession } from "./mysql-session.ts";
import { RELAY_USER, TABLE } from "./mysql-tables.ts";

interface FaultInput {
  serverUrl: string;
  pool: Pool;
  log: EventLog;
}

export function mysqlFaults(input: FaultInput): ChaosStore["foreign"] {
  return {
    "sessions-terminate": (step) => terminateSessions(input, step),
    /** A foreign report: the relay must assume that its transaction may still write to the outbox. */
    "foreign-snapshot": (step) => holdTransaction(input, step, (foreigner) => readAll(foreigner)),
    /** A foreign clean-up that locks unsent rows, so that they cannot be marked. */
    "foreign-locks": (step) => holdTransaction(input, step, (foreigner) => lockUnsent(foreigner, step.amount)),
  };
}

/** Kills `amount` percent of the relays' sessions. */
async function terminateSessions({ pool, log }: FaultInput, { kind, amount }: Step): Promise<boolean> {
  const over = log.begin(kind);
  try {
    const [sessions] = await pool.query<(RowDataPacket & { id: number })[]>(
      "SELECT id FROM information_schema.processlist WHERE user = ? AND RAND() * 100 < ?",
      [RELAY_USER, amount],
    );
    // One may have ended meanwhile.
    for (const { id } of sessions) await pool.query(`KILL ${id}`).catch(() => undefined);
    return sessions.length > 0;
  } catch (error) {
    log.note("fault-failed", { kind, error: String(error) });
    return false;
  } finally {
    over();
  }
}

async function readAll(foreigner: Connection): Promise<void> {
  await foreigner.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
  await foreigner.query(`SELECT count(*) FROM ${TABLE}`);
}

/** By key, so that it locks these rows and no gaps between them, in which producers insert. */
async function lockUnsent(foreigner: Connection, count: number): Promise<void> {
  await foreigner.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await foreigner.query("START TRANSACTION");
  const [rows] = await foreigner.query<(RowDataPacket & { id: string })[]>(
    `SELECT id FROM ${TABLE} WHERE published_at IS NULL ORDER BY RAND() LIMIT ?`,
    [count],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await foreigner.query(`SELECT id FROM ${TABLE} WHERE id IN (?) FOR UPDATE SKIP LOCKED`, [ids]);
}

async function holdTransaction(
  { serverUrl, log }: FaultInput,
  { kind, forMs }: Step,
  begin: (foreigner: Connection) => Promise<void>,
): Promise<boolean> {
  let foreigner: Connection | undefined;
  try {
    foreigner = await openSession(serverUrl);
    const over = log.begin(kind);
    await begin(foreigner);
    await delay(forMs);
    over();
    await foreigner.query("ROLLBACK");
    return true;
  } catch (error) {
    log.note("fault-failed", { kind, error: String(error) });
    return false;
  } finally {
    foreigner?.destroy();
  }
}
