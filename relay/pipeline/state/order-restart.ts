/**
 * Searches in a row that found rows below the watermark, and no row above it between them. One finds all rows of a slow
 * transaction.
 */
const SEARCHES = 3;
/** Reading from the table's start costs about as much as a relay's start, so it happens at most this often. */
const AGAIN_MS = 60_000;

/**
 * Notices that new rows take places below the watermark: the table's sequence restarted, because it was emptied with
 * its sequence, restored from a backup, or served by a replica that had not seen the last of them. Reads from the
 * watermark then find nothing, and every row would wait for the search of rows committed late.
 *
 * The conclusion may be wrong, which does no harm: reading again from the table's start is always safe.
 */
export class OrderRestart {
  #searches = 0;
  #found = false;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  /** A search found a row below the watermark, which is read next. */
  noteFound(): void {
    this.#found = true;
  }

  /** A row at or above the watermark was read: the sequence has not restarted. */
  noteAbove(): void {
    this.#searches = 0;
    this.#found = false;
  }

  /** Rows below the watermark alone were read. True if the table should be read again from its start. */
  noteBelow(nowMs: number): boolean {
    if (this.#found) this.#searches += 1;
    this.#found = false;
    if (this.#searches < SEARCHES || nowMs < this.#notBeforeMs) return false;
    this.#searches = 0;
    this.#notBeforeMs = nowMs + AGAIN_MS;
    return true;
  }
}
