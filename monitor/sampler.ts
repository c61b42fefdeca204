import type { Records } from "#db/records/records.ts";
import type { CounterReading } from "#db/stores/port/outbox-figures.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { StoreTurns } from "#services/stores/store-turns.ts";
import { EachOutbox } from "./each-outbox.ts";
import { flowBetween } from "./flow.ts";
import { type InflowSource, InflowSources } from "./inflow-source.ts";
import { levelsOf, unpublishedOf } from "./levels.ts";
import { logTrouble } from "./log.ts";

/** Outboxes of one store. Most of a turn is waiting: figures and counters are read by a few at a time. */
const AT_ONCE = 16;
/** Outboxes of one store whose counters are read at once: its connections are for the figures and for operators. */
const COUNTERS_AT_ONCE = 1;
const SAMPLE_STEP_SECONDS = 5;
const LARGEST_NUDGE_MS = 500;

/** Waiting messages, with the counters of the same moment. */
interface Level {
  reading: CounterReading;
  /** Messages that were not published; null if they are not counted exactly. */
  unpublished: number | null;
  asOf: string;
}

interface Seen {
  reading: CounterReading;
  sources: InflowSources;
  /** Figures that are expensive for the database are reused for several samples. */
  level: Level;
}

/** Writes a sample of each outbox every step. If its database does not answer, it writes none: a gap, not a zero. */
export class Sampler {
  readonly #runtime: Runtime;
  readonly #records: Records;
  readonly #last = new Map<string, Seen>();
  readonly #each: EachOutbox;
  readonly #counters = new StoreTurns(COUNTERS_AT_ONCE);
  #nudgeMs = 0;

  constructor(options: { runtime: Runtime; records: Records; signal: AbortSignal }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#each = new EachOutbox({
      work: (outbox) => this.sample(outbox),
      onError: (outbox, error) => {
        this.#last.delete(outbox);
        logTrouble(`sampler of ${outbox}`, error);
      },
      atOnce: AT_ONCE,
      largestShare: 1 / 4,
      signal: options.signal,
    });
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    this.#each.start(outboxes);
  }

  /**
   * Ms to the next sample. Aims at the middle of the console database's steps, so that none is sampled twice or missed.
   */
  get nextMs(): number {
    return SAMPLE_STEP_SECONDS * 1000 + this.#nudgeMs;
  }

  settle(): Promise<void> {
    return this.#each.settle();
  }

  async sample(outbox: OutboxHandle): Promise<void> {
    // While its store is silent this fails, so that no counters are asked for that nobody will use.
    await outbox.store.guard.check();
    const [snapshot, reading] = await Promise.all([
      takeSnapshot({ runtime: this.#runtime, outbox: outbox.name }),
      this.#counters.run(outbox.store, () => outboxOf(outbox).read.counters()),
    ]);
    const before = this.#last.get(outbox.name);
    const sources = before?.sources ?? new InflowSources();
    const source = sources.note(reading);
    const flow = flowBetween(before?.reading, reading, source);
    const levels = levelsOf(snapshot);
    const fresh = before?.level.asOf !== snapshot.asOf;
    const level =
      fresh || !before ? { reading, unpublished: unpublishedOf(snapshot.counts), asOf: snapshot.asOf } : before.level;
    this.#last.set(outbox.name, { reading, sources, level });
    const ours = outbox.config.mode === "relay";
    const drained = before && fresh ? outflowOf(before.level, level, source) : null;
    const intoStep = await this.#records.writeSample(outbox.name, SAMPLE_STEP_SECONDS, {
      ...flow,
      // Our counters exclude another relay's publishing, so its rate is derived: inflow minus growth of what is not
      // published.
      outPerSecond: ours ? flow.outPerSecond : drained,
      failuresPerSecond: ours ? flow.failuresPerSecond : null,
      ...levels,
    });
    const lateMs = (intoStep - SAMPLE_STEP_SECONDS / 2) * 1000;
    this.#nudgeMs = Math.max(-LARGEST_NUDGE_MS, Math.min(LARGEST_NUDGE_MS, -lateMs / 2));
  }
}

/**
 * Messages that came in and were published or removed, per second. Null if either figure is unknown, or rows were
 * deleted.
 */
function outflowOf(before: Level, now: Level, source: InflowSource): number | null {
  const { inPerSecond } = flowBetween(before.reading, now.reading, source);
  const seconds = now.reading.atSeconds - before.reading.atSeconds;
  if (inPerSecond === null || before.unpublished === null || now.unpublished === null || !(seconds > 0)) return null;
  return Math.max(0, inPerSecond - (now.unpublished - before.unpublished) / seconds);
}
