import { setTimeout as delay } from "node:timers/promises";
import type { BulkLease, BulkRecords, BulkRow, ItemResult, ItemRow } from "#db/stores/port/bulk-records.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { BULK_ACTIONS, type BulkAction, type BulkState, type ItemOutcome, isEnded } from "#domain/bulk-operation.ts";
import { toAppError } from "#domain/errors.ts";
import { formatCount } from "#domain/format.ts";
import { outboxOf } from "../../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../../runtime.ts";
import { acceptFirstMapping } from "../../stores/accept-first-mapping.ts";
import { requireOperable } from "../require-operable.ts";
import { actOnItems } from "./act-on-items.ts";
import { ACTION_WORDS, type BulkPlan, bulkPlanSchema } from "./bulk-plan.ts";
import { type BulkProgress, countOf, readProgress, summaryOf, withEvent, withMoved } from "./bulk-progress.ts";
import { watchCanary } from "./canary.ts";
import { RetryJudge } from "./judge-retries.ts";
import { LivePace } from "./live-pace.ts";
import { Pace } from "./pace.ts";
import { Replay, type Replayed } from "./replay.ts";
import type { OpenReplaySink } from "./replay-sink.ts";
import { RetryFollower } from "./retry-follower.ts";
import { selectItems } from "./select-items.ts";

export const BULK_LEASE_MS = 15_000;
/** Most retried messages that may be on their way: a relay that publishes nothing is not buried in due messages. */
const MOST_RELEASED = 2000;
/** Operations over fewer messages are over before much is known of live traffic. */
const FEW_ITEMS = 500;
const LOOK_EVERY_MS = 500;
/** Messages that are re-published by one call of a sink. */
const REPLAYED_AT_ONCE = 100;
const CANCELLED_AT_ONCE = 5000;
/** Pause while there is nothing to do but to wait, ms. */
const IDLE_MS = 250;
const RESTING_MS = 1000;
/** Commands of operators are seen as often, and the lease is renewed; each is a commit that live messages wait behind. */
const SAVE_EVERY_MS = 200;
/** Span over which it is measured whether a rate is reached. */
const MEASURED_MS = 2000;
const TROUBLE_MS = 1000;
/** Times that an item whose row is in use is tried, a pause apart. */
const MOST_TRIES = 5;

const COMMANDED: Partial<Record<BulkState, string>> = {
  paused: "Paused by an operator",
  cancelling: "The rest was cancelled by an operator",
};

interface Turn {
  /** Whether anything was done, so that the next turn need not wait. */
  busy: boolean;
  to?: { from: BulkState; to: BulkState };
}

/**
 * Works on one bulk operation under a lease: writes its items once, acts on each, follows retried messages to their
 * outcome, and ends when every item has one. Another runner can go on at any point: everything that counts is in the
 * store.
 */
export class BulkRun {
  readonly #runtime: Runtime;
  readonly #bulk: BulkRecords;
  readonly #row: BulkRow;
  readonly #lease: BulkLease;
  readonly #action: BulkAction;
  /** Set for a re-publish. */
  readonly #replay: Replay | null;
  readonly #plan: BulkPlan;
  readonly #judge: RetryJudge;
  readonly #tries = new Map<number, number>();
  readonly #follower: RetryFollower;
  #pace: Pace;
  /** Null at a rate that the operator gave. */
  #live: LivePace | null = null;
  #lookFromMs = 0;
  #progress: BulkProgress;
  #state: BulkState;
  #accepted: MappingFingerprint | undefined;
  #afterSeq: number | null = null;
  #saveFromMs = 0;
  #lastDoneAt = performance.now();

  /** Throws if the record is not of this program. `openReplaySink`: absent where nothing can be re-published. */
  constructor(runtime: Runtime, bulk: BulkRecords, row: BulkRow, openReplaySink?: OpenReplaySink) {
    this.#runtime = runtime;
    this.#bulk = bulk;
    this.#row = row;
    this.#lease = { id: row.id, fence: row.fence };
    const action = BULK_ACTIONS.find((known) => known === row.action);
    if (!action) throw new Error(`Operation ${row.id} has an action that is not known: ${row.action}`);
    this.#action = action;
    this.#plan = bulkPlanSchema.parse(row.plan);
    this.#progress = readProgress(row.progress);
    this.#state = row.state;
    const { sink } = this.#plan;
    this.#replay = sink === null ? null : new Replay({ runtime, bulk, row, sink, open: openReplaySink });
    this.#judge = new RetryJudge(this.#plan.settings.haltPercent, sink === null ? undefined : "failed");
    this.#follower = new RetryFollower(bulk, this.#lease);
    this.#pace = this.#newPace();
  }

