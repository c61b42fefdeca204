import type { Head } from "#db/stores/port/relay/head.ts";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { MessageOutcome, Refund, SettleResult } from "#db/stores/port/relay/settle.ts";
import { type StoreTrouble, troubleOf } from "#db/stores/port/store-error.ts";
import { TableChangedError } from "#db/stores/port/table-changed-error.ts";
import { formatPlural } from "#domain/format.ts";
import type { OutcomeHandler } from "../publish/outcome-handler.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { Pauses } from "../state/pauses.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Release } from "../state/release.ts";
import type { Retries } from "../state/retries.ts";
import type { Watermark } from "../state/watermark.ts";
import type { WentBack } from "../state/went-back.ts";
import type { Withheld } from "../state/withheld.ts";
import type { Decided } from "./settler.ts";

export interface SettleEffectsState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  retries: Retries;
  pauses: Pauses;
  wentBack: WentBack;
  release: Release;
}

const MOST_REFUSED_UNDOS = 5;

/**
 * Applies written outcomes: messages leave memory, unsent ones are read again, and aggregates go on whose failed head
 * was resolved by this relay or an operator.
 */
export class SettleEffects {
  readonly #context: PipelineContext;
  readonly #state: SettleEffectsState;
  readonly #outcomes: OutcomeHandler;
  readonly #wake: () => void;
  #toRefund: Refund[] = [];
  /** How often the store has refused to refund a message's attempts. */
  readonly #refusedUndos = new Map<string, number>();
  #undoing: Promise<void> = Promise.resolve();

  constructor(context: PipelineContext, state: SettleEffectsState, outcomes: OutcomeHandler, wake: () => void) {
    this.#context = context;
    this.#state = state;
    this.#outcomes = outcomes;
    this.#wake = wake;
  }

  settled(batch: readonly Decided[], result: SettleResult): void {
    const { stats } = this.#context;
    const { lanes, retries, withheld } = this.#state;
    const fenced = new Set(result.fenced);
    const foreign = new Set(result.foreign);
    for (const { claimed, outcome } of batch) {
      lanes.release(claimed);
      if (outcome.kind === "dead") this.#state.pauses.settled(claimed.message.id);
      if (fenced.size > 0 && fenced.has(claimed.message.id)) this.#fenced(claimed, outcome);
      else if (foreign.size > 0 && foreign.has(claimed.message.id)) this.#resolved(claimed);
      else if (outcome.kind === "given_back") this.#returned(claimed);
      else if (outcome.kind === "failed") retries.touch();
      else if (claimed.retry || outcome.kind === "dead" || withheld.size > 0) this.#resolved(claimed);
    }
    for (const head of result.replaced) this.#isInTable(head);
    if (this.#toRefund.length > 0) this.#refundWritten();
    stats.notePublished(result.published.length, result.latenciesMs);
    // A fenced message may have been marked by our own commit whose answer was lost; it is not foreign.
    const sent = batch.filter(({ claimed, outcome }) => outcome.kind === "published" && fenced.has(claimed.message.id));
    this.#context.published([...result.published, ...sent.map(({ claimed }) => claimed.message.id)]);
    this.#noteOthers(result);
  }

  /**
   * A row that was changed while it was sent was neither published nor removed by another program: its new version is
   * sent too.
   */
  #noteOthers({ foreign, replaced }: SettleResult): void {
    const { stats } = this.#context;
    const changed = new Set(replaced.map(({ id }) => id));
    const taken = foreign.filter((id) => !changed.has(id)).length;
    if (changed.size > 0)
      stats.lastError = `Another program changed or replaced the rows of ${formatPlural(changed.size, "message")} while they were sent; as they are now, they are sent, too.`;
    if (taken === 0) return;
    stats.noteForeign({ claimed: taken });
    stats.lastError = `Another program published or removed ${formatPlural(taken, "claimed message")}.`;
  }

