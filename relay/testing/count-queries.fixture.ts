import pg from "pg";
import { vi } from "vitest";

export interface CountedQueries {
  all(): number;
  /** Number of statements whose name matches. */
  named(pattern: RegExp): number;
  /** Number of distinct statement names after the first `skipped` statements. */
  kindsAfter(skipped: number): number;
  /** Times of the relay's peeks for new messages, oldest first, ms of the monotonic clock. */
  readonly peekedAtMs: readonly number[];
}

/** Counts the statements of relays' connections in this process, until mocks are restored. */
export function countQueries(): CountedQueries {
  const names: string[] = [];
  const peekedAtMs: number[] = [];
  const original = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query] = args;
    if ("connectionParameters" in this && /relay/.test(JSON.stringify(this.connectionParameters))) {
      const name = typeof query === "object" && query !== null && "name" in query ? String(query.name) : "";
      names.push(name);
      if (name.startsWith("peek")) peekedAtMs.push(performance.now());
    }
    return Reflect.apply(original, this, args);
  });
  const named = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
  const kindsAfter = (skipped: number) => new Set(names.slice(skipped)).size;
  return { all: () => names.length, named, kindsAfter, peekedAtMs };
}
