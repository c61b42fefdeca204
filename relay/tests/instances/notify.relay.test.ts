import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { type CountedQueries, countQueries } from "../../testing/count-queries.fixture.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

/** An idle relay polls every 250 ms anyway: later on a loaded machine, never much sooner. */
const SOONER_MS = 200;

describe("a relay that listens for hints", () => {
  let harness: RelayHarness;
  let counted: CountedQueries;
  beforeEach(async () => {
    harness = await openHarness();
    await harness.pool.query(`
      CREATE FUNCTION hint() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY "Orders hint"; RETURN NULL; END $$;
      CREATE TRIGGER hint AFTER INSERT ON outbox_events FOR EACH STATEMENT EXECUTE FUNCTION hint()`);
    counted = await countQueries(harness.databaseUrl);
    await harness.start({ databaseUrl: counted.url, relay: ['notify: "Orders hint"'] });
    await waitFor(async () => (await listeners()) === 1, { message: "it listens" });
  });
  afterEach(async () => {
    await harness.close();
    await counted.close();
  });

  const HINTS = "application_name = 'outbox-console relay hints' AND query LIKE 'LISTEN%'";
  const listeners = () =>
    harness.scalar(`SELECT count(*)::int FROM pg_stat_activity WHERE ${HINTS} AND datname = current_database()`);

  test("an idle one reads as soon as a hint arrives, long before its next poll", async () => {
    const { peekedAtMs } = counted;
    const untilNext = (count = peekedAtMs().length) =>
      waitFor(() => peekedAtMs().length > count, { intervalMs: 1, message: "it peeks at the table" });
    /** An insert that comes right after its read leaves the hint nothing to find. */
    const looksSooner = async () => {
      await untilNext();
      const looked = peekedAtMs().length;
      await insertEvents(harness.pool, { count: 0 });
      await untilNext(looked);
      return (peekedAtMs()[looked] ?? 0) - (peekedAtMs()[looked - 1] ?? 0) < SOONER_MS;
    };
    await waitFor(looksSooner, { message: "it looks sooner than it polls" });
    await harness.pool.query("DROP TRIGGER hint ON outbox_events");
    for (let round = 0; round < 5; round += 1) expect(await looksSooner()).toBe(false);
  });

  test("when its connection is cut polling goes on, and hints resume without help", async () => {
    await harness.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${HINTS} AND datname = current_database()`,
    );
    await insertEvents(harness.pool, { count: 10 });
    await harness.waitUntilSent();
    await waitFor(async () => (await listeners()) === 1, { message: "it listens again" });
    await insertEvents(harness.pool, { count: 10, from: 10 });
    await harness.waitUntilSent();
    await harness.stop();
    // The server lists a session for a moment after its client has closed it.
    await waitFor(async () => (await listeners()) === 0, { message: "it has stopped listening" });
  });
});
