import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { EventLog } from "../event-log.ts";
import type { Random } from "../random.ts";
import { TABLE } from "../world/relay-config.ts";

export interface WriterCounts {
  committed: number;
  rolledBack: number;
  /** Transactions that ended with a lost connection; the ledger shows whether they were committed. */
  broken: number;
}

export interface WriterInput {
  databaseUrl: string;
  random: Random;
  aggregates: number;
  messagesPerSecond: number;
  counts: WriterCounts;
  log: EventLog;
}

/**
 * Writes messages as a service that serialises its aggregates does: it locks the aggregate's row before drawing the
 * sequence, and until the commit. So an aggregate's order is that of its sequence, of its version `n`, and of its
 * commits. The ledger is written in the same transaction.
 */
const WRITE = `
WITH locked AS (UPDATE chaos_aggregate SET version = version + $2::int WHERE id = $1 RETURNING version - $2::int AS before),
written AS (
  INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, available_at)
  SELECT 'order', $1, 'order.changed', jsonb_build_object('aggregate', $1::text, 'n', before + i, 'pad', repeat('x', $4::int)),
    clock_timestamp() + $3::int * interval '1 ms'
  FROM locked, generate_series(1, $2::int) i ORDER BY i
  RETURNING id, seq, aggregate_id, payload, available_at)
INSERT INTO chaos_ledger SELECT id, seq, aggregate_id, (payload->>'n')::int, available_at IS NOT NULL FROM written`;

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
    const client = new pg.Client({ connectionString: input.databaseUrl, application_name: "chaos writer" });
    client.on("error", () => undefined);
    try {
      await client.connect();
      while (!signal.aborted) {
        await writeOnce(client, input);
        await delay(pauseMs * 2 * input.random.next());
      }
    } catch (error) {
      input.counts.broken += 1;
      input.log.note("writer-broken", { error: String(error) });
      await delay(200);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function writeOnce(client: pg.Client, { random, aggregates, counts }: WriterInput): Promise<void> {
  const held = random.chance(SHARES.held);
  const touched = new Set<number>();
  const size = random.int(1, MOST_OF_A_TRANSACTION);
  while (touched.size < Math.min(size, held ? 2 : size)) touched.add(chooseAggregate(random, aggregates, held));
  let written = 0;
  await client.query("BEGIN");
  // In key order, so that writers wait for each other and never deadlock.
  for (const aggregate of [...touched].sort((left, right) => left - right)) {
    const count = random.int(1, MOST_OF_AN_AGGREGATE);
    const scheduledMs = random.chance(SHARES.scheduled) ? random.int(0, LONGEST_SCHEDULE_MS) : null;
    const pad = random.chance(SHARES.large) ? LARGE_CHARACTERS : random.int(0, 300);
    // Scheduled messages have separate aggregates: they are sent when due, not in order.
    const id = scheduledMs === null ? aggregateName(aggregate) : scheduledName(aggregate);
    await client.query(WRITE, [id, count, scheduledMs, pad]);
    written += count;
  }
  if (held) await delay(random.int(100, LONGEST_HOLD_MS));
  if (random.chance(SHARES.rolledBack)) {
    await client.query("ROLLBACK");
    counts.rolledBack += 1;
    return;
  }
  await client.query("COMMIT");
  counts.committed += written;
}

/** A transaction that is held open uses a rarely written aggregate, so that few other writers wait. */
function chooseAggregate(random: Random, aggregates: number, held: boolean): number {
  const hot = Math.max(1, Math.floor(aggregates * HOT.of));
  return !held && random.chance(HOT.share) ? random.int(0, hot - 1) : random.int(hot, aggregates - 1);
}

export function aggregateName(index: number): string {
  return `a-${String(index).padStart(6, "0")}`;
}
export function scheduledName(index: number): string {
  return `s-${String(index).padStart(6, "0")}`;
}
