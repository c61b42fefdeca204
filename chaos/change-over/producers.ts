import { setTimeout as delay } from "node:timers/promises";

export interface Batch {
  aggregateType: string;
  aggregate: string;
  /** Of the first event, within the aggregate. */
  from: number;
  count: number;
  filler: string;
}

/** The outbox of a database, as producers write it. */
export interface ProducedOutbox {
  /** In one transaction, with `pause` after the first event. */
  write(batch: Batch, pause: () => Promise<void>): Promise<void>;
  isThere(batch: Batch): Promise<boolean>;
}

export interface Producers {
  /** Events of committed transactions so far. */
  committed(): number;
  /** Ends them after their present transactions. */
  stop(): Promise<void>;
}

const MOST_IN_ONE = 6;
const LONGEST_OPEN_MS = 40;
const MOST_TRIES = 600;
const PAUSE_MS = 100;

/**
 * Producers with overlapping transactions, so that the order of commits differs from that of inserts; they share no
 * aggregates. Payload {"aggregate", "n"}, where n counts within the aggregate.
 */
export function startProducers(
  outbox: ProducedOutbox,
  input: { producers: number; perSecond: number; bytes: number; aggregateType?: string; prefix?: string },
): Producers {
  const { aggregateType = "order", prefix = "p" } = input;
  let [stopped, committed] = [false, 0];
  const filler = "x".repeat(input.bytes);
  const perProducer = input.perSecond / input.producers;
  const run = async (producer: number) => {
    let n = 0;
    const startedMs = performance.now();
    while (!stopped) {
      const count = 1 + Math.floor(Math.random() * MOST_IN_ONE);
      await writeOnce(outbox, { aggregateType, aggregate: `${prefix}${producer}`, from: n, count, filler });
      n += count;
      committed += count;
      await delay(Math.max(0, startedMs + (n / perProducer) * 1000 - performance.now()));
    }
  };
  const running = Promise.all(Array.from({ length: input.producers }, (_, producer) => run(producer)));
  running.catch(() => undefined);
  return {
    committed: () => committed,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Tries until it is committed, however often the database is lost; after a lost answer, looks the events up. */
async function writeOnce(outbox: ProducedOutbox, batch: Batch): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (tries > 0 && (await outbox.isThere(batch))) return;
      return await outbox.write(batch, stayOpen);
    } catch (error) {
      if (tries >= MOST_TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function stayOpen(): Promise<void> {
  if (Math.random() < 0.5) await delay(Math.random() * LONGEST_OPEN_MS);
}
