import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "./testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "./testing/relay-harness.fixture.ts";

/** What one outbox may ask of its database while nothing happens. */
const QUERIES_A_SECOND = 6;

describe("a relay of an outbox where nothing happens", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await harness.close();
  });

  test("asks its database few questions, and still notices at once what comes", async () => {
    await harness.start();
    await insertEvents(harness.pool, { count: 3, aggregates: 3 });
    await harness.waitUntilSent();
    const queries = countQueries();
    await waitFor(() => queries.glances() >= 4, { timeoutMs: 20_000, message: "it only glances at the table" });
    const [before, startedMs] = [queries.all(), performance.now()];
    await waitFor(() => queries.glances() >= 36, { timeoutMs: 20_000, message: "eight seconds of glances" });
    const seconds = (performance.now() - startedMs) / 1000;
    expect((queries.all() - before) / seconds).toBeLessThanOrEqual(QUERIES_A_SECOND);

    await insertEvents(harness.pool, { count: 3, aggregates: 3, from: 10 });
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(6);
  });
});

/** Counts what the relay's own connections are asked, from now on. */
function countQueries(): { all(): number; glances(): number } {
  let [all, glances] = [0, 0];
  const original = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query] = args;
    if ("connectionParameters" in this && /relay/.test(JSON.stringify(this.connectionParameters))) {
      all += 1;
      if (typeof query === "object" && query !== null && "name" in query && /^peek/.test(String(query.name))) {
        glances += 1;
      }
    }
    return Reflect.apply(original, this, args);
  });
  return { all: () => all, glances: () => glances };
}
