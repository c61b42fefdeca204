import type { PauseEntry } from "#db/stores/port/relay/pause-entry.ts";

interface Subject {
  eventType: string | null;
  aggregateKey: string | null;
}

/** Changes since the pauses were last read. */
export interface PauseChange {
  outbox: boolean;
  begunTypes: ReadonlySet<string>;
  begunAggregates: string[];
  endedAggregates: string[];
  endedTypes: boolean;
}

/**
 * Pauses as last read, and aggregates whose message just died with `onDead: hold`: these wait at once, before the hold
 * has been read back.
 */
export class Pauses {
  #outbox = false;
  #types: ReadonlySet<string> = new Set();
  #aggregates: ReadonlySet<string> = new Set();
  /** By message id: the aggregate, and whether its settle is committed. */
  readonly #holds = new Map<string, { key: string; settled: boolean }>();

  covers({ eventType, aggregateKey }: Subject): boolean {
    return this.coversType(eventType) || (aggregateKey !== null && this.coversAggregate(aggregateKey));
  }
  coversType(eventType: string | null): boolean {
    return eventType !== null && this.#types.has(eventType);
  }
  coversAggregate(key: string): boolean {
    return this.#aggregates.has(key) || [...this.#holds.values()].some((hold) => hold.key === key);
  }

  hold(messageId: string, key: string): void {
    this.#holds.set(messageId, { key, settled: false });
  }
  /** The settle of a message is committed: a read that begins now shows whether its aggregate is held. */
  settled(messageId: string): void {
    const hold = this.#holds.get(messageId);
    if (hold) hold.settled = true;
  }

  /** True if a settled hold was not read back yet: an operator may have lifted it before any read. */
  get hasUnreadHolds(): boolean {
    return this.#holds.size > 0 && this.begin().length > 0;
  }

  /** Call before the pauses are read; returns the ids of settled holds. */
  begin(): string[] {
    return [...this.#holds].filter(([, { settled }]) => settled).map(([id]) => id);
  }

  /** `begun`: result of `begin`. */
  replace(entries: readonly PauseEntry[], begun: readonly string[]): PauseChange {
    const subjects = (scope: PauseEntry["scope"]) =>
      new Set(entries.filter((entry) => entry.scope === scope).map(({ subject }) => subject));
    const before = new Set([...this.#aggregates, ...[...this.#holds.values()].map(({ key }) => key)]);
    const typesBefore = this.#types;
    this.#outbox = subjects("outbox").size > 0;
    this.#types = subjects("event_type");
    this.#aggregates = subjects("aggregate");
    for (const id of begun) this.#holds.delete(id);
    return {
      outbox: this.#outbox,
      begunTypes: new Set([...this.#types].filter((type) => !typesBefore.has(type))),
      begunAggregates: [...this.#aggregates].filter((key) => !before.has(key)),
      endedAggregates: [...before].filter((key) => !this.coversAggregate(key)),
      endedTypes: [...typesBefore].some((type) => !this.#types.has(type)),
    };
  }
}