  /** Resolves when the operation has ended, was paused, or belongs to another runner. Rejects if the store is lost. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#runTurns(signal);
    } finally {
      await this.#replay?.close();
    }
  }

  async #runTurns(signal: AbortSignal): Promise<void> {
    await this.#recount();
    while (!signal.aborted) {
      const turn = await this.#turn(signal).catch((error: unknown) => this.#troubled(error));
      const saved = await this.#save(turn);
      if (saved === null || isEnded(saved)) return;
      this.#notice(saved);
      const rests = saved === "paused" || saved === "halted";
      if (rests && (this.#replay !== null || countOf(this.#progress, "released") === 0)) break;
      if (!turn.busy) await delay(rests ? RESTING_MS : this.#idleMs(), undefined, { signal }).catch(() => undefined);
    }
    await this.#bulk.save(this.#lease, { leaseMs: BULK_LEASE_MS, progress: this.#progress });
    await this.#bulk.release(this.#lease);
  }

  /** The state as of the last save; null if another runner has the operation. */
  async #save({ to }: Turn): Promise<BulkState | null> {
    const now = performance.now();
    if (!to && now < this.#saveFromMs) return this.#state;
    this.#saveFromMs = now + SAVE_EVERY_MS;
    return this.#bulk.save(this.#lease, {
      leaseMs: BULK_LEASE_MS,
      progress: { ...this.#progress, ratePerSecond: this.#pace.measured(now) },
      ...(to ? { change: to } : {}),
    });
  }

  #idleMs(): number {
    const restMs = this.#pace.restMs(performance.now());
    return restMs > 0 ? Math.min(restMs, IDLE_MS) : IDLE_MS;
  }

  /** Writes what an operator has changed into the timeline; who did it is in the audit. */
  #notice(state: BulkState): void {
    const text = state === this.#state ? undefined : COMMANDED[state];
    if (text !== undefined) this.#progress = withEvent(this.#progress, state, text);
    this.#state = state;
  }

  async #turn(signal: AbortSignal): Promise<Turn> {
    const found = await this.#runtime.outbox(this.#row.outbox);
    requireOperable(found);
    // The catalog that was read may be older than the acceptance; without it no act would compare the table.
    const known = found.stop ? undefined : (found.accepted ?? this.#accepted);
    this.#accepted = known ?? (await acceptFirstMapping(this.#runtime, found, this.#row.actor.name));
    const handle = { ...found, accepted: this.#accepted };
    const outbox = outboxOf(handle);
    if (this.#state === "selecting") return this.#select(handle, outbox);
    const followed = this.#replay
      ? await this.#sendAgain(this.#replay, handle, signal)
      : await this.#follow(handle, outbox);
    if (this.#state === "cancelling") return this.#cancel(followed);
    if (this.#state !== "running") return { busy: followed };
    await this.#lookAtLive(handle);
    return this.#work(followed, {
      atOnce: this.#replay ? REPLAYED_AT_ONCE : outbox.act.itemsAtOnce,
      act: (items) =>
        this.#replay ? this.#republish(this.#replay, { handle, items, signal }) : this.#act(outbox, items),
    });
  }

  async #select(handle: OutboxHandle, outbox: OutboxStore): Promise<Turn> {
    const { items, cursor } = await selectItems({
      store: handle.store,
      outbox,
      selection: this.#plan.selection,
      action: this.#action,
      startedAt: this.#row.at,
      cursor: this.#progress.cursor,
      selected: this.#progress.selected,
    });
    const selected = this.#progress.selected + items.length;
    const refused = countOf(this.#progress, "refused") + items.filter(({ refused }) => refused !== null).length;
    const counts = { ...this.#progress.counts, refused, left: selected - refused };
    let progress: BulkProgress = { ...this.#progress, cursor, selected, counts, selectedAll: cursor === null };
    if (cursor === null) {
      const refusals = refused > 0 ? `, ${formatCount(refused)} of them refused` : "";
      progress = withEvent(progress, "selected", `${formatCount(selected)} items written${refusals}`);
    }
    // Without the lease nothing was written, and the next save says so.
    if (await this.#bulk.addItems(this.#lease, items, progress)) this.#progress = progress;
    return cursor === null ? { busy: true, to: { from: "selecting", to: "running" } } : { busy: true };
  }

  /** Looks up what became of retried messages; true if something did. */
  async #follow({ mapping }: OutboxHandle, outbox: OutboxStore): Promise<boolean> {
    if (countOf(this.#progress, "released") === 0) return false;
    const results = await this.#follower.follow(outbox, mapping.lifecycle);
    if (results.length === 0) return false;
    this.#judge.add(results);
    this.#count("released", results);
    this.#lastDoneAt = performance.now();
    return true;
  }

  /** Without a rate of the operator's own, what live messages suffer decides how fast it goes. */
  async #lookAtLive({ store, name }: OutboxHandle): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#lookFromMs || this.#plan.settings.ratePerSecond !== null) return;
    if (this.#live === null && countOf(this.#progress, "left") < FEW_ITEMS) return;
    this.#lookFromMs = nowMs + LOOK_EVERY_MS;
    const { relays } = await store.records.relays(name);
    this.#live ??= new LivePace(nowMs);
    this.#live.observe(relays, { nowMs, measured: this.#pace.measured(nowMs, MEASURED_MS) });
    this.#limitPace(nowMs);
    this.#note(this.#live.describe(nowMs));
  }

  /** A canary of ten hurts nobody. */
  #limitPace(nowMs: number): void {
    this.#pace.limitTo(this.#progress.canary?.passed === false ? null : (this.#live?.limit(nowMs) ?? null));
  }

  async #cancel(followed: boolean): Promise<Turn> {
    const cancelled = await this.#bulk.cancelLeft(this.#lease, CANCELLED_AT_ONCE);
    if (cancelled > 0) await this.#recount();
    if (cancelled > 0 || followed) return { busy: true };
    // An act of an earlier runner may have been committed since the last count.
    if (countOf(this.#progress, "released") === 0) await this.#recount();
    const released = countOf(this.#progress, "released");
    if (released > 0) {
      this.#note(`Waits for the outcome of ${formatCount(released)} messages that were retried before the end.`);
      return { busy: false };
    }
    this.#progress = withEvent(this.#progress, "cancelled", `Cancelled; ${this.#summary()}`);
    return { busy: false, to: { from: "cancelling", to: "cancelled" } };
  }

  async #work(
    followed: boolean,
    { atOnce, act }: { atOnce: number; act: (items: readonly ItemRow[]) => Promise<Turn> },
  ): Promise<Turn> {
    const halt = this.#judge.halts();
    if (halt !== null) return this.#halt(halt);
    const canary = watchCanary(this.#progress, this.#plan.settings.canary ?? 0, this.#judge);
    this.#progress = canary.progress;
    if (canary.passed) {
      this.#pace = this.#newPace();
      this.#limitPace(performance.now());
    }
    if (canary.halt !== undefined) return this.#halt(canary.halt);
    const released = countOf(this.#progress, "released");
    const window = this.#action === "retry" ? MOST_RELEASED - released : Number.POSITIVE_INFINITY;
    const room = Math.min(atOnce, window, this.#pace.allowed(performance.now()), canary.room);
    // What was handed to the sink without an answer goes first.
    if (this.#replay && released > 0) return { busy: followed };
    if (room < 1) return this.#wait(followed, { released, window });
    const items = await this.#bulk.next(this.#row.id, this.#afterSeq, room);
    if (items.length > 0) return act(items);
    if (this.#afterSeq !== null) {
      this.#afterSeq = null;
      return { busy: true };
    }
    return this.#nothingLeft(followed, released);
  }

  async #republish(
    replay: Replay,
    { handle, items, signal }: { handle: OutboxHandle; items: readonly ItemRow[]; signal: AbortSignal },
  ): Promise<Turn> {
    if (!replay.ready) return { busy: false };
    const sent = await replay.send(handle, items, signal).catch(async (error: unknown) => {
      // The items themselves say how far it came.
      await this.#recount();
      throw error;
    });
    this.#countReplayed(sent);
    return { busy: sent.settled.length + sent.skipped.length > 0 };
  }

  /** Sends what has no answer yet once more; of a cancelled operation, settles it as in doubt. True if something was done. */
  async #sendAgain(replay: Replay, handle: OutboxHandle, signal: AbortSignal): Promise<boolean> {
    const cancelling = this.#state === "cancelling";
    if (countOf(this.#progress, "released") === 0 || !(cancelling || this.#state === "running")) return false;
    const items = await this.#bulk.released(this.#row.id, null, REPLAYED_AT_ONCE);
    if (cancelling) this.#count("released", await replay.giveUp(items));
    else if (items.length > 0) return (await this.#republish(replay, { handle, items, signal })).busy;
    return items.length > 0;
  }

  #countReplayed({ skipped, released, settled, waits }: Replayed): void {
    this.#pace.record(settled.length, performance.now());
    this.#count("left", skipped);
    this.#move("left", "released", released);
    this.#count("released", settled);
    this.#judge.add(settled);
    this.#note(waits === null ? null : `Waits: ${waits}`);
  }

  async #act(outbox: OutboxStore, items: readonly ItemRow[]): Promise<Turn> {
    const { id, actor, reason } = this.#row;
    if (this.#action === "republish") return { busy: false };
    const acted = await actOnItems({
      act: outbox.act,
      operation: { id, action: this.#action, actor, reason },
      items,
    });
    this.#pace.record(acted.done, performance.now());
    const results = [...acted.results, ...this.#givenUp(acted.busy)];
    if (results.length > 0) await this.#bulk.settle(this.#lease, results);
    this.#move("left", this.#action === "retry" ? "released" : "done", acted.done);
    this.#count("left", results);
    if (acted.trouble) {
      // An act in doubt, or outcomes that were written already: the items themselves say.
      await this.#recount();
      throw acted.trouble;
    }
    if (acted.done > 0 && this.#live === null) this.#note(null);
    // Those in use come again after all others; those that were not tried come next.
    const [next] = acted.untried.map(({ seq }) => seq).sort((one, other) => one - other);
    this.#afterSeq = next === undefined ? (items.at(-1)?.seq ?? null) : next - 1;
    return { busy: acted.done + results.length > 0 };
  }

  /** Items whose row was in use too often. */
  #givenUp(busy: readonly ItemRow[]) {
    return busy.flatMap(({ seq }) => {
      const tries = (this.#tries.get(seq) ?? 0) + 1;
      this.#tries.set(seq, tries);
      if (tries < MOST_TRIES) return [];
      return [
        {
          seq,
          outcome: "skipped" as const,
          code: "locked",
          message: `A relay or another session used it each of ${MOST_TRIES} times that it was tried.`,
        },
      ];
    });
  }

  /** When the operator resumes, a canary goes first again. */
  #halt(reason: string): Turn {
    this.#judge.reset();
    this.#progress = withEvent({ ...this.#progress, canary: null, note: reason }, "halted", reason);
    return { busy: true, to: { from: "running", to: "halted" } };
  }

  #wait(followed: boolean, { released, window }: { released: number; window: number }): Turn {
    const waitedSeconds = (performance.now() - this.#lastDoneAt) / 1000;
    if ((window < 1 || this.#progress.canary?.passed === false) && waitedSeconds > 10)
      this.#note(
        `Waits: ${formatCount(released)} retried messages are due and none was published for ${Math.round(waitedSeconds)} s. See whether a relay publishes this outbox.`,
      );
    return { busy: followed };
  }

  async #nothingLeft(followed: boolean, released: number): Promise<Turn> {
    if (released > 0) return this.#wait(followed, { released, window: 0 });
    await this.#recount();
    if (countOf(this.#progress, "left") + countOf(this.#progress, "released") > 0) return { busy: true };
    this.#progress = withEvent(this.#progress, "finished", this.#summary());
    return { busy: true, to: { from: "running", to: "finished" } };
  }

  #summary(): string {
    return summaryOf(this.#progress, ACTION_WORDS[this.#action].done, this.#replay ? "failed" : "failed again");
  }

  #count(from: "left" | "released", results: readonly ItemResult[]): void {
    for (const { outcome } of results) this.#move(from, outcome, 1);
  }

  #move(from: "left" | "released", to: ItemOutcome, items: number): void {
    this.#progress = withMoved(this.#progress, { from, to, items });
  }

  #note(note: string | null): void {
    this.#progress = { ...this.#progress, note };
  }

  async #troubled(error: unknown): Promise<Turn> {
    const failure = toAppError(error);
    if (failure.code === "internal") throw error;
    this.#note(`Waits: ${failure.message}`);
    await delay(TROUBLE_MS);
    return { busy: false };
  }

  async #recount(): Promise<void> {
    if (!this.#progress.selectedAll) return;
    this.#progress = { ...this.#progress, counts: await this.#bulk.counts(this.#row.id) };
  }

  #newPace(): Pace {
    const { ratePerSecond, rampSeconds } = this.#plan.settings;
    return new Pace({ ratePerSecond, rampSeconds, now: performance.now() });
  }
}
