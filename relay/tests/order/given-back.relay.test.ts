import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { ABORTED, PUBLISHED, type PublishOutcome } from "../../sinks/sink.ts";
import { BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

/** A promise with its resolver. */
function gate<T>() {
  return Promise.withResolvers<T>();
}

describe("messages that are returned to the table", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness(BENCH_DDL);
  });
  afterEach(() => harness.close());

  test("are not overtaken by a later message that was read during their return", async () => {
    const insert = (n: number) =>
      harness.pool.query(
        `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', 'a', 'e', jsonb_build_object('n', $1::int))`,
        [n],
      );
    const numberOf = (payload: string | null) => (JSON.parse(payload ?? "{}") as { n: number }).n;

    const table = openBenchTable({ url: harness.databaseUrl, relayId: "given-back" });
    // The read that finds the third message is answered only after the first two are back in the table.
    const thirdRead = gate<void>();
    const givenBack = gate<void>();
    const slow: RelayTable = Object.assign(Object.create(table) as RelayTable, {
      claimNew: async (request: Parameters<RelayTable["claimNew"]>[0]) => {
        const result = await table.claimNew(request);
        if (result.claim?.messages.some(({ payload }) => numberOf(payload) === 3)) {
          thirdRead.resolve();
          await givenBack.promise;
        }
        return result;
      },
      settle: async (request: Parameters<RelayTable["settle"]>[0]) => {
        const result = await table.settle(request);
        // The consequences are complete before the read is answered.
        if (request.entries.some(({ outcome }) => outcome.kind === "given_back")) setTimeout(givenBack.resolve, 20);
        return result;
      },
    });

    const firstAnswer = gate<PublishOutcome>();
    let asked = 0;
    const sink = createMemorySink({
      answer: () => {
        asked += 1;
        return asked === 1 ? firstAnswer.promise : PUBLISHED;
      },
    });
    const settings = { batchSize: 10, concurrency: 4, onFailure: "block", retry: { initialMs: 1, maxMs: 10 } } as const;
    const relay = createBenchRelay({ id: "given-back", table: slow, sink, settings });
    await insert(1);
    await insert(2);
    const stopping = new AbortController();
    const running = relay.run(stopping.signal);
    try {
      await waitFor(() => asked === 1, { message: "the first is with the sink" });
      await insert(3);
      await thirdRead.promise;
      firstAnswer.resolve(ABORTED);
      await waitFor(() => sink.received.length === 3, { message: "all are delivered" });
      expect(sink.received.map(({ payload }) => numberOf(payload))).toEqual([1, 2, 3]);
    } finally {
      stopping.abort();
      await running;
      await table.close();
    }
  });
});
