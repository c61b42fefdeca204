import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { Boundary } from "#db/stores/port/handover.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { orderSql } from "../relay/relay-context.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "../tables/mapping-sql.ts";
import { openSession } from "./own-session.ts";
import { waitingSql } from "./waiting-sql.ts";

interface Input {
  url: string;
  ref: OutboxRef;
  reader: string;
  waitMs: number;
  most: number;
}

interface Sessions {
  /** Owns the temporary slot. */
  replication: pg.Client;
  plain: pg.Client;
}

interface Slot {
  slot: string;
  position: string;
  snapshot: string;
}

/**
 * A temporary slot with an exported snapshot: the snapshot sees exactly the transactions that the slot will not send.
 * `keep` copies the slot under its lasting name, at the same position; a process that dies before leaves nothing.
 */
export async function openBoundary({ url, ref, reader, waitMs, most }: Input): Promise<Boundary> {
  const sessions = { replication: await openSession(url, true), plain: await openSession(url) };
  const close = async () => {
    await Promise.allSettled([sessions.replication.end(), sessions.plain.end()]);
  };
  try {
    const made = await createSlot(sessions, waitMs);
    const unsent = await readUnsent(sessions.plain, ref, { snapshot: made.snapshot, most });
    const copy = `SELECT pg_copy_logical_replication_slot(${quoteLiteral(made.slot)}, ${quoteLiteral(reader)}, false)`;
    return {
      position: made.position,
      offset: null,
      unsent,
      close,
      keep: async () => void (await sessions.plain.query(copy)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createSlot({ replication, plain }: Sessions, waitMs: number): Promise<Slot> {
  const slot = `outbox_console_boundary_${randomBytes(6).toString("hex")}`;
  const pid = (replication as pg.Client & { processID: number }).processID;
  const create = replication.query<Record<string, string>>(
    `CREATE_REPLICATION_SLOT ${quoteIdentifier(slot)} TEMPORARY LOGICAL pgoutput EXPORT_SNAPSHOT`,
  );
  let holder: string | null = null;
  const timer = setTimeout(async () => {
    holder = await longestOpen(plain, pid).catch(() => "a session that cannot be named");
    await plain.query("SELECT pg_cancel_backend($1)", [pid]).catch(() => replication.end());
  }, waitMs);
  try {
    const { rows } = await create;
    const { consistent_point: position = "", snapshot_name: snapshot = "" } = rows[0] ?? {};
    return { slot, position, snapshot };
  } catch (error) {
    if (holder === null) throw error;
    const message = `The position in the log waits for every open transaction to end. After ${Math.round(waitMs / 1000)} s ${holder} is still open.`;
    throw new StoreError("locked", "locked", message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function longestOpen(plain: pg.Client, pid: number): Promise<string> {
  const { rows } = await plain.query<{ pid: number; name: string; seconds: number }>(
    `SELECT pid, application_name AS name, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
     FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> $1 ORDER BY xact_start LIMIT 1`,
    [pid],
  );
  const [found] = rows;
  if (!found) return "a transaction";
  const name = found.name === "" ? "" : ` (${found.name})`;
  return `the session with pid ${found.pid}${name}, whose transaction began ${found.seconds} s ago,`;
}

async function readUnsent(plain: pg.Client, ref: OutboxRef, { snapshot, most }: { snapshot: string; most: number }) {
  await plain.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await plain.query(`SET TRANSACTION SNAPSHOT ${quoteLiteral(snapshot)}`);
  const { id, where } = waitingSql(ref);
  const { rows } = await plain.query<{ id: string }>(
    `SELECT ${id} AS id FROM ${quoteTable(ref.mapping.table)} o WHERE ${where} ORDER BY ${orderSql(ref.mapping).orderBy} LIMIT $2`,
    [ref.name, most + 1],
  );
  await plain.query("COMMIT");
  if (rows.length <= most) return rows.map((row) => row.id);
  throw new AppError("wrong_state", `More than ${most} messages wait. Let the relay publish them first.`);
}
