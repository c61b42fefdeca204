import type { BulkRecords, ItemResult } from "#db/stores/port/bulk-records.ts";
import type { ItemOutcome } from "#domain/message/bulk-operation.ts";
import { type BulkProgress, countOf, withEvent, withMoved } from "./bulk-progress.ts";

/** The progress of an operation as its runner counts it; the items have the truth. */
export class BulkTally {
  readonly #bulk: Pick<BulkRecords, "counts">;
  readonly #id: string;
  progress: BulkProgress;

  constructor(bulk: Pick<BulkRecords, "counts">, id: string, progress: BulkProgress) {
    this.#bulk = bulk;
    this.#id = id;
    this.progress = progress;
  }

  of(outcome: ItemOutcome | "left"): number {
    return countOf(this.progress, outcome);
  }

  count(from: "left" | "released", results: readonly ItemResult[]): void {
    for (const { outcome } of results) this.move(from, outcome, 1);
  }

  move(from: "left" | "released", to: ItemOutcome, items: number): void {
    this.progress = withMoved(this.progress, { from, to, items });
  }

  note(note: string | null): void {
    this.progress = { ...this.progress, note };
  }

  event(kind: string, text: string): void {
    this.progress = withEvent(this.progress, kind, text);
  }

  /** From the items. Until all are written, the count so far is right; `ending`: no more will be written. */
  async recount(ending: "ending" | null = null): Promise<void> {
    if (!this.progress.selectedAll && ending === null) return;
    this.progress = { ...this.progress, counts: await this.#bulk.counts(this.#id) };
  }
}
