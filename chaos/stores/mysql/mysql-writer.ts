import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2/promise";
import type { Batch, WriterSession } from "../writer-session.ts";
import { openSession } from "./mysql-session.ts";
import { TABLE } from "./mysql-tables.ts";

/** Locks the aggregate's row before drawing the sequence, and until the commit; its new version is the insert id. */
const LOCK = "UPDATE chaos_aggregate SET version = LAST_INSERT_ID(version + ?) WHERE id = ?";
const WRITE = `INSERT INTO ${TABLE} (id, aggregate_type, aggregate_id, event_type, payload, available_at)
  VALUES (?, 'order', ?, 'order.changed', ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)`;
const WRITTEN = `SELECT id, seq FROM ${TABLE} WHERE id IN (?)`;
const LEDGER = "INSERT INTO chaos_ledger (id, seq, aggregate, n, scheduled) VALUES ?";

/** At the server's default isolation, REPEATABLE READ, like most services. */
export async function openMysqlWriter(serverUrl: string): Promise<WriterSession> {
  const connection = await openSession(serverUrl);
  return {
    write: async ({ batches, holdMs, rollBack }) => {
      await connection.query("START TRANSACTION");
      for (const batch of batches) await writeBatch(connection, batch);
      if (holdMs > 0) await delay(holdMs);
      await connection.query(rollBack ? "ROLLBACK" : "COMMIT");
      return !rollBack;
    },
    close: async () => connection.destroy(),
  };
}

async function writeBatch(connection: Connection, { aggregate, count, scheduledMs, pad }: Batch): Promise<void> {
  const [locked] = await connection.query<ResultSetHeader>(LOCK, [count, aggregate]);
  const before = locked.insertId - count;
  const numbers = new Map<string, number>();
  for (let n = before + 1; n <= before + count; n += 1) {
    const id = randomUUID();
    numbers.set(id, n);
    const payload = JSON.stringify({ aggregate, n, pad: "x".repeat(pad) });
    await connection.execute(WRITE, [id, aggregate, payload, scheduledMs === null ? null : scheduledMs * 1000]);
  }
  const [written] = await connection.query<(RowDataPacket & { id: string; seq: number })[]>(WRITTEN, [
    [...numbers.keys()],
  ]);
  const rows = written.map(({ id, seq }) => [id, seq, aggregate, numbers.get(id), scheduledMs !== null]);
  await connection.query(LEDGER, [rows]);
}
