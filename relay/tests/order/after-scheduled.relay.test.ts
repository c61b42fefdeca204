import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { cdcLine, openStreamHarness, type StreamHarness, waitUntilConnected } from "../../testing/stream.fixture.ts";

let harness: StreamHarness;
beforeEach(async () => {
  harness = await openStreamHarness();
});
afterEach(() => harness.close());

test.each(["polling", "cdc"])(
  "a message written after a scheduled one is due follows it, with %s",
  async (source) => {
    const { pool, slot } = harness;
    await pool.query("ALTER TABLE outbox_events ADD available_at timestamptz");
    const relay = source === "cdc" ? ["source: cdc", cdcLine(slot)] : [];
    await harness.start({ outbox: ["columns: { availableAt: available_at }"], relay });
    if (source === "cdc") await waitUntilConnected(harness);
    await insertEvents(pool, { count: 1, prefix: "first" });
    await harness.waitUntilSent();
    const write = (aggregate: string, n: number, due: string) =>
      pool.query(
        `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, available_at)
       VALUES ('order', $1::text, 'order.changed', jsonb_build_object('aggregate', $1::text, 'n', $2::int), ${due})`,
        [aggregate, n],
      );
    const isDue = (aggregate: string) =>
      pool
        .query("SELECT FROM outbox_events WHERE aggregate_id = $1 AND available_at <= clock_timestamp()", [aggregate])
        .then(({ rowCount }) => rowCount === 1);
    // They are spread over a second, because until now the next search in a second found them, too late.
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const aggregate = `at${index}`;
        await write(aggregate, 1, `clock_timestamp() + interval '${2500 + index * 50} ms'`);
        await write(`other${index}`, 1, "NULL");
        await waitFor(() => isDue(aggregate), { intervalMs: 5, message: `${aggregate} is due` });
        await write(aggregate, 2, "NULL");
      }),
    );
    await waitFor(() => harness.receiver.requests.length === 61, { message: "all are sent" });
    expect(inversions(harness.deliveries())).toEqual([]);
  },
  60_000,
);
