import type { Runtime, StoreHandle } from "#services/runtime.ts";
import { logTrouble } from "./log.ts";
import { RetentionTurns } from "./retention-turns.ts";

/** Time between the beginnings of two rounds of a store. */
const ROUND_MS = 60_000;
/** Time of all turns of a round together, as long as each has the least. */
const TURNS_MS = 50_000;
/** Longest and shortest turn of one policy. Old rows that are left then go in the next turn. */
const LONGEST_TURN_MS = 40_000;
const SHORTEST_TURN_MS = 5_000;

/** The time for the next of so many turns. A policy that has little to remove leaves its time to those behind it. */
export function turnMs({ leftMs, turns }: { leftMs: number; turns: number }): number {
  return Math.max(SHORTEST_TURN_MS, Math.min(LONGEST_TURN_MS, leftMs / turns));
}

/**
 * Removes old rows of outboxes and inboxes by their configured retention, on the leading monitor. Each store has its
 * own rounds, in which one policy after another has a turn: retention uses at most one of its connections, and a slow
 * store delays no other.
 */
export class RetentionRunner {
  readonly #runtime: Runtime;
  readonly #signal: AbortSignal;
  readonly #everyMs: number;
  readonly #turns: RetentionTurns;
  readonly #rounds = new Map<string, Promise<void>>();
  readonly #nextMs = new Map<string, number>();

  /** `everyMs` is for tests. */
  constructor(options: { runtime: Runtime; signal: AbortSignal; everyMs?: number }) {
    this.#runtime = options.runtime;
    this.#signal = options.signal;
    this.#everyMs = options.everyMs ?? ROUND_MS;
    this.#turns = new RetentionTurns(options);
  }

  /** Begins the round of each store whose last one has ended and began a minute ago, and returns immediately. */
  async runOnce(): Promise<void> {
    const { outboxes, inboxes } = await this.#runtime.tables();
    for (const store of new Set([...outboxes, ...inboxes].map((table) => table.store))) {
      const { name } = store;
      if (this.#rounds.has(name) || performance.now() < (this.#nextMs.get(name) ?? 0)) continue;
      this.#nextMs.set(name, performance.now() + this.#everyMs);
      const round = this.#round(store)
        .catch((error: unknown) => logTrouble(`retention of store ${name}`, error))
        .finally(() => this.#rounds.delete(name));
      this.#rounds.set(name, round);
    }
  }

  /** Waits until every round has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#rounds.values());
  }

  async #round(store: StoreHandle): Promise<void> {
    const due = this.#turns.dueOf(store, await this.#runtime.tables());
    const endsAt = performance.now() + TURNS_MS;
    for (const [index, turn] of due.entries()) {
      if (this.#signal.aborted) return;
      const budgetMs = turnMs({ leftMs: endsAt - performance.now(), turns: due.length - index });
      await turn.take(budgetMs).catch((error: unknown) => logTrouble(`retention of ${turn.what}`, error));
    }
  }
}
