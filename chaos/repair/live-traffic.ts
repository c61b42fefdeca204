import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { INSERT_ONE, payloadOf } from "#tests/outbox-table.ts";

const CONNECTIONS = 4;
/** Wait after an insert that failed. */
const AGAIN_MS = 100;

/** Latencies from commit to arrival, ms. */
export interface Latencies {
  events: number;
  p50: number;
  p99: number;
}

/** From and to, as `performance.now()`. */
export type Span = readonly [fromMs: number, toMs: number];

/** Commits events at a steady rate during the run; tries each until the database has accepted it. */
export class LiveTraffic {
  readonly #pool: pg.Pool;
  readonly #arrivedAtMs: Map<string, number>;
  readonly #committedAtMs = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();
  #on = true;
  readonly #running: Promise<void>;

  constructor(url: string, perSecond: number, arrivedAtMs: Map<string, number>) {
    this.#pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    this.#pool.on("error", () => undefined);
    this.#arrivedAtMs = arrivedAtMs;
    this.#running = this.#produce(perSecond);
  }

  get committed(): ReadonlyMap<string, number> {
    return this.#committedAtMs;
  }

  /** Latencies of arrived events that were committed within the span, but not within `without`. */
  within(span: Span, without: readonly Span[] = []): Latencies {
    const found: number[] = [];
    for (const [id, at] of this.#committedAtMs) {
      const arrived = this.#arrivedAtMs.get(id) ?? 0;
      const counts = isIn(span, at) && !without.some((one) => isIn(one, at));
      if (counts && arrived > 0) found.push(Math.max(0, arrived - at));
    }
    found.sort((one, other) => one - other);
    const quantile = (part: number) => found[Math.floor(found.length * part)] ?? Number.NaN;
    return { events: found.length, p50: quantile(0.5), p99: quantile(0.99) };
  }

  async stop(): Promise<void> {
    this.#on = false;
    await this.#running;
    await Promise.all(this.#pending);
    await this.#pool.end();
  }

  async #produce(perSecond: number): Promise<void> {
    const startedMs = performance.now();
    for (let n = 0; this.#on; ) {
      for (const due = ((performance.now() - startedMs) * perSecond) / 1000; n < due; n += 1) {
        const inserting: Promise<void> = this.#insert(n).finally(() => this.#pending.delete(inserting));
        this.#pending.add(inserting);
      }
      await delay(2);
    }
  }

  async #insert(n: number): Promise<void> {
    const id = randomUUID();
    this.#arrivedAtMs.set(id, 0);
    for (;;) {
      try {
        await this.#pool.query({ name: "insert", text: INSERT_ONE, values: [id, String(n % 1000), payloadOf(n)] });
        break;
      } catch (error) {
        // A duplicate key: an earlier commit had succeeded and its answer was lost.
        if ((error as { code?: string }).code === "23505") break;
        await delay(AGAIN_MS);
      }
    }
    this.#committedAtMs.set(id, performance.now());
  }
}

const isIn = ([fromMs, toMs]: Span, atMs: number) => atMs >= fromMs && atMs < toMs;
