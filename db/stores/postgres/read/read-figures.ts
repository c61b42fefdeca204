import type { Pool, PoolClient } from "pg";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { ownTableLocked } from "#db/stores/shared/connection/own-table-locked.ts";
import { type Clocks, clockOffset } from "#db/stores/shared/read/clocks.ts";
import { UNKNOWN_COUNT } from "#db/stores/shared/read/count-figure.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import type { OutboxFigures, StateCounts } from "../../port/outbox-figures.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { READ_COMMANDS, rowSecuritySql, WRITE_COMMANDS } from "../catalog/row-security-sql.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { listRelayRows } from "../own-schema/list-relays.ts";
import { countPartialPauses, readPauseRow } from "../own-schema/pauses.ts";
import { whoLocksOwnTable } from "../own-schema/who-locks.ts";
import { countMessages } from "./count-messages.ts";
import type { CountedEntries } from "./count-parts.ts";
import { databaseClocks, readWaiting } from "./read-waiting.ts";

const STATEMENT_TIMEOUT_MS = 3000;
const NO_PAUSES = { eventTypes: 0, aggregates: 0, holds: 0, typeNames: [] };
const ROW_SECURITY = `SELECT ${rowSecuritySql(READ_COMMANDS)} AS "onRead", ${rowSecuritySql(WRITE_COMMANDS)} AS "onWrite"
  FROM pg_class c WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relname = $2`;

/**
 * Counts, ages, relays and pauses from one read transaction. If another session has locked the table, reads only the
 * store side.
 */
export async function readFigures(pool: Pool, ref: OutboxRef): Promise<OutboxFigures> {
  try {
    return await withReadTransaction(pool, STATEMENT_TIMEOUT_MS, (client) => readWhole(client, ref));
  } catch (error) {
    if (errorCode(error) !== "55P03") throw error;
    return withReadTransaction(pool, STATEMENT_TIMEOUT_MS, async (client) => {
      await refuseLockedOwnTable(client, ref, error);
      return readBesideTable(client, ref);
    });
  }
}

/** Without our own tables nothing of the outbox is known, though the outbox table is free. */
async function refuseLockedOwnTable(client: PoolClient, { name, storeSide }: OutboxRef, cause: unknown): Promise<void> {
  if (!storeSide) return;
  const refusal = await ownTableLocked(name, (tables) => whoLocksOwnTable(client, "readers", tables), cause);
  if (refusal) throw refusal;
}

async function readWhole(client: PoolClient, ref: OutboxRef): Promise<OutboxFigures> {
  const startedMs = performance.now();
  const clocks = await readClocks(client);
  const counted: CountedEntries = new Map();
  const read = {
    counts: await countMessages(client, ref, counted),
    waiting: await readWaiting(client, ref, counted),
    ...(await readStoreSide(client, ref)),
    ...clocks,
    rowSecurity: await readRowSecurity(client, ref),
  };
  return { ...read, tableLocked: false, tookMs: performance.now() - startedMs };
}

async function readBesideTable(client: PoolClient, ref: OutboxRef): Promise<OutboxFigures> {
  const startedMs = performance.now();
  const clocks = await readClocks(client);
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
    ...(await readStoreSide(client, ref)),
    ...clocks,
    rowSecurity: await readRowSecurity(client, ref),
    tableLocked: true,
    tookMs: performance.now() - startedMs,
  };
}

async function readStoreSide(client: PoolClient, { name, storeSide }: OutboxRef) {
  if (!storeSide) return { relays: [], pause: null, partialPauses: NO_PAUSES };
  return {
    relays: await listRelayRows(client, name),
    pause: await readPauseRow(client, name),
    partialPauses: await countPartialPauses(client, name),
  };
}

/** Detects a row security policy created since the catalog was read. Rows that it hides raise no error. */
async function readRowSecurity(client: PoolClient, { mapping }: OutboxRef): Promise<OutboxFigures["rowSecurity"]> {
  const { rows } = await client.query<OutboxFigures["rowSecurity"]>(ROW_SECURITY, [
    mapping.table.schema,
    mapping.table.name,
  ]);
  return rows[0] ?? { onRead: false, onWrite: false };
}

async function readClocks(client: PoolClient): Promise<Clocks> {
  const askedMs = Date.now();
  const clocks = await databaseClocks(client);
  return { ...clocks, consoleOffsetMs: clockOffset(askedMs, Date.now(), Date.parse(clocks.clockAt)) };
}
