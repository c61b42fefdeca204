import { setTimeout as delay } from "node:timers/promises";
import { Instants } from "./check/instants.ts";
import { withoutFigures } from "./check/mismatches.ts";
import { contradictionsIn } from "./check/one-reading.ts";
import type { Reader, Reading } from "./check/reading.ts";

/** Often enough for sentences that may take some seconds; each reading costs the console five answers. */
const EVERY_MS = 2000;

/** Reads all surfaces repeatedly, and checks every reading against itself and earlier ones. */
export class Watch {
  /** Each kind of problem once, in order of first sight: an example, and the count. */
  readonly contradictions = new Map<string, { text: string; times: number }>();
  last: Reading | null = null;
  /** Response times of each surface, ms. */
  readonly slowest: Record<string, number> = {};
  readings = 0;
  /** Checks every reading while it is set. */
  never: ((reading: Reading) => string | null) | null = null;
  readonly #reader: Reader;
  readonly #outbox: string;
  readonly #instants = new Instants();
  readonly #listeners = new Set<(reading: Reading) => void>();
  #running = true;
  readonly #done: Promise<void>;

  constructor(reader: Reader, outbox: string) {
    this.#reader = reader;
    this.#outbox = outbox;
    this.#done = this.#run();
  }

  /** Resolves with the first accepted reading; null if there was none in time. */
  until(accept: (reading: Reading) => boolean, withinMs: number): Promise<Reading | null> {
    return new Promise((resolve) => {
      const finish = (reading: Reading | null) => {
        clearTimeout(timer);
        this.#listeners.delete(listen);
        resolve(reading);
      };
      const listen = (reading: Reading) => {
        if (accept(reading)) finish(reading);
      };
      const timer = setTimeout(() => finish(null), withinMs);
      this.#listeners.add(listen);
    });
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#done;
  }

  #keep(text: string): void {
    const kind = withoutFigures(text);
    const known = this.contradictions.get(kind);
    if (known) known.times += 1;
    else this.contradictions.set(kind, { text, times: 1 });
  }

  async #run(): Promise<void> {
    while (this.#running) {
      const reading = await this.#reader.read(this.#outbox);
      this.last = reading;
      this.readings += 1;
      const { snapshot, findings, list, health, wholeHealth } = reading;
      for (const [name, { tookMs }] of Object.entries({ snapshot, findings, list, health, wholeHealth }))
        this.slowest[name] = Math.max(this.slowest[name] ?? 0, tookMs);
      const forbidden = this.never?.(reading) ?? null;
      const wrong = [
        ...contradictionsIn(reading),
        ...this.#instants.contradictions(reading),
        ...(forbidden ? [forbidden] : []),
      ];
      for (const text of wrong) this.#keep(text);
      for (const listen of this.#listeners) listen(reading);
      await delay(Math.max(0, EVERY_MS - (performance.now() - reading.atMs)));
    }
  }
}
