import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

/** As after the database's clock was set: our own heartbeats are an hour old, and the lease has expired. */
const SET_CLOCK = `
CREATE FUNCTION an_hour_ago() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.heartbeat_at := NEW.heartbeat_at - interval '1 hour';
  NEW.last_published_at := NEW.last_published_at - interval '1 hour';
  RETURN NEW; END $$;
CREATE TRIGGER an_hour_ago BEFORE INSERT OR UPDATE ON outbox_console.relay_instance FOR EACH ROW EXECUTE FUNCTION an_hour_ago();
UPDATE outbox_console.relay_instance SET state = state;
DELETE FROM outbox_console.lease`;

test("a relay does not take what it published itself for another one's after the database's clock was set", async () => {
  const { pool } = harness;
  await harness.start();
  await insertEvents(pool, { count: 3 });
  await harness.waitUntilSent();
  const lost = () => /the lease was taken over/.test(harness.logged());
  await pool.query(SET_CLOCK);
  await waitFor(lost, { message: "the lease is lost" });
  await insertEvents(pool, { count: 3, from: 3 });
  await harness.waitUntilSent();
  expect(harness.logged()).not.toMatch(/something else marks rows of this table/);
});
