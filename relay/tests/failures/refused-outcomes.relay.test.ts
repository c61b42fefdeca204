import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, unsentCount } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

const unsent = (count: number) =>
  waitFor(async () => (await unsentCount(harness.pool)) === count, {
    message: `${count} are not marked`,
  });

test("a row that cannot be marked does not prevent others from being marked", async () => {
  await harness.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON outbox_events FOR EACH ROW WHEN (OLD.aggregate_id = 'bad0') EXECUTE FUNCTION refuse()`);
  await harness.start();
  await insertEvents(harness.pool, { count: 1, prefix: "bad" });
  await insertEvents(harness.pool, { count: 40, aggregates: 20 });
  await unsent(1);
  for (let from = 10; from < 13; from += 1) {
    await insertEvents(harness.pool, { count: 20, aggregates: 20, from });
    await unsent(1);
  }
  await harness.pool.query("DROP TRIGGER refuse ON outbox_events");
  await unsent(0);
  expect(harness.receiver.requests).toHaveLength(101);
});

test("later messages of an aggregate wait until the death of an earlier one is written: a crash would send it after them", async () => {
  const { pool, receiver } = harness;
  const isRejected = (body: Buffer) => /"bad0"/.test(body.toString()) && /"n": ?0\b/.test(body.toString());
  receiver.answerWith(({ body }) => ({ status: isRejected(body) ? 400 : 204 }));
  await insertEvents(pool, { count: 3, aggregates: 1, prefix: "bad" });
  const locker = await pool.connect();
  const delivered = (bad: boolean) => harness.deliveries().filter(({ aggregate }) => (aggregate === "bad0") === bad);
  try {
    await locker.query("BEGIN; SELECT FROM outbox_events ORDER BY seq LIMIT 1 FOR UPDATE");
    await harness.start();
    await receiver.waitForRequests(1);
    await insertEvents(pool, { count: 20, aggregates: 10 });
    await waitFor(() => delivered(false).length === 20, { message: "the others are published" });
    expect(delivered(true).map(({ n }) => n)).toEqual([0]);
  } finally {
    await locker.query("ROLLBACK");
    locker.release();
  }
  await unsent(0);
  expect(delivered(true).map(({ n }) => n)).toEqual([0, 1, 2]);
});
