import { LEAST_FAILING_AGGREGATES } from "../state/routes.ts";

/** A failure whose cause is not yet known: the message, its route, or the sink. */
export interface UndecidedFailure<T> {
  /** False for a message that had failed before: its failures may recur with a working sink. */
  readonly fresh: boolean;
  /** Aggregate, or the message itself when it has none. */
  readonly key: string;
  readonly subject: T;
  /** True once the attempt was written as used up. */
  recorded: boolean;
}

/**
 * Decides whether the messages or the sink are to blame for ambiguous failures. A later success blames the messages.
 * Failures of three different aggregates without a success between them show that the sink is to blame; if many
 * messages fail on their own, it takes more.
 */
export class UndecidedFailures<T> {
  #open: UndecidedFailure<T>[] = [];

  add(key: string, subject: T, fresh = true): void {
    this.#open.push({ key, subject, fresh, recorded: false });
  }

  /**
   * True if the sink is to blame for all failures since the last success: `needed` aggregates failed that had not
   * failed before.
   */
  showSinkAtFault(needed = LEAST_FAILING_AGGREGATES): boolean {
    if (this.#open.length < needed) return false;
    return new Set(this.#open.flatMap(({ fresh, key }) => (fresh ? key : []))).size >= needed;
  }
  /** True if it is to blame unless another message gets through soon. */
  get areSeveral(): boolean {
    return new Set(this.#open.map(({ key }) => key)).size >= LEAST_FAILING_AGGREGATES;
  }
  get size(): number {
    return this.#open.length;
  }

  get hasUnrecorded(): boolean {
    return this.#open.some((failure) => !failure.recorded);
  }

  some(test: (failure: UndecidedFailure<T>) => boolean): boolean {
    return this.#open.some(test);
  }

  /** Subjects that pass the test, without removing them. */
  of(test: (subject: T) => boolean): T[] {
    return this.#open.map(({ subject }) => subject).filter(test);
  }

  /** The first unrecorded subject that passes the test. */
  find(test: (subject: T) => boolean): T | undefined {
    return this.#open.find(({ recorded, subject }) => !recorded && test(subject))?.subject;
  }

  /**
   * Without more evidence, marks all as used up and returns those newly marked. They stay: the sink may yet be at
   * fault.
   */
  record(): UndecidedFailure<T>[] {
    const charged = this.#open.filter((failure) => !failure.recorded);
    for (const failure of charged) failure.recorded = true;
    return charged;
  }

  /** Removes and returns those that pass the test. */
  take(test: (subject: T) => boolean): UndecidedFailure<T>[] {
    const taken = this.#open.filter(({ subject }) => test(subject));
    this.#open = this.#open.filter(({ subject }) => !test(subject));
    return taken;
  }

  clear(): UndecidedFailure<T>[] {
    const all = this.#open;
    this.#open = [];
    return all;
  }
}
