import pg from "pg";
import { vi } from "vitest";

export interface CountedQueries {
  all(): number;
  /** When the relay asked whether there is anything new, oldest first, ms of the monotonic clock. */
  readonly glancedAtMs: readonly number[];
}

/** Counts what the connections of relays in this process are asked, from now until mocks are restored. */
export function countQueries(): CountedQueries {
  let all = 0;
  const glancedAtMs: number[] = [];
  const original = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query] = args;
    if ("connectionParameters" in this && /relay/.test(JSON.stringify(this.connectionParameters))) {
      all += 1;
      if (typeof query === "object" && query !== null && "name" in query && /^peek/.test(String(query.name))) {
        glancedAtMs.push(performance.now());
      }
    }
    return Reflect.apply(original, this, args);
  });
  return { all: () => all, glancedAtMs };
}
