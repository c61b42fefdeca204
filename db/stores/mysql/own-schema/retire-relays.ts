import { and, eq, inArray, lt, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/mysql-core";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { RelayTotals } from "../../port/relay-rows.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { NOW } from "../tables/column-values.ts";
import { afterDeadlock } from "./after-deadlock.ts";

const EPOCH = "1970-01-01T00:00:00Z";

interface Silent extends RelayTotals {
  outbox: string;
  id: string;
}

/**
 * Deletes relay instances that have been silent for `silentHours` and adds their counters to the retired row. Keeps the
 * newest of each outbox, so "last heard" stays known. Returns how many were deleted.
 * Race: two concurrent monitors take turns by a lock on our meta row, so nothing is counted twice or dropped.
 */
export function retireRelays(pool: Pool, silentHours: number): Promise<number> {
  return afterDeadlock(() =>
    withWriteTransaction(pool, async (session) => {
      const { db, own } = session;
      await db.select({ id: own.meta.id }).from(own.meta).where(eq(own.meta.id, 1)).for("update");
      const silent = await lockSilent(session, silentHours);
      for (const [outbox, gone] of Map.groupBy(silent, (row) => row.outbox)) await retire(session, outbox, gone);
      return silent.length;
    }),
  );
}

/** Locks the rows, so that no heartbeat changes the counted ones. */
async function lockSilent({ db, own: { relayInstance } }: Session, silentHours: number): Promise<Silent[]> {
  const newer = alias(relayInstance, "newer");
  const hasNewer = sql`EXISTS (SELECT 1 FROM ${relayInstance} ${newer}
    WHERE ${newer.outbox} = ${relayInstance.outbox} AND ${newer.heartbeatAt} > ${relayInstance.heartbeatAt})`;
  const rows = await db
    .select({ outbox: relayInstance.outbox, id: relayInstance.id, ...counters(relayInstance) })
    .from(relayInstance)
    .where(
      and(
        ne(relayInstance.id, RETIRED),
        lt(relayInstance.heartbeatAt, sql`${NOW} - INTERVAL ${silentHours} HOUR`),
        hasNewer,
      ),
    )
    .orderBy(relayInstance.outbox, relayInstance.id)
    .for("update");
  return rows.map((row) => ({ ...row, latency: row.latency as number[] }));
}

async function retire(session: Session, outbox: string, gone: readonly Silent[]): Promise<void> {
  const { db, own } = session;
  const { relayInstance } = own;
  const ids = gone.map(({ id }) => id);
  const ofOutbox = eq(relayInstance.outbox, outbox);
  const [kept] = await db
    .select(counters(relayInstance))
    .from(relayInstance)
    .where(and(ofOutbox, eq(relayInstance.id, RETIRED)))
    .for("update");
  const totals = sum([...gone, ...(kept ? [{ ...kept, latency: kept.latency as number[] }] : [])]);
  await session.run(db.delete(relayInstance).where(and(ofOutbox, inArray(relayInstance.id, ids))));
  const nothing = { host: "", pid: 0, version: "", state: "stopped", source: "", sink: {}, routes: [] };
  const none = { inFlight: 0, foreignPublished: 0, foreignUnclaimed: 0, lateCommits: 0, partitions: 0 };
  await session.run(
    db
      .insert(relayInstance)
      .values({ id: RETIRED, outbox, startedAt: EPOCH, heartbeatAt: EPOCH, ...nothing, ...none, ...totals })
      .onDuplicateKeyUpdate({ set: { ...totals } }),
  );
}

/** Totals of all relays an outbox ever had, retired ones included; zero if none ever ran. */
export async function readRelayTotals({ db, own }: Session, outbox: string): Promise<RelayTotals> {
  const { relayInstance } = own;
  const rows = await db.select(counters(relayInstance)).from(relayInstance).where(eq(relayInstance.outbox, outbox));
  return sum(rows.map((row) => ({ ...row, latency: row.latency as number[] })));
}

function counters({ published, failures, latency }: Session["own"]["relayInstance"]) {
  return { published, failures, latency };
}

function sum(rows: readonly RelayTotals[]): RelayTotals {
  const buckets = Math.max(0, ...rows.map(({ latency }) => latency.length));
  return {
    published: rows.reduce((total, row) => total + row.published, 0),
    failures: rows.reduce((total, row) => total + row.failures, 0),
    latency: Array.from({ length: buckets }, (_, place) =>
      rows.reduce((total, { latency }) => total + (latency[place] ?? 0), 0),
    ),
  };
}
