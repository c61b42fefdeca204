import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

/** The order is a version within each aggregate, so many rows have the same place. */
const DDL = `CREATE TABLE outbox_events (
  id uuid PRIMARY KEY, version bigint NOT NULL, aggregate_type text NOT NULL DEFAULT 'order', aggregate_id text NOT NULL,
  event_type text NOT NULL DEFAULT 'order.changed', payload jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), published_at timestamptz);
  CREATE INDEX ON outbox_events (version) WHERE published_at IS NULL`;
/** Longer than the watermark takes to pass to the first row. */
const WRITTEN_FOR_MS = 4000;

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness(DDL);
});
afterEach(() => harness.close());

test("rows with the same value of the order column are sent once each", async () => {
  const { pool, receiver } = harness;
  const requested = (id: string) => receiver.requests.some(({ headers }) => headers["webhook-id"] === id);
  const insert = async (id: string) => {
    await pool.query("INSERT INTO outbox_events (id, version, aggregate_id) VALUES ($1, 1, $2)", [id, id]);
    await waitFor(() => requested(id), { message: `${id} was sent` });
  };
  let last = 0xffffff;
  const idBefore = () => `${(last--).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  await harness.start({ outbox: ["columns: { order: version }"] });
  await insert("ffffffff-0000-4000-8000-000000000000");
  const beganMs = performance.now();
  while (performance.now() - beganMs < WRITTEN_FOR_MS) {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      await gate;
      return { status: 204 };
    });
    // The second is read while the first is with the receiver.
    await insert(idBefore());
    await insert(idBefore());
    open();
  }
  await harness.waitUntilSent();
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids.length).toBe(new Set(ids).size);
  expect(harness.logged()).not.toContain("another program");
}, 60_000);

test("messages of an aggregate are sent in order of their versions while many fail, and none is left", async () => {
  const { pool, receiver } = harness;
  const [aggregates, versions] = [40, 12];
  const accepted = new Map<string, number[]>();
  let answers = 0;
  receiver.answerWith(({ body }) => {
    const { aggregate, version } = JSON.parse(body.toString("utf8"));
    answers += 1;
    if (answers % 7 === 3) return { status: 500 };
    accepted.set(aggregate, [...(accepted.get(aggregate) ?? []), version]);
    return { status: 204 };
  });
  await harness.start({
    outbox: ["columns: { order: version }"],
    relay: ["maxAttempts: 1000"],
  });
  for (let version = 1; version <= versions; version += 1) {
    await pool.query(
      `INSERT INTO outbox_events (id, version, aggregate_id, payload)
       SELECT gen_random_uuid(), $1::int, 'a' || n, jsonb_build_object('aggregate', 'a' || n, 'version', $1::int)
       FROM generate_series(1, $2) n`,
      [version, aggregates],
    );
  }
  await harness.waitUntilSent(60_000);
  expect(accepted.size).toBe(aggregates);
  const all = Array.from({ length: versions }, (_, n) => n + 1);
  for (const [aggregate, seen] of accepted) expect(seen, aggregate).toEqual(all);
  expect(harness.logged()).not.toContain("another program");
}, 90_000);
