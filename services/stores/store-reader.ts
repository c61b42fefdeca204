import type { Config } from "../config/config-schema.ts";
import type { OutboxHandle, StoreTables } from "./handles.ts";
import type { KnownTables } from "./known-tables.ts";
import { readStore } from "./read-store.ts";
import type { LazyStore } from "./store-handle.ts";

const FRESH_MS = 60_000;
const FRESH_WITH_PROBLEMS_MS = 3_000;
/**
 * Interval while some values of a table could not be read; doubled each time, because a permission may be missing for
 * good.
 */
const FRESH_WITH_UNREAD_MS = 3_000;
/** If the catalog takes longer than this, the previous read is used, ms. */
const REFRESH_WAIT_MS = 300;
/** Longest wait for a catalog's first read, ms. */
const FIRST_WAIT_MS = 2_500;

const EMPTY = { outboxes: [], inboxes: [], problems: [], candidates: [], unmapped: [], leftAlone: [] };

/** One store's tables, as its catalog shows them. Answers within 2.5 s. */
export class StoreReader {
  readonly store: LazyStore;
  readonly #config: Config;
  readonly #known: KnownTables;
  readonly #patient: boolean;
  #read: StoreTables | null = null;
  #problem: StoreTables["problems"] = [];
  #reading: Promise<void> | null = null;
  #until = 0;
  #readAtMs = 0;
  /** Reads in a row that left out values of a table. */
  #cutShort = 0;

  /** `patient`: waits as long as the catalog takes. */
  constructor(options: { config: Config; store: LazyStore; known: KnownTables; patient: boolean }) {
    this.store = options.store;
    this.#config = options.config;
    this.#known = options.known;
    this.#patient = options.patient;
  }

  /** False until its catalog was read once: before that, an unknown name may still exist. */
  get wasRead(): boolean {
    return this.#read !== null;
  }

  /** Forces a read of the catalog at the next query, if the last one is older. */
  reread({ olderThanMs = 0 }: { olderThanMs?: number } = {}): void {
    if (performance.now() - this.#readAtMs >= olderThanMs) this.#until = 0;
  }

  /** Reads the catalog now and waits for it, 2.5 s at most. */
  async refresh(): Promise<void> {
    // A read that has begun may not know of a change made since.
    await this.#within(this.#reading ?? Promise.resolve(), FIRST_WAIT_MS);
    this.#until = 0;
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = null;
    });
    await this.#within(this.#reading, FIRST_WAIT_MS);
  }

  /**
   * The store's tables; while its database does not answer, those last read, with the problem. Within 2.5 s. Never
   * rejects.
   */
  async tables(): Promise<StoreTables> {
    // Loading the engine, once per process, does not count towards the database's time.
    await this.store.open().catch(() => undefined);
    if (performance.now() >= this.#until) {
      this.#reading ??= this.#readAgain().finally(() => {
        this.#reading = null;
      });
      await this.#wait(this.#reading);
    }
    const read = this.#read ?? { ...EMPTY, inCatalog: new Set<string>() };
    return this.#problem.length > 0 ? { ...read, problems: this.#problem } : read;
  }

  async #wait(reading: Promise<void>): Promise<void> {
    if (this.#patient) return reading;
    await this.#within(reading, this.#read ? REFRESH_WAIT_MS : FIRST_WAIT_MS);
    if (!this.#read && this.#problem.length === 0) {
      const message = `The catalog of store ${this.store.name} is still being read.`;
      this.#problem = [{ store: this.store.name, name: null, message }];
    }
  }

  async #within(reading: Promise<void>, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([reading, late]);
    clearTimeout(timer);
  }

  async #readAgain(): Promise<void> {
    this.#readAtMs = performance.now();
    const tables = await readStore({ config: this.#config, store: this.store, known: this.#known });
    const whole = tables.problems.filter((problem) => problem.name === null);
    this.#problem = whole;
    if (whole.length === 0) {
      this.#read = tables;
      this.#known.observe(this.store.name, tables);
    }
    this.#until = performance.now() + this.#freshMs(tables);
  }

  /** A silent store is queried every time: its guard answers at once while it stays silent. */
  #freshMs({ outboxes, inboxes, problems }: StoreTables): number {
    const isCut = [...outboxes, ...inboxes].some(({ catalog }) => (catalog.unlooked ?? []).length > 0);
    this.#cutShort = isCut ? this.#cutShort + 1 : 0;
    if (this.store.guard.silence) return 0;
    if (problems.length > 0 || outboxes.some(awaitsSomeone)) return FRESH_WITH_PROBLEMS_MS;
    return isCut ? Math.min(FRESH_MS, FRESH_WITH_UNREAD_MS * 2 ** (this.#cutShort - 1)) : FRESH_MS;
  }
}

/**
 * True if a person will probably run `npm run migrate` or resolve a stop, and should see the effect without waiting a
 * minute.
 */
function awaitsSomeone(outbox: OutboxHandle): boolean {
  return outbox.stop !== null || (outbox.config.mode !== "observe" && !outbox.storeSide);
}
