import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { ReadProgress } from "./read-progress.ts";

/**
 * Time, ms, after which a confirmed message is written where rows are not marked: the checkpoint is then the only
 * record.
 */
const SOON_MS = 100;
/**
 * The same where rows are marked: an older checkpoint only costs reading. Each write is a commit that delays others.
 */
const MARKED_MS = 1000;
/** Checkpoints are logged too: one that only passes foreign transactions is written this rarely, ms. */
const SELDOM_MS = 10_000;

/** Writes confirmed positions as checkpoints: one write at a time, each with the newest. */
export class CheckpointWriter {
  readonly #progress: ReadProgress;
  readonly #move: (checkpoint: Checkpoint) => Promise<void>;
  readonly #soonMs: number;
  #written: Checkpoint;
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  /** `marked`: published rows are marked in the table. */
  constructor(progress: ReadProgress, marked: boolean, move: (checkpoint: Checkpoint) => Promise<void>) {
    this.#progress = progress;
    this.#soonMs = marked ? MARKED_MS : SOON_MS;
    this.#move = move;
    this.#written = progress.checkpoint;
  }

  confirm(position: StreamPosition): void {
    const ours = this.#progress.confirm(position);
    if (this.#progress.place === this.#written.place) return;
    this.#writeWithin(ours ? this.#soonMs : SELDOM_MS);
  }

  /** Writes the confirmed position. After an error the next reader reads more again. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write().catch(() => undefined);
    clearTimeout(this.#timer);
  }

  #writeWithin(ms: number): void {
    const dueAtMs = performance.now() + ms;
    if (dueAtMs >= this.#dueAtMs) return;
    this.#dueAtMs = dueAtMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#dueAtMs = Number.POSITIVE_INFINITY;
      this.#writing = this.#writing.then(() => this.#write().catch(() => this.#writeWithin(SELDOM_MS)));
    }, ms);
  }

  async #write(): Promise<void> {
    if (this.#progress.place === this.#written.place) return;
    const { checkpoint } = this.#progress;
    await this.#move(checkpoint);
    this.#written = checkpoint;
  }
}
