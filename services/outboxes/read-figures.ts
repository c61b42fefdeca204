import type { CountFigure } from "#db/outbox/postgres/count-figure.ts";
import { countMessages, type StateCounts } from "#db/outbox/postgres/count-messages.ts";
import { databaseClock, readWaiting } from "#db/outbox/postgres/read-waiting.ts";
import { withReadTransaction } from "#db/postgres/transaction.ts";
import { listRelayRows } from "#db/relays/list-relays.ts";
import { countPartialPauses, type PartialPauses, readPauseRow } from "#db/relays/pauses.ts";
import type { OutboxHandle } from "../runtime.ts";
import type { ReadFigures } from "./compose-snapshot.ts";
import { outboxRef } from "./outbox-ref.ts";

const STATEMENT_TIMEOUT_MS = 3000;
const NO_PAUSES: PartialPauses = { eventTypes: 0, aggregates: 0, holds: 0 };

/** Counts, ages, relays and pauses of one outbox, from one read transaction. Throws what the database threw. */
export async function readFigures(handle: OutboxHandle): Promise<ReadFigures> {
  const ref = outboxRef(handle);
  const { name, storeSide } = handle;
  const figures = await withReadTransaction(handle.store.reads, STATEMENT_TIMEOUT_MS, async (client) => {
    const startedMs = performance.now();
    const askedMs = Date.now();
    const asOf = await databaseClock(client);
    const consoleOffsetMs = offsetOf(askedMs, Date.now(), Date.parse(asOf));
    const read = {
      counts: await countMessages(client, ref),
      waiting: await readWaiting(client, ref),
      relays: storeSide ? await listRelayRows(client, name) : [],
      pause: storeSide ? await readPauseRow(client, name) : null,
      partialPauses: storeSide ? await countPartialPauses(client, name) : NO_PAUSES,
      asOf,
      consoleOffsetMs,
    };
    return { ...read, tookMs: performance.now() - startedMs };
  });
  return handle.catalog.rowSecurity ? asUnknown(figures) : figures;
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
