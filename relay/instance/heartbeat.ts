import type { Logger } from "pino";
import type { BeatView, RelayHeartbeat } from "#db/stores/port/relay/relay-heartbeat.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { SeenTerm } from "#db/stores/port/relay/share-view.ts";
import type { DatabaseClock } from "../clock/database-clock.ts";
import type { PartitionShare } from "./partition-share.ts";
import { SilentTerms } from "./silent-terms.ts";

const BEAT_MS = 1000;

interface Beat {
  terms: readonly SeenTerm[];
  askedAtMs: number;
  answeredAtMs: number;
}

/** Writes a relay's status once a second, and at once when its state changes. */
export class Heartbeat {
  readonly #table: RelayTable;
  readonly #log: Logger;
  readonly #share: PartitionShare;
  readonly #clock: DatabaseClock;
  readonly #silent: SilentTerms;
  readonly #read: () => RelayHeartbeat;
  readonly #onBeat: () => void;
  #timer: NodeJS.Timeout | undefined;
  #beating = false;
  /** True if a beat was requested while one was being written; another follows. */
  #again = false;
  #writing: Promise<void> = Promise.resolve();

  /** The result of the last beat; null before the first. */
  view: BeatView | null = null;

  constructor(input: {
    table: RelayTable;
    /** Of this instance. */
    id: string;
    log: Logger;
    share: PartitionShare;
    /** Receives the database's time with each beat. */
    clock: DatabaseClock;
    read: () => RelayHeartbeat;
    onBeat: () => void;
  }) {
    this.#table = input.table;
    this.#log = input.log;
    this.#share = input.share;
    this.#silent = new SilentTerms(input);
    this.#clock = input.clock;
    this.#read = input.read;
    this.#onBeat = input.onBeat;
  }

  /** Resolves when the first beat was written or has failed. */
  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), BEAT_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Writes the last heartbeat, after any that is still being written. Throws if it cannot be written. */
  async sayGoodbye(): Promise<void> {
    this.stop();
    await this.#writing;
    await this.#say();
  }

  beat(): Promise<void> {
    this.#again = this.#beating;
    if (!this.#beating) this.#writing = this.#write();
    return this.#writing;
  }

  async #write(): Promise<void> {
    this.#beating = true;
    try {
      await this.#endSilentTerms(await this.#say());
    } catch (error) {
      this.#log.debug({ err: error }, "the heartbeat could not be written");
    } finally {
      this.#beating = false;
    }
    if (this.#again) await this.beat();
  }

  async #endSilentTerms({ terms, askedAtMs, answeredAtMs }: Beat): Promise<void> {
    try {
      await this.#silent.look(terms, { askedAtMs, answeredAtMs });
    } catch (error) {
      this.#log.debug({ err: error }, "a term that its owner no longer renews could not be ended");
    }
  }

  async #say(): Promise<Beat> {
    const askedAtMs = performance.now();
    const view = await this.#table.writeHeartbeat(this.#read(), { silentMs: this.#share.silentMs });
    const answeredAtMs = performance.now();
    this.#clock.note({ askedAtMs, answeredAtMs, databaseTimeMs: view.databaseTimeMs });
    this.view = view;
    this.#share.noteView(view.shares, askedAtMs);
    this.#onBeat();
    return { terms: view.shares.terms ?? [], askedAtMs, answeredAtMs };
  }
}
