import pg from "pg";
import { vi } from "vitest";

export interface CountedQueries {
  all(): number;
  /** Statements whose name is like that. */
  named(pattern: RegExp): number;
  /** How many kinds of statement there were after the first `skipped` questions. */
  kindsAfter(skipped: number): number;
  /** When the relay asked whether there is anything new, oldest first, ms of the monotonic clock. */
  readonly peekedAtMs: readonly number[];
}

/** Counts what the connections of relays in this process are asked, from now until mocks are restored. */
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
