import type { BulkLease, BulkRecords, BulkRow, ItemRow } from "#db/stores/port/bulk-records.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { formatCount } from "#domain/format.ts";
import { BULK_ACTIONS, type BulkAction, type BulkState } from "#domain/message/bulk-operation.ts";
import { outboxOf } from "../../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../../runtime.ts";
import { acceptFirstMapping } from "../../stores/accept-first-mapping.ts";
import { requireOperable } from "../require-operable.ts";
import { actOnItems } from "./act-on-items.ts";
import { ACTION_WORDS, type BulkPlan, bulkPlanSchema } from "./bulk-plan.ts";
import { readProgress, summaryOf, withPage } from "./bulk-progress.ts";
import { BulkTally } from "./bulk-tally.ts";
import { type BulkTurn, IN_LINE, IN_LINE_MS, WAITING_MS } from "./bulk-turn.ts";
import { BusyItems } from "./busy-items.ts";
import { watchCanary } from "./canary.ts";
import { giveUpItems, type ItemKey, itemKeyOf, whyKeyChanged } from "./changed-key.ts";
import { RetryJudge } from "./judge-retries.ts";
import { numberInOrder } from "./number-in-order.ts";
import { ActingPlace, type ActingPlaces } from "./pace/acting-places.ts";
import { OperationPace } from "./pace/operation-pace.ts";
import { Replay } from "./replay/replay.ts";
import type { OpenReplaySink } from "./replay/replay-sink.ts";
import { REPLAYED_AT_ONCE, ReplayTurns } from "./replay/replay-turns.ts";
import { RetryFollower } from "./retry-follower.ts";
import { selectItems } from "./select-items.ts";
import { whyUnpublished } from "./why-unpublished.ts";

/**
 * Most retried messages without an outcome, so that a relay that publishes nothing does not collect ever more due ones.
 */
const MOST_RELEASED = 2000;
const CANCELLED_AT_ONCE = 5000;

interface Parts {
  runtime: Runtime;
  bulk: BulkRecords;
  row: BulkRow;
  lease: BulkLease;
  /** Absent where nothing can be re-published. */
  openReplaySink: OpenReplaySink | undefined;
  /** Of the store. */
  places: ActingPlaces;
}

/**
 * The turns of a bulk operation. Each writes a page of its items, or follows retried messages to their outcome and acts
 * on the next items.
 */
export class BulkTurns {
  readonly tally: BulkTally;
  readonly pace: OperationPace;
  readonly #runtime: Runtime;
  readonly #bulk: BulkRecords;
  readonly #row: BulkRow;
  readonly #lease: BulkLease;
  readonly #action: BulkAction;
  /** Set for a re-publish. */
  readonly #replay: ReplayTurns | null;
  readonly #plan: BulkPlan;
  readonly #judge: RetryJudge;
  readonly #busy = new BusyItems();
  readonly #follower: RetryFollower;
  readonly #place: ActingPlace;
  /** Of this turn. */
  #state: BulkState;
  /** The primary key that the ids of the items are of. */
  #key: ItemKey | null;
  #accepted: MappingFingerprint | undefined;
  #afterSeq: number | null = null;
  #lastDoneAt = performance.now();

  /** Throws if the record is not of this program. */
  constructor({ runtime, bulk, row, lease, openReplaySink, places }: Parts) {
    this.#place = new ActingPlace(places, row.id);
    this.#runtime = runtime;
    this.#bulk = bulk;
    this.#row = row;
    this.#lease = lease;
    const action = BULK_ACTIONS.find((known) => known === row.action);
    if (!action) throw new Error(`Operation ${row.id} has an action that is not known: ${row.action}`);
    this.#action = action;
    this.#plan = bulkPlanSchema.parse(row.plan);
    this.tally = new BulkTally(bulk, row.id, readProgress(row.progress));
    this.#state = row.state;
    this.#key = this.#plan.key;
    const { sink, settings } = this.#plan;
    this.#judge = new RetryJudge(settings.haltPercent, sink === null ? undefined : "failed");
    this.#follower = new RetryFollower(bulk, this.#lease);
    this.pace = new OperationPace(settings, this.tally);
    const replay = sink === null ? null : new Replay({ runtime, bulk, row, sink, open: openReplaySink });
    const parts = { bulk, id: row.id, tally: this.tally, pace: this.pace, judge: this.#judge };
    this.#replay = replay && new ReplayTurns({ replay, ...parts });
  }

  /** True if messages that were retried have no outcome yet, so that they must be followed even while it rests. */
  get hasToFollow(): boolean {
    return this.#replay === null && this.tally.of("released") > 0;
  }

  async close(): Promise<void> {
    this.#place.leave();
    await this.#replay?.close();
  }

  /** `state`: the operation's as of the last save. If it throws, what it wrote is in doubt. */
  async take(state: BulkState, signal: AbortSignal): Promise<BulkTurn> {
    this.#state = state;
    return this.#place.during(() => this.#take(signal));
  }

  /** A sink that is given time to recover is not called, which needs no place. */
  #mayAct(): boolean {
    return this.#replay?.ready === false || this.#place.ask();
  }

