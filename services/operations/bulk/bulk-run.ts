import { setTimeout as delay } from "node:timers/promises";
import type { BulkLease, BulkRecords, BulkRow } from "#db/stores/port/bulk-records.ts";
import { toAppError } from "#domain/errors.ts";
import { type BulkState, isEnded, WORKING_STATES } from "#domain/message/bulk-operation.ts";
import type { Runtime } from "../../runtime.ts";
import { type BulkProgress, readProgress } from "./bulk-progress.ts";
import type { BulkTally } from "./bulk-tally.ts";
import type { BulkTurn } from "./bulk-turn.ts";
import { BulkTurns } from "./bulk-turns.ts";
import type { ActingPlaces } from "./pace/acting-places.ts";
import type { OpenReplaySink } from "./replay/replay-sink.ts";

export const BULK_LEASE_MS = 15_000;
/** Pause while there is nothing to do but to wait, ms. */
const IDLE_MS = 250;
const RESTING_MS = 1000;
/** How often an operator's commands are read and the lease is renewed; each is a commit that delays live messages. */
const SAVE_EVERY_MS = 200;
const TROUBLE_MS = 1000;

const BROKEN = "An unexpected error of this program stopped it; the worker's log has it.";
const NOT_CANCELLED =
  "An unexpected error of this program keeps it from being cancelled; the worker's log has it. It is tried again.";
const RESUMED = "Resumed by an operator";
const COMMANDED: Partial<Record<BulkState, string>> = {
  paused: "Paused by an operator",
  cancelling: "The rest was cancelled by an operator",
};

const isResting = (state: string | undefined): state is "paused" | "halted" => state === "paused" || state === "halted";

/**
 * Works on one bulk operation under a lease: writes its items once, acts on each, follows retried messages to their
 * outcome, and ends when every item has one. Another runner can continue at any point, because all of its state is in
 * the store.
 */
export class BulkRun {
  readonly #bulk: BulkRecords;
  readonly #row: BulkRow;
  readonly #lease: BulkLease;
  readonly #turns: BulkTurns;
  readonly #tally: BulkTally;
  #state: BulkState;
  #saveFromMs = 0;
  /**
   * A turn failed: what it wrote may be in the store although its answer was lost, so the store is read before the
   * next.
   */
  #isInDoubt = false;

  /**
   * Throws if the record is not of this program. `places`: of the store. `openReplaySink`: absent where nothing can be
   * re-published.
   */
  constructor(input: {
    runtime: Runtime;
    bulk: BulkRecords;
    row: BulkRow;
    places: ActingPlaces;
    openReplaySink?: OpenReplaySink | undefined;
  }) {
    const { runtime, bulk, row, places, openReplaySink } = input;
    this.#bulk = bulk;
    this.#row = row;
    this.#lease = { id: row.id, fence: row.fence };
    this.#turns = new BulkTurns({ runtime, bulk, row, lease: this.#lease, openReplaySink, places });
    this.#tally = this.#turns.tally;
    this.#state = row.state;
  }

  /** Resolves when the operation has ended, was paused, or belongs to another runner. Rejects if the store is lost. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#runTurns(signal);
    } finally {
      await this.#turns.close();
    }
  }

  async #runTurns(signal: AbortSignal): Promise<void> {
    await this.#tally.recount();
    this.#noticeEarlier();
    while (!signal.aborted) {
      const turn = await this.#turn(signal).catch((error: unknown) => this.#troubled(error));
      const saved = await this.#save(turn);
      if (saved === null || isEnded(saved)) return;
      this.#notice(saved);
      const rests = isResting(saved);
      if (rests && !this.#turns.hasToFollow) break;
      const restMs = rests ? RESTING_MS : (turn.restMs ?? this.#idleMs());
      if (!turn.busy) await delay(restMs, undefined, { signal }).catch(() => undefined);
    }
    await this.#bulk.save(this.#lease, { leaseMs: BULK_LEASE_MS, ...this.#toSave() });
    await this.#bulk.release(this.#lease);
  }

  /** The state as of the last save; null if another runner has the operation. */
  async #save({ to }: BulkTurn): Promise<BulkState | null> {
    const now = performance.now();
    if (!to && now < this.#saveFromMs) return this.#state;
    this.#saveFromMs = now + SAVE_EVERY_MS;
    return this.#bulk.save(this.#lease, {
      leaseMs: BULK_LEASE_MS,
      ...this.#toSave(this.#turns.pace.measured()),
      ...(to ? { change: to } : {}),
    });
  }

  /** Nothing while items are written and in doubt: the stored progress may be ahead of ours. */
  #toSave(ratePerSecond = this.#tally.progress.ratePerSecond): { progress?: BulkProgress } {
    const { progress } = this.#tally;
    return this.#isInDoubt && !progress.selectedAll ? {} : { progress: { ...progress, ratePerSecond } };
  }

  async #readBack(): Promise<void> {
    const { note, selectedAll } = this.#tally.progress;
    const stored = selectedAll ? null : await this.#bulk.get(this.#row.id);
    if (stored) this.#tally.progress = { ...readProgress(stored.progress), note };
    await this.#tally.recount();
    this.#isInDoubt = false;
  }

  #idleMs(): number {
    const restMs = this.#turns.pace.restMs();
    return restMs > 0 ? Math.min(restMs, IDLE_MS) : IDLE_MS;
  }

  /** Writes an operator's change into the timeline; the audit has the operator's name. */
  #notice(state: BulkState): void {
    const text =
      state === this.#state ? undefined : (COMMANDED[state] ?? (isResting(this.#state) ? RESUMED : undefined));
    if (text !== undefined) this.#tally.event(state, text);
    this.#state = state;
  }

  /** The same for what was changed while the operation rested without a runner. */
  #noticeEarlier(): void {
    const [newest] = this.#tally.progress.timeline;
    const now = this.#state;
    if (isResting(newest?.kind)) this.#state = newest.kind;
    this.#notice(now);
  }

  async #turn(signal: AbortSignal): Promise<BulkTurn> {
    if (this.#isInDoubt) await this.#readBack();
    return this.#turns.take(this.#state, signal);
  }

  /**
   * So that no runner takes it again, and fails in the same way, until an operator resumes it. One that is being
   * cancelled stays so: resumed, it would act on what was cancelled.
   */
  async #halt(): Promise<void> {
    if (!WORKING_STATES.includes(this.#state)) return;
    await this.#readBack();
    if (this.#state === "cancelling") {
      this.#tally.note(NOT_CANCELLED);
      await this.#bulk.save(this.#lease, { leaseMs: BULK_LEASE_MS, ...this.#toSave() });
      return;
    }
    this.#tally.event("halted", BROKEN);
    this.#tally.note(BROKEN);
    const change = { from: this.#state, to: "halted" } as const;
    await this.#bulk.save(this.#lease, { leaseMs: BULK_LEASE_MS, ...this.#toSave(), change });
    await this.#bulk.release(this.#lease);
  }

  async #troubled(error: unknown): Promise<BulkTurn> {
    const failure = toAppError(error);
    if (failure.code === "internal") {
      await this.#halt().catch(() => undefined);
      throw error;
    }
    this.#isInDoubt = true;
    this.#tally.note(`Waits: ${failure.message}`);
    await delay(TROUBLE_MS);
    return { busy: false };
  }
}
