/** A failure whose cause is not yet known: the message, its route, or the sink. */
export interface Suspect<T> {
  /** Aggregate, or the message itself when it has none. */
  readonly key: string;
  readonly subject: T;
  /** The attempt was written as burned meanwhile. */
  recorded: boolean;
}

const AGGREGATES_THAT_CONVICT = 3;

/**
 * Decides whom an ambiguous failure is held against. A success afterwards says that the sink works: the messages are
 * to blame. Failures of three different aggregates with no success between them say that the sink is.
 */
export class Suspects<T> {
  #open: Suspect<T>[] = [];

  add(key: string, subject: T): void {
    this.#open.push({ key, subject, recorded: false });
  }

  /** The sink's fault: everything that was held against messages since the last success. */
  get convict(): boolean {
    return new Set(this.#open.map((suspect) => suspect.key)).size >= AGGREGATES_THAT_CONVICT;
  }
  get size(): number {
    return this.#open.length;
  }

  get hasUnrecorded(): boolean {
    return this.#open.some((suspect) => !suspect.recorded);
  }

  some(test: (suspect: Suspect<T>) => boolean): boolean {
    return this.#open.some(test);
  }

  /** Of those that are not recorded. */
  find(test: (subject: T) => boolean): T | undefined {
    return this.#open.find(({ recorded, subject }) => !recorded && test(subject))?.subject;
  }

  /** There is no more evidence to wait for: burn, but remember, as it may still turn out to be the sink. */
  record(): Suspect<T>[] {
    const burned = this.#open.filter((suspect) => !suspect.recorded);
    for (const suspect of burned) suspect.recorded = true;
    return burned;
  }

  /** Takes out those that pass the test. */
  take(test: (subject: T) => boolean): Suspect<T>[] {
    const taken = this.#open.filter(({ subject }) => test(subject));
    this.#open = this.#open.filter(({ subject }) => !test(subject));
    return taken;
  }

  clear(): Suspect<T>[] {
    const all = this.#open;
    this.#open = [];
    return all;
  }
}