  #inLine(busy = false): BulkTurn {
    this.tally.note(IN_LINE);
    return { busy, restMs: IN_LINE_MS };
  }

  async #take(signal: AbortSignal): Promise<BulkTurn> {
    const found = await this.#runtime.outbox(this.#row.outbox);
    requireOperable(found);
    // The catalog may be older than the acceptance, without which the acts would not compare the table.
    const known = found.stop ? undefined : (found.accepted ?? this.#accepted);
    this.#accepted = known ?? (await acceptFirstMapping(this.#runtime, found, this.#row.actor.name));
    this.#key ??= itemKeyOf(this.#accepted);
    const changed = whyKeyChanged(this.#key, this.#accepted);
    if (changed !== null) return this.#giveUp(changed);
    const handle = { ...found, accepted: this.#accepted };
    const outbox = outboxOf(handle);
    if (this.#state === "selecting") return this.#mayAct() ? this.#select(handle, outbox) : this.#inLine();
    if (this.#state === "running" && this.#replay && !this.#mayAct()) return this.#inLine();
    const followed = this.#replay
      ? await this.#sendAgain(this.#replay, handle, signal)
      : await this.#follow(handle, outbox);
    if (this.#state === "cancelling") return this.#cancel(followed);
    if (this.#state !== "running") return { busy: followed };
    await this.pace.look(handle);
    return this.#work(followed, {
      atOnce: this.#replay ? REPLAYED_AT_ONCE : outbox.act.itemsAtOnce,
      act: async (items) =>
        this.#replay ? { busy: await this.#replay.send(handle, items, signal) } : this.#act(outbox, items),
    });
  }

  /** While it is paused or halted, nothing is sent. */
  async #sendAgain(replay: ReplayTurns, handle: OutboxHandle, signal: AbortSignal): Promise<boolean> {
    const cancelling = this.#state === "cancelling";
    return (cancelling || this.#state === "running") && (await replay.sendAgain(handle, { cancelling }, signal));
  }

  async #select(handle: OutboxHandle, outbox: OutboxStore): Promise<BulkTurn> {
    const { progress } = this.tally;
    const selected: BulkTurn = { busy: true, to: { from: "selecting", to: "running" } };
    // The last page was committed by an earlier runner, or its answer was lost: the null cursor is the end, not the
    // start.
    if (progress.selectedAll) return selected;
    const {
      items: listed,
      cursor,
      leftOut,
    } = await selectItems({
      store: handle.store,
      outbox,
      selection: this.#plan.selection,
      action: this.#action,
      startedAt: this.#row.at,
      cursor: progress.cursor,
      selected: progress.selected,
    });
    const items = await numberInOrder(outbox.act, this.#action, listed);
    const after = withPage(progress, { items, cursor, leftOut });
    // Without the lease nothing was written, and the next save reports it.
    if (await this.#bulk.addItems(this.#lease, items, after)) this.tally.progress = after;
    this.tally.note(null);
    return cursor === null ? selected : { busy: true };
  }

  /** Looks up the outcomes of retried messages; true if there are new ones. */
  async #follow({ mapping }: OutboxHandle, outbox: OutboxStore): Promise<boolean> {
    if (this.tally.of("released") === 0) return false;
    const results = await this.#follower.follow(outbox, mapping.lifecycle);
    if (results.length === 0) return false;
    this.#judge.add(results);
    this.tally.count("released", results);
    this.#lastDoneAt = performance.now();
    return true;
  }

  /**
   * Another primary key was accepted: an id that was written before may name another message, so none is looked for.
   */
  async #giveUp(why: string): Promise<BulkTurn> {
    if (this.#state === "selecting") {
      this.tally.progress = { ...this.tally.progress, cursor: null, selectedAll: true };
      this.tally.event("selected", `The selection ends: ${why}`);
      return { busy: true, to: { from: "selecting", to: "running" } };
    }
    const left = this.#state === "running";
    const settled = await giveUpItems(this.#bulk, this.#lease, { why, left });
    await this.tally.recount();
    this.tally.note(why);
    if (settled > 0) return { busy: true };
    if (this.#state === "cancelling") return this.#cancel(false);
    return left ? this.#nothingLeft(false, 0, `${why} `) : { busy: false };
  }

  async #cancel(followed: boolean): Promise<BulkTurn> {
    const cancelled = await this.#bulk.cancelLeft(this.#lease, CANCELLED_AT_ONCE);
    if (cancelled > 0) await this.tally.recount("ending");
    if (cancelled > 0 || followed) return { busy: true };
    // An act of an earlier runner may have been committed since the last count.
    if (this.tally.of("released") === 0) await this.tally.recount("ending");
    const released = this.tally.of("released");
    if (released > 0) {
      this.tally.note(`Waits for the outcome of ${formatCount(released)} messages that were retried before the end.`);
      return { busy: false };
    }
    this.tally.event("cancelled", `Cancelled; ${this.#summary()}`);
    return { busy: false, to: { from: "cancelling", to: "cancelled" } };
  }

  async #work(
    followed: boolean,
    { atOnce, act }: { atOnce: number; act: (items: readonly ItemRow[]) => Promise<BulkTurn> },
  ): Promise<BulkTurn> {
    const halt = this.#judge.halts();
    if (halt !== null) return this.#halt(halt);
    const canary = watchCanary(this.tally.progress, this.#plan.settings.canary ?? 0, this.#judge);
    this.tally.progress = canary.progress;
    if (canary.passed) this.pace.begin();
    if (canary.halt !== undefined) return this.#halt(canary.halt);
    const released = this.tally.of("released");
    const most = Math.min(MOST_RELEASED, this.pace.mostReleased());
    const window = this.#action === "retry" ? Math.floor(most) - released : Number.POSITIVE_INFINITY;
    const room = Math.min(atOnce, window, this.pace.allowed(), canary.room);
    // Messages that the sink got without an answer go first.
    if (this.#replay && released > 0) return { busy: followed };
    if (room < 1) return this.#wait(followed, { released, window });
    const items = await this.#bulk.next(this.#row.id, this.#afterSeq, room);
    if (items.length > 0) return this.#mayAct() ? act(items) : this.#inLine(followed);
    if (this.#afterSeq !== null) {
      this.#afterSeq = null;
      return { busy: true };
    }
    return this.#nothingLeft(followed, released);
  }

  async #act(outbox: OutboxStore, items: readonly ItemRow[]): Promise<BulkTurn> {
    const { id, actor, reason } = this.#row;
    if (this.#action === "republish") return { busy: false };
    // Until now there was nothing to be published.
    if (this.tally.of("released") === 0) this.#lastDoneAt = performance.now();
    const acted = await actOnItems({
      act: outbox.act,
      operation: { id, action: this.#action, actor, reason },
      items,
    });
    this.pace.record(acted.done);
    const results = [...acted.results, ...this.#busy.note(acted.busy)];
    if (results.length > 0) await this.#bulk.settle(this.#lease, results, { again: true });
    this.tally.move("left", this.#action === "retry" ? "released" : "done", acted.done);
    this.tally.count("left", results);
    if (acted.trouble) {
      // After an act in doubt, or outcomes that were written already, the items have the truth.
      await this.tally.recount();
      throw acted.trouble;
    }
    if (acted.done > 0 && !this.pace.isWatching) this.tally.note(null);
    // Items in use are tried again after all others; items that were not tried come next.
    const [next] = acted.untried.map(({ seq }) => seq).sort((one, other) => one - other);
    this.#afterSeq = next === undefined ? (items.at(-1)?.seq ?? null) : next - 1;
    return { busy: acted.done + results.length > 0 };
  }

  /** When the operator resumes, a canary goes first again. */
  #halt(reason: string): BulkTurn {
    this.#judge.reset();
    this.tally.progress = { ...this.tally.progress, canary: null, note: reason };
    this.tally.event("halted", reason);
    return { busy: true, to: { from: "running", to: "halted" } };
  }

  async #wait(followed: boolean, { released, window }: { released: number; window: number }): Promise<BulkTurn> {
    const waitedSeconds = (performance.now() - this.#lastDoneAt) / 1000;
    const waitsLong = (window < 1 || this.tally.progress.canary?.passed === false) && waitedSeconds > 10;
    if (!waitsLong) return { busy: followed };
    const why = await whyUnpublished(this.#runtime, this.#row.outbox);
    this.tally.note(
      `Waits: ${formatCount(released)} retried messages are due and none was published for ${Math.round(waitedSeconds)} s. ${why}`,
    );
    return { busy: followed, restMs: WAITING_MS };
  }

  async #nothingLeft(followed: boolean, released: number, why = ""): Promise<BulkTurn> {
    if (released > 0) return this.#wait(followed, { released, window: 0 });
    await this.tally.recount();
    if (this.tally.of("left") + this.tally.of("released") > 0) return { busy: true };
    this.tally.event("finished", why + this.#summary());
    return { busy: true, to: { from: "running", to: "finished" } };
  }

  #summary(): string {
    return summaryOf(this.tally.progress, ACTION_WORDS[this.#action].done, this.#replay ? "failed" : "failed again");
  }
}