  /**
   * Reads the waiting retries; aggregates whose failed head an operator removed go on. False if the retries changed
   * during the read, so that its result was discarded.
   */
  async refreshRetries(): Promise<boolean> {
    const { lanes, watermark, retries, withheld } = this.#state;
    // Attempts that could not be refunded because the store did not answer.
    if (this.#toRefund.length > 0) this.#refundWritten();
    const { version } = retries;
    const { lease, table } = this.#context;
    const entries = await table.listRetries({ lease });
    if (version !== retries.version) return false;
    const vanished = retries.replace(entries, performance.now(), (id) => lanes.has(id));
    for (const { waiting } of vanished) {
      const { aggregateKey: key, order } = waiting;
      // It may be in the table as new; reads exclude it there while its aggregate is withheld.
      const isWithheld = key !== null && withheld.has(key);
      if (order && isWithheld) withheld.note(key, order);
      else if (order) watermark.rewind(order);
      if (key !== null) this.unblock(key);
    }
    if (this.#context.settings.onFailure !== "block") return true;
    // A failed message was the first of its aggregate; one that an operator retried need not be.
    const retried = new Set(entries.filter(({ attempts }) => attempts === 0).map((entry) => entry.aggregateKey));
    for (const { aggregateKey, order } of entries) {
      if (aggregateKey === null || !retries.blocks(aggregateKey)) continue;
      withheld.block(aggregateKey, order, !retried.has(aggregateKey));
    }
    return true;
  }

  /**
   * Refunds attempts that were written as failed before the sink or a route was found to be at fault. A failure that is
   * still in memory is not written yet, so it is taken back later.
   */
  refund(tries: readonly Refund[]): void {
    this.#toRefund.push(...tries);
    this.#refundWritten();
  }

  /** Resolves when every attempt that is written by now has been taken back. */
  undone(): Promise<void> {
    return this.#undoing;
  }

  #refundWritten(): void {
    const { lanes } = this.#state;
    const written = this.#toRefund.filter(({ id }) => !lanes.has(id));
    if (written.length === 0) return;
    this.#toRefund = this.#toRefund.filter(({ id }) => lanes.has(id));
    this.#undoing = this.#undoing.then(() => this.#refund(written));
  }

  async #refund(undo: readonly Refund[]): Promise<void> {
    const { table, log } = this.#context;
    const parts = table.undoesSingly ? undo.map((one) => [one]) : [undo];
    let undone = 0;
    for (const part of parts) if (await this.#undo(part)) undone += part.length;
    if (undone === 0) return;
    this.#state.retries.touch();
    await this.refreshRetries().catch((error: unknown) => {
      log.debug({ err: error }, "waiting retries could not be read; trying again");
    });
  }

  /**
   * False if the attempts were not refunded. They are tried again unless they may have been: that would refund others,
   * too.
   */
  async #undo(undo: readonly Refund[]): Promise<boolean> {
    const { table, lease, log } = this.#context;
    try {
      await table.undoAttempts({ lease, undo });
      for (const { id } of undo) this.#refusedUndos.delete(id);
      return true;
    } catch (error) {
      const trouble = troubleOf(error);
      const isOver =
        trouble === "commit_in_doubt" || error instanceof LeaseLostError || error instanceof TableChangedError;
      const again = isOver ? [] : undo.filter(({ id }) => this.#mayUndoAgain(id, trouble));
      this.#toRefund.push(...again);
      const counts = { messages: undo.length, again: again.length };
      log.warn({ err: error, ...counts }, "attempts that failed because of an outage could not be refunded");
      return false;
    }
  }

  /** An outage or a lock ends; what the store refuses, such as a deadlock's victim, is tried a few times. */
  #mayUndoAgain(id: string, trouble: StoreTrouble | null): boolean {
    if (trouble === "unreachable" || trouble === "locked") return true;
    const refused = (this.#refusedUndos.get(id) ?? 0) + 1;
    if (refused < MOST_REFUSED_UNDOS) this.#refusedUndos.set(id, refused);
    else this.#refusedUndos.delete(id);
    return refused < MOST_REFUSED_UNDOS;
  }

  unblock(key: string): void {
    const { release, retries, withheld } = this.#state;
    if (retries.blocks(key) || this.#outcomes.isUndecided(key) || !withheld.isBlocked(key)) return;
    release.free(key, "blocked");
    this.#wake();
  }

  /** The claim was ended by an operator or lost in a server crash: the message is published again and is not late. */
  #fenced(claimed: ClaimedMessage, outcome: MessageOutcome): void {
    if (outcome.kind === "published") this.#context.memory.late.comesAgain(claimed.message.id);
    this.#returned(claimed);
  }

  /** The message is back in the table, unsent, and no longer in memory. */
  #returned(claimed: ClaimedMessage): void {
    if (claimed.lane.key !== null) this.unblock(claimed.lane.key);
    this.#isInTable(claimed.message);
  }

  /** It is unsent in the table, where reads may have passed it while it, or one of its id, was in memory. */
  #isInTable({ id, aggregateKey: key, order }: Head): void {
    const { release, watermark, retries, wentBack, withheld } = this.#state;
    if (retries.has(id)) return;
    if (key !== null) wentBack.note(key, order);
    if (key === null || !withheld.has(key)) {
      watermark.rewind(order);
      return;
    }
    withheld.note(key, order);
    release.goOn(key, withheld.freeBefore(key, order));
  }

  /** The message is published or dead and blocks nothing any more. */
  #resolved(claimed: ClaimedMessage): void {
    this.#state.retries.remove(claimed.message.id);
    if (claimed.lane.key !== null) this.unblock(claimed.lane.key);
  }
}
