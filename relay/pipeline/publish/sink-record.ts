import { Evidence } from "./evidence.ts";
import { FailureOdds } from "./failure-odds.ts";

/**
 * Longest wait for evidence before an unclear failure is blamed on its message or on the sink. For a few failures to be
 * blamed on the sink, nothing must have got through for as long, because another message may get through in the next
 * moment.
 */
export const EVIDENCE_WAIT_MS = 1000;
/** Nothing got through for this long, so that evidence is worth its claim. */
const QUIET_MS = 100;

/** Recent successes and failures at the sink, which show how strong a failure is as evidence against it. */
export class SinkRecord {
  readonly #odds = new FailureOdds();
  readonly #evidence = new Evidence();
  /** When a message last got through. */
  #workedMs = Number.NEGATIVE_INFINITY;

  /** A message got through. */
  worked(): void {
    this.#workedMs = performance.now();
    this.#odds.worked();
    this.#evidence.worked();
  }

  /** `fresh`: the message had not failed before. */
  failed(id: string, fresh: boolean): void {
    if (fresh) this.#odds.failed();
    this.#evidence.failed(id);
  }

  /**
   * The sink was blamed for errors that it had answered, and another message got through: the messages may be at fault.
   */
  doubt(): void {
    this.#odds.doubt();
  }

  /** Failures in a row that show that the sink is at fault. */
  get needed(): number {
    return this.#odds.needed;
  }

  /** True if a message got through just now, or if one of the last messages may still show that the sink works. */
  get worksMaybe(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#workedMs < EVIDENCE_WAIT_MS) return true;
    return this.#odds.areDoubted && this.#evidence.isAwaited(this.#workedMs, nowMs);
  }

  /**
   * True if many messages fail on their own and none gets through: one of the last messages is then better evidence.
   */
  get wantsEvidence(): boolean {
    const nowMs = performance.now();
    return this.#odds.areDoubted && nowMs - this.#workedMs > QUIET_MS && this.#evidence.isMissing(nowMs);
  }

  /** A message is about to be claimed as evidence. */
  beginEvidence(): void {
    this.#evidence.begin(performance.now());
  }

  /** It is published as evidence; null if there is none. */
  foundEvidence(id: string | null): void {
    this.#evidence.found(id);
  }
}
