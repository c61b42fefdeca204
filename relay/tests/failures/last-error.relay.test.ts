import { afterEach, beforeEach, expect, test } from "vitest";
import { listRelays } from "#services/relays/list-relays.ts";
import type { Runtime } from "#services/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, unsentCount } from "../../testing/outbox.fixture.ts";
import { openRuntimeHarness, type RuntimeHarness } from "../../testing/runtime-harness.fixture.ts";

let harness: RuntimeHarness;
let runtime: Runtime;
beforeEach(async () => {
  harness = await openRuntimeHarness();
  runtime = harness.runtime;
});
afterEach(() => harness.close());

test("an instance says when its last error was, and still says so while all is well", async () => {
  await harness.start();
  const only = async () => (await listRelays({ runtime })).relays[0];
  await waitFor(async () => (await only())?.state === "owner", { message: "it owns the outbox" });
  expect(await only()).toMatchObject({ lastError: null, lastErrorAt: null });
  harness.receiver.answerNext({ status: 422 });
  const before = Date.now();
  await insertEvents(harness.pool, { count: 1 });
  const failed = await waitFor(
    async () => {
      const relay = await only();
      return relay?.lastErrorAt ? relay : null;
    },
    { message: "the error is told" },
  );
  expect(failed.lastError).toContain("422");
  const at = Date.parse(failed.lastErrorAt ?? "");
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
  await insertEvents(harness.pool, { count: 1, from: 1 });
  await waitFor(async () => (await unsentCount(harness.pool)) === 0, { message: "the next is sent" });
  await waitFor(async () => ((await only())?.published ?? 0) > 0, { message: "it says so" });
  expect((await only())?.lastErrorAt).toBe(failed.lastErrorAt);
});

test("a connection that is lost under every claim is told as no answer of the store", async () => {
  await harness.start();
  const only = async () => (await listRelays({ runtime })).relays[0];
  await waitFor(async () => (await only())?.state === "owner", { message: "it owns the outbox" });
  await harness.pool.query(`CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NEW; END $$;
    CREATE TRIGGER cut_off BEFORE INSERT ON outbox_console.claim FOR EACH ROW EXECUTE FUNCTION cut_off()`);
  await insertEvents(harness.pool, { count: 1 });
  await waitFor(
    async () => /^Nothing can be claimed: the store does not answer \(.+\)$/.test((await only())?.lastError ?? ""),
    { message: "the lost connection is told" },
  );
  await harness.pool.query("DROP TRIGGER cut_off ON outbox_console.claim");
  await waitFor(async () => (await unsentCount(harness.pool)) === 0, { message: "it is sent" });
});

test("a store that refuses every claim is told in its words, while messages wait", async () => {
  await harness.start();
  const only = async () => (await listRelays({ runtime })).relays[0];
  await waitFor(async () => (await only())?.state === "owner", { message: "it owns the outbox" });
  await harness.pool.query(`CREATE FUNCTION no_claims() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no claims today'; END $$;
    CREATE TRIGGER no_claims BEFORE INSERT ON outbox_console.claim FOR EACH ROW EXECUTE FUNCTION no_claims()`);
  await insertEvents(harness.pool, { count: 1 });
  await waitFor(async () => (await only())?.lastError === "Nothing can be claimed: no claims today", {
    message: "the refusal is told",
  });
  await harness.pool.query("DROP TRIGGER no_claims ON outbox_console.claim");
  await waitFor(async () => (await unsentCount(harness.pool)) === 0, { message: "it is sent" });
});
