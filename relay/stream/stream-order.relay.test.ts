import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { variants } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../testing/outbox.fixture.ts";
import {
  cdcLine,
  confirmedBeyond,
  currentLsn,
  openStreamHarness,
  type StreamHarness,
  waitUntilConnected,
} from "../testing/stream.fixture.ts";

const AGGREGATES = 24;
const ROUNDS = 15;

/** First successful deliveries, in order; rejected messages were not delivered. */
describe.each(variants(["none"], ["column", "delete"]))("order under failures, cuts and pauses, mark: %s", (mark) => {
  let harness: StreamHarness;
  let slot: string;
  beforeEach(async () => {
    harness = await openStreamHarness();
    slot = harness.slot;
  });
  afterEach(() => harness.close());

  test("nothing is lost and nothing overtakes", async () => {
    const accepted: { aggregate: string; n: number }[] = [];
    let calls = 0;
    harness.receiver.answerWith(({ body }) => {
      calls += 1;
      if (calls % 41 === 0) return { status: 500 };
      if (calls % 181 === 0) return { status: 503 };
      accepted.push(JSON.parse(body.toString("utf8")));
      return { status: 204, delayMs: calls % 7 === 0 ? 30 : 0 };
    });
    await harness.start({ relay: ["source: cdc", cdcLine(slot, mark), "maxAttempts: 100"] });
    await waitUntilConnected(harness);
    const produce = async (aggregate: number) => {
      for (let n = 0; n < ROUNDS; n += 1)
        await insertEvents(harness.pool, { count: 1, prefix: `p${aggregate}-`, from: n });
    };
    const producers = Promise.all(Array.from({ length: AGGREGATES }, (_, aggregate) => produce(aggregate)));
    const cut = () =>
      harness.pool.query(
        "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active",
        [slot],
      );
    await waitFor(() => accepted.length > 60, { message: "it flows" });
    await cut();
    await waitFor(() => accepted.length > 120, { message: "it flows again" });
    await harness.pool.query("INSERT INTO outbox_console.pause (outbox, reason, by) VALUES ('orders', 'test', 'me')");
    await producers;
    await harness.pool.query("DELETE FROM outbox_console.pause");
    await cut();
    await waitFor(() => distinct(accepted) === AGGREGATES * ROUNDS, { timeoutMs: 150_000, message: "all came" });
    expect(inversions(accepted)).toEqual([]);
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "all is confirmed" });
    await waitFor(async () => (await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")) === 0, {
      message: "no claim is left",
    });
  });
});
