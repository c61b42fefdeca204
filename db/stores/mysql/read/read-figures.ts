import { ownTableLocked } from "#db/stores/shared/connection/own-table-locked.ts";
import { type Clocks, clockOffset } from "#db/stores/shared/read/clocks.ts";
import { UNKNOWN_COUNT } from "#db/stores/shared/read/count-figure.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import type { OutboxFigures, StateCounts } from "../../port/outbox-figures.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { isForbidden, isLockTimeout } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { listRelayRows } from "../own-schema/list-relays.ts";
import { countPartialPauses, readPauseRow } from "../own-schema/pauses.ts";
import { whoLocksOwnTable } from "../own-schema/who-locks.ts";
import { requireZones } from "../tables/zones.ts";
import { countMessages } from "./count-messages.ts";
import { databaseClocks, readWaiting } from "./read-waiting.ts";

const STATEMENT_TIMEOUT_MS = 3000;
const NO_PAUSES = { eventTypes: 0, aggregates: 0, holds: 0, typeNames: [] };
const NO_ROW_SECURITY = { onRead: false, onWrite: false };

/**
 * Counts, ages, relays and pauses from one read transaction. If another session has locked the table, reads only the
 * store side.
 */
export async function readFigures(pool: Pool, ref: OutboxRef): Promise<OutboxFigures> {
  try {
    return await withReadTransaction(pool, STATEMENT_TIMEOUT_MS, (session) => readWhole(session, ref));
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return withReadTransaction(pool, STATEMENT_TIMEOUT_MS, async (session) => {
      await refuseLockedOwnTable(session, ref, error);
      return readBesideTable(session, ref);
    });
  }
}

/** Without our own tables nothing of the outbox is known, though the outbox table is free. */
async function refuseLockedOwnTable(session: Session, { name, storeSide }: OutboxRef, cause: unknown): Promise<void> {
  if (!storeSide) return;
  const refusal = await ownTableLocked(
    name,
    (tables) => orUnknown(() => whoLocksOwnTable(session, "readers", tables)),
    cause,
  );
  if (refusal) throw refusal;
}

/** Null if this user may not read it. */
async function orUnknown<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return null;
  }
}

async function readWhole(session: Session, ref: OutboxRef): Promise<OutboxFigures> {
  const startedMs = performance.now();
  await requireZones(session, ref.mapping);
  const clocks = await readClocks(session);
  const read = {
    counts: await countMessages(session, ref),
    waiting: await readWaiting(session, ref),
    ...(await readStoreSide(session, ref)),
    ...clocks,
  };
  return { ...read, tableLocked: false, rowSecurity: NO_ROW_SECURITY, tookMs: performance.now() - startedMs };
}

async function readBesideTable(session: Session, ref: OutboxRef): Promise<OutboxFigures> {
  const startedMs = performance.now();
  const clocks = await readClocks(session);
  return {
    counts: Object.fromEntries(MESSAGE_STATES.map((state) => [state, UNKNOWN_COUNT])) as StateCounts,
    waiting: {
      oldest: null,
      oldestKnown: false,
      scheduled: UNKNOWN_COUNT,
      nextRetryInSeconds: null,
      blocked: { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null },
      deadLast24h: null,
      oldestClaimSeconds: null,
      asOf: clocks.asOf,
    },
    ...(await readStoreSide(session, ref)),
    ...clocks,
    tableLocked: true,
    rowSecurity: NO_ROW_SECURITY,
    tookMs: performance.now() - startedMs,
  };
}

async function readStoreSide(session: Session, { name, storeSide }: OutboxRef) {
  if (!storeSide) return { relays: [], pause: null, partialPauses: NO_PAUSES };
  return {
    relays: await listRelayRows(session, name),
    pause: await readPauseRow(session, name),
    partialPauses: await countPartialPauses(session, name),
  };
}

async function readClocks(session: Session): Promise<Clocks> {
  const askedMs = Date.now();
  const { asOf, clockAt } = await databaseClocks(session);
  const consoleOffsetMs = clockOffset(askedMs, Date.now(), Date.parse(clockAt));
  return { asOf, clockAt, judgedAt: clockAt, standsStill: false, consoleOffsetMs };
}
