import type { BulkRecords, ItemRow } from "#db/stores/port/bulk-records.ts";
import type { OutboxHandle } from "../../../runtime.ts";
import type { BulkTally } from "../bulk-tally.ts";
import type { RetryJudge } from "../judge-retries.ts";
import type { OperationPace } from "../pace/operation-pace.ts";
import type { Replay, Replayed } from "./replay.ts";

/** Messages that are re-published by one call of a sink. */
export const REPLAYED_AT_ONCE = 100;

interface Parts {
  replay: Replay;
  bulk: Pick<BulkRecords, "released">;
  /** Of the operation. */
  id: string;
  tally: BulkTally;
  pace: OperationPace;
  judge: RetryJudge;
}

/** The turns of an operation that re-publishes: sends messages and counts the outcomes. */
export class ReplayTurns {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** False while the sink is given time to recover. */
  get ready(): boolean {
    return this.#parts.replay.ready;
  }

  /** True if something was done. */
  async send(handle: OutboxHandle, items: readonly ItemRow[], signal: AbortSignal): Promise<boolean> {
    const { replay, tally } = this.#parts;
    if (!replay.ready) return false;
    const sent = await replay.send(handle, items, signal).catch(async (error: unknown) => {
      // The items show how far it came.
      await tally.recount();
      throw error;
    });
    this.#count(sent);
    return sent.settled.length + sent.skipped.length > 0;
  }

  /**
   * Sends messages without an answer once more; after a cancel, settles them as in doubt. True if something was done.
   */
  async sendAgain(handle: OutboxHandle, how: { cancelling: boolean }, signal: AbortSignal): Promise<boolean> {
    const { replay, bulk, id, tally } = this.#parts;
    if (tally.of("released") === 0) return false;
    const items = await bulk.released(id, null, REPLAYED_AT_ONCE);
    if (how.cancelling) tally.count("released", await replay.giveUp(items));
    else if (items.length > 0) return this.send(handle, items, signal);
    return items.length > 0;
  }

  close(): Promise<void> {
    return this.#parts.replay.close();
  }

  #count({ skipped, released, settled, waits }: Replayed): void {
    const { tally, pace, judge } = this.#parts;
    pace.record(settled.length);
    tally.count("left", skipped);
    tally.move("left", "released", released);
    tally.count("released", settled);
    judge.add(settled);
    tally.note(waits === null ? null : `Waits: ${waits}`);
  }
}
