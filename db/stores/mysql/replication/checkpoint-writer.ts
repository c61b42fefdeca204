import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { ReadProgress } from "./read-progress.ts";

/** Writes follow a confirmed message after this time, ms. */
const SOON_MS = 100;
/** Checkpoints are logged too: one that only passes foreign transactions is written this rarely, ms. */
const SELDOM_MS = 10_000;

/** Writes confirmed positions as checkpoints: one write at a time, each with the newest. */
export class CheckpointWriter {
  readonly #progress: ReadProgress;
  readonly #move: (checkpoint: Checkpoint) => Promise<void>;
  #written: Checkpoint;
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(progress: ReadProgress, move: (checkpoint: Checkpoint) => Promise<void>) {
    this.#progress = progress;
    this.#move = move;
    this.#written = progress.checkpoint;
  }

  confirm(position: StreamPosition): void {
    const ours = this.#progress.confirm(position);
    if (this.#progress.place === this.#written.place) return;
    this.#writeWithin(ours ? SOON_MS : SELDOM_MS);
  }

  /** Writes what is confirmed. An error is left to the next reader, which reads more again. */
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
