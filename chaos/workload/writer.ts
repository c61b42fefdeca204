import { setTimeout as delay } from "node:timers/promises";
import type { EventLog } from "../event-log.ts";
import type { Random } from "../random.ts";
import type { ChaosStore } from "../stores/chaos-store.ts";
import type { Batch, Transaction, WriterSession } from "../stores/writer-session.ts";
import { aggregateName, scheduledName } from "./aggregate-names.ts";

export interface WriterCounts {
  committed: number;
  rolledBack: number;
  /** Transactions that ended with a lost connection; the ledger shows whether they were committed. */
  broken: number;
}

export interface WriterInput {
  store: ChaosStore;
  random: Random;
  aggregates: number;
  messagesPerSecond: number;
  counts: WriterCounts;
  log: EventLog;
}

const MOST_OF_A_TRANSACTION = 4;
const MOST_OF_AN_AGGREGATE = 3;
/** Average per second. */
const MESSAGES_OF_A_TRANSACTION = 5;
const LONGEST_SCHEDULE_MS = 3000;
const LONGEST_HOLD_MS = 2500;
/** One in this many transactions is held open, rolled back, scheduled or large. */
const SHARES = { held: 0.02, rolledBack: 0.04, scheduled: 0.03, large: 0.01 };
const LARGE_CHARACTERS = 20_000;
/** Half of the writes go to a twentieth of the aggregates. */
const HOT = { share: 0.5, of: 0.05 };

/** Writes until aborted; continues after every database outage. */
export async function runWriter(input: WriterInput, signal: AbortSignal): Promise<void> {
  const pauseMs = (1000 * MESSAGES_OF_A_TRANSACTION) / input.messagesPerSecond;
  while (!signal.aborted) {
    let session: WriterSession | undefined;
    try {
      session = await input.store.openWriter();
      while (!signal.aborted) {
        await writeOnce(session, input);
        await delay(pauseMs * 2 * input.random.next());
      }
    } catch (error) {
      input.counts.broken += 1;
      input.log.note("writer-broken", { error: String(error) });
      await delay(200);
    } finally {
      await session?.close();
    }
  }
}

async function writeOnce(session: WriterSession, { random, aggregates, counts }: WriterInput): Promise<void> {
  const transaction = chooseTransaction(random, aggregates);
  if (!(await session.write(transaction))) {
    counts.rolledBack += 1;
    return;
  }
  counts.committed += transaction.batches.reduce((sum, { count }) => sum + count, 0);
}

function chooseTransaction(random: Random, aggregates: number): Transaction {
  const held = random.chance(SHARES.held);
  const touched = new Set<number>();
  const size = random.int(1, MOST_OF_A_TRANSACTION);
  while (touched.size < Math.min(size, held ? 2 : size)) touched.add(chooseAggregate(random, aggregates, held));
  const batches = [...touched].sort((left, right) => left - right).map((one) => chooseBatch(random, one));
  return {
    batches,
    holdMs: held ? random.int(100, LONGEST_HOLD_MS) : 0,
    rollBack: random.chance(SHARES.rolledBack),
  };
}

function chooseBatch(random: Random, aggregate: number): Batch {
  const count = random.int(1, MOST_OF_AN_AGGREGATE);
  const scheduledMs = random.chance(SHARES.scheduled) ? random.int(0, LONGEST_SCHEDULE_MS) : null;
  const pad = random.chance(SHARES.large) ? LARGE_CHARACTERS : random.int(0, 300);
  return {
    aggregate: scheduledMs === null ? aggregateName(aggregate) : scheduledName(aggregate),
    count,
    scheduledMs,
    pad,
  };
}

/** A transaction that is held open uses a rarely written aggregate, so that few other writers wait. */
function chooseAggregate(random: Random, aggregates: number, held: boolean): number {
  const hot = Math.max(1, Math.floor(aggregates * HOT.of));
  return !held && random.chance(HOT.share) ? random.int(0, hot - 1) : random.int(hot, aggregates - 1);
}
