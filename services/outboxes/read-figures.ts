import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { errorCode } from "#db/stores/postgres/connection/database-error.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { listRelayRows } from "#db/stores/postgres/own-schema/list-relays.ts";
import { countPartialPauses, type PartialPauses, readPauseRow } from "#db/stores/postgres/own-schema/pauses.ts";
import type { CountFigure } from "#db/stores/postgres/read/count-figure.ts";
import { countMessages, type StateCounts } from "#db/stores/postgres/read/count-messages.ts";
import { databaseClocks, readWaiting } from "#db/stores/postgres/read/read-waiting.ts";
import { MESSAGE_STATES } from "#domain/message-state.ts";
import type { OutboxHandle } from "../runtime.ts";
import type { ReadFigures } from "./compose-snapshot.ts";
import { outboxRef } from "./outbox-ref.ts";

const STATEMENT_TIMEOUT_MS = 3000;
const NO_PAUSES: PartialPauses = { eventTypes: 0, aggregates: 0, holds: 0, typeNames: [] };

/** Counts, ages, relays and pauses of one outbox, from one read transaction. Throws what the database threw. */
export async function readFigures(handle: OutboxHandle): Promise<ReadFigures> {
  const ref = outboxRef(handle);
  const figures = await readWhole(handle, ref).catch((error: unknown) => {
    if (errorCode(error) !== "55P03") throw error;
    return readBesideTable(handle);
  });
  return handle.catalog.rowSecurity || figures.tableLocked ? asUnknown(figures) : figures;
}

function readWhole(handle: OutboxHandle, ref: OutboxRef): Promise<ReadFigures> {
  const { name, storeSide } = handle;
  return withReadTransaction(handle.store.reads, STATEMENT_TIMEOUT_MS, async (client) => {
    const startedMs = performance.now();
    const clocks = await readClocks(client);
    const read = {
      counts: await countMessages(client, ref),
      waiting: await readWaiting(client, ref),
      relays: storeSide ? await listRelayRows(client, name) : [],
      pause: storeSide ? await readPauseRow(client, name) : null,
      partialPauses: storeSide ? await countPartialPauses(client, name) : NO_PAUSES,
      ...clocks,
    };
    return { ...read, tableLocked: false, tookMs: performance.now() - startedMs };
  });
}

const NOT_COUNTED: CountFigure = { value: 0, precision: "unknown" };

/** While another session holds the table itself: what is known without it. */
function readBesideTable({ name, store, storeSide }: OutboxHandle): Promise<ReadFigures> {
  return withReadTransaction(store.reads, STATEMENT_TIMEOUT_MS, async (client) => {
    const startedMs = performance.now();
    const clocks = await readClocks(client);
    return {
      counts: Object.fromEntries(MESSAGE_STATES.map((state) => [state, NOT_COUNTED])) as StateCounts,
      waiting: {
        oldest: null,
        oldestKnown: false,
        scheduled: NOT_COUNTED,
        nextRetryInSeconds: null,
        blocked: { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null },
        deadLast24h: null,
        oldestClaimSeconds: null,
        asOf: clocks.asOf,
      },
      relays: storeSide ? await listRelayRows(client, name) : [],
      pause: storeSide ? await readPauseRow(client, name) : null,
      partialPauses: storeSide ? await countPartialPauses(client, name) : NO_PAUSES,
      ...clocks,
      tableLocked: true,
      tookMs: performance.now() - startedMs,
    };
  });
}

async function readClocks(client: PoolClient): Promise<{ asOf: string; consoleOffsetMs: number }> {
  const askedMs = Date.now();
  const { asOf, clockAt } = await databaseClocks(client);
  return { asOf, consoleOffsetMs: offsetOf(askedMs, Date.now(), Date.parse(clockAt)) };
}

/** By how much our clock surely differs from the database's, ms: a slow answer is no difference. */
function offsetOf(askedMs: number, answeredMs: number, databaseMs: number): number {
  if (askedMs > databaseMs) return askedMs - databaseMs;
  return answeredMs < databaseMs ? answeredMs - databaseMs : 0;
}

/** Of rows that row level security hides nothing is known: what was counted is a part of them at most. */
function asUnknown(figures: ReadFigures): ReadFigures {
  const unknown = (figure: CountFigure): CountFigure => ({ ...figure, precision: "unknown" });
  const { archived, ...inTable } = figures.counts;
  const counts = Object.fromEntries(Object.entries(inTable).map(([state, figure]) => [state, unknown(figure)]));
  const { waiting } = figures;
  return {
    ...figures,
    counts: { ...(counts as Omit<StateCounts, "archived">), archived },
    waiting: { ...waiting, oldestKnown: false, scheduled: unknown(waiting.scheduled), deadLast24h: null },
  };
}
