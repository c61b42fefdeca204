import type { ItemResult, ItemRow } from "#db/stores/port/bulk-records.ts";

/** Times that an item whose row is in use is tried, each after all others. */
const MOST_TRIES = 5;

/** Counts how often the row of an item was in use. */
export class BusyItems {
  readonly #tries = new Map<number, number>();

  /** Outcomes of the items that are given up now. */
  note(busy: readonly ItemRow[]): ItemResult[] {
    return busy.flatMap(({ seq }) => {
      const tries = (this.#tries.get(seq) ?? 0) + 1;
      this.#tries.set(seq, tries);
      if (tries < MOST_TRIES) return [];
      const message = `A relay or another session was using it at each of ${MOST_TRIES} attempts.`;
      return [{ seq, outcome: "skipped" as const, code: "locked", message }];
    });
  }
}
