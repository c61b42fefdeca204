import type { Horizon } from "#db/stores/port/relay/claim.ts";

/** Longest time, ms, that a writer is expected to take where the server does not list open transactions. */
export const WINDOW_MS = 60_000;

/** What a sample of the open transactions showed. Ids are those of transactions that write; they only grow. */
export interface Sample {
  /** The server that was asked: another server has other ids. */
  server: string;
  /** Numbers of samples grow, whichever server was asked. */
  number: number;
  /** All transactions below that had a place in the table's order, or could take one, had ended. */
  endedBelow: bigint;
}

/** A transaction of ours that begins after some reads have ended; `id` is null until it is known. */
export interface Marker {
  server: string;
  /** Every transaction that had written before those reads has a lower id. */
  id: bigint | null;
  /** Of the sample that showed it. */
  number: number;
}

export interface Read {
  /** Of the last sample before the read; null if there was none, `by time` if the server lists no transactions. */
  before: Sample | "by time" | null;
  beganAtMs: number;
  endedAtMs: number;
  marker: Marker;
}

/** Which transactions a read could see; by time alone where the server does not list them. */
export class TransactionHorizon implements Horizon {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  /** Compares only horizons of this engine. */
  hasPassed(earlier: Horizon): boolean {
    if (!(earlier instanceof TransactionHorizon)) return false;
    const { before, beganAtMs } = this.#read;
    const { marker, endedAtMs } = earlier.#read;
    if (before === "by time") return beganAtMs - endedAtMs >= WINDOW_MS;
    if (before === null || marker.id === null) return false;
    // Transactions of a server that was replaced have ended with it.
    if (before.server !== marker.server) return before.number > marker.number;
    return before.endedBelow >= marker.id;
  }

  /** No log is read here. */
  hasEnded(): boolean {
    return false;
  }
}
