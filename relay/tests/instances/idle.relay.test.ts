import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longerTest } from "#tests/longer-test.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type CountedQueries, countQueries } from "../../testing/count-queries.fixture.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

/** Most statements that one idle outbox may cause, by kind. */
const QUERIES_A_SECOND = 6;

describe("a relay of an idle outbox", () => {
  let harness: RelayHarness;
  let counted: CountedQueries;
  beforeEach(async () => {
    harness = await openHarness();
    counted = await countQueries(harness.databaseUrl);
    await harness.start({ databaseUrl: counted.url });
  });
  afterEach(async () => {
    await harness.close();
    await counted.close();
  });

  test("runs few statements, and still notices a new message at once", async () => {
    await insertEvents(harness.pool, { count: 3, aggregates: 3 });
    await harness.waitUntilSent();
    const { all, kindsAfter, peekedAtMs } = counted;
    counted.forget();
    await waitFor(() => peekedAtMs().length >= 4, { message: "it only peeks at the table" });
    const isFrugal = async () => {
      const [before, startedMs, peeks] = [all(), performance.now(), peekedAtMs().length];
      await waitFor(() => peekedAtMs().length >= peeks + 32, { message: "eight seconds of peeks" });
      const seconds = (performance.now() - startedMs) / 1000;
      // Each kind may fall on both ends of the window.
      return all() - before <= QUERIES_A_SECOND * seconds + kindsAfter(before);
    };
    // On a busy machine peeks are slow, and a relay whose peeks are slow claims instead: then the next seconds are
    // counted.
    await waitFor(isFrugal, { timeoutMs: 200_000, message: "it runs few statements" });

    await insertEvents(harness.pool, { count: 3, aggregates: 3, from: 10 });
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(6);
  });

  longerTest("does not look for rows to skip in an outbox that was always empty", async () => {
    const { named, peekedAtMs } = counted;
    await waitFor(() => peekedAtMs().length >= 4, { message: "it only peeks at the table" });
    const seldomLooks = async () => {
      const [before, peeks] = [named(/^skip/), peekedAtMs().length];
      await waitFor(() => peekedAtMs().length >= peeks + 16, { timeoutMs: 40_000, message: "four seconds of peeks" });
      return named(/^skip/) - before < 8;
    };
    // On a busy machine a relay claims between its peeks, and looks for rows to skip: then the next seconds are
    // counted.
    await waitFor(seldomLooks, { timeoutMs: 200_000, message: "it seldom looks for rows to skip" });
  });
});
