import { ABORTED } from "../sink.ts";
import type { Destination, Entry } from "./publish-call.ts";
import { type ProducerIdentity, recordBytes } from "./record-batch.ts";

/** Records sent to a partition as one batch, which the broker accepts or rejects whole. */
export interface Chunk {
  readonly entries: Entry[];
  readonly bytes: number;
  readonly identity: ProducerIdentity;
  readonly sequence: number;
  batch: Buffer | null;
  /** It was sent and no answer came. */
  unanswered: boolean;
}

const MOST_RECORDS = 10_000;
const LEAST_BYTES = 16_384;
const SEQUENCE_END = 2 ** 31;

/** One partition: its waiting messages, in order, and at most one batch in flight. */
export class Lane {
  readonly to: Destination;
  /** True while a send round uses the lane. */
  busy = false;
  /** A batch that may have been written. It is resent unchanged, so that the broker recognises it by its sequence. */
  kept: Chunk | null = null;
  renewals = 0;
  readonly #queue: Entry[] = [];
  #identity: ProducerIdentity | null = null;
  #sequence = 0;
  #maxRecords = MOST_RECORDS;
  #maxBytes: number;
  #pauseMs = 0;
  #troubleSinceMs: number | null = null;

  constructor(to: Destination, maxBytes: number) {
    this.to = to;
    this.#maxBytes = maxBytes;
  }

  get hasWork(): boolean {
    return this.kept !== null || this.#queue.length > 0;
  }

  push(entry: Entry): void {
    this.#queue.push(entry);
  }

  /** The next batch; null when every waiting message was aborted. */
  take(identity: ProducerIdentity): Chunk | null {
    const entries: Entry[] = [];
    let bytes = 0;
    let read = 0;
    for (; read < this.#queue.length && entries.length < this.#maxRecords; read += 1) {
      const entry = this.#queue[read] as Entry;
      if (entry.settled) continue;
      if (entry.withheld) {
        entry.settle(ABORTED);
        continue;
      }
      const size = recordBytes(entry.record, entries.length);
      if (entries.length > 0 && bytes + size > this.#maxBytes) break;
      entries.push(entry);
      bytes += size;
    }
    this.#queue.splice(0, read);
    if (entries.length === 0) return null;
    if (this.#identity !== identity) {
      this.#identity = identity;
      this.#sequence = 0;
    }
    return { entries, bytes, identity, sequence: this.#sequence, batch: null, unanswered: false };
  }

  putBack(entries: readonly Entry[]): void {
    this.#queue.unshift(...entries);
  }

  /** Removes and returns all waiting messages, which the caller fails. */
  drain(): Entry[] {
    return this.#queue.splice(0).filter((entry) => !entry.settled);
  }

  written({ identity, sequence, entries }: Chunk): void {
    if (identity === this.#identity) this.#sequence = (sequence + entries.length) % SEQUENCE_END;
    this.#maxRecords = Math.min(MOST_RECORDS, this.#maxRecords * 2);
    this.kept = null;
    this.renewals = 0;
    this.endTrouble();
  }

  /** A batch was refused for its content: send halves from now on, until they pass. */
  halve({ entries, bytes }: Chunk, tooLarge: boolean): void {
    this.#maxRecords = Math.max(1, entries.length >> 1);
    if (tooLarge) this.#maxBytes = Math.max(LEAST_BYTES, Math.min(this.#maxBytes, bytes) >> 1);
  }

  /** Time since the first unconfirmed try, in ms. */
  get troubleMs(): number {
    return this.#troubleSinceMs === null ? 0 : performance.now() - this.#troubleSinceMs;
  }

  beginTrouble(): void {
    this.#troubleSinceMs ??= performance.now();
  }

  endTrouble(): void {
    this.#troubleSinceMs = null;
    this.#pauseMs = 0;
  }

  /** Pause before the next try; grows while the trouble lasts. */
  nextPauseMs(): number {
    this.#pauseMs = Math.min(500, Math.max(20, this.#pauseMs * 2));
    return this.#pauseMs;
  }
}
