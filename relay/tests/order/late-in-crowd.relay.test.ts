import { afterEach, beforeEach, expect, test } from "vitest";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const INSERT = `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
  VALUES ('order', $1, 'order.changed', jsonb_build_object('aggregate', $1::text, 'n', $2::int))`;
const BACKLOG = 1500;
const LATE = 100_000;
const NEXT = 100_001;

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

test("a row committed late is not overtaken by the next of its aggregate, of which very many wait", async () => {
  const slow = await harness.pool.connect();
  await slow.query("BEGIN");
  await slow.query(INSERT, ["hot", LATE]);
  await harness.pool.query(`INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at)
    SELECT 'order', a, 'order.changed', jsonb_build_object('aggregate', a, 'n', i), now() - interval '1 hour'
    FROM (SELECT i, CASE WHEN i % 4 = 0 THEN 'other' || i % 200 ELSE 'hot' END AS a FROM generate_series(0, ${BACKLOG - 1}) i) AS backlog`);
  await harness.start({ relay: ["batchSize: 200"] });
  await harness.receiver.waitForRequests(BACKLOG / 3);
  await slow.query("COMMIT");
  slow.release();
  await harness.pool.query(INSERT, ["hot", NEXT]);
  await harness.waitUntilSent();
  const hot = harness.deliveries().flatMap(({ aggregate, n }) => (aggregate === "hot" ? [n] : []));
  expect(hot.indexOf(LATE)).toBeLessThan(hot.indexOf(NEXT));
});
