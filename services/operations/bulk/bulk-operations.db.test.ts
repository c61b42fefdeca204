import { describe, expect, test } from "vitest";
import { ADMIN } from "#tests/factories/runtime.ts";
import { acceptMapping } from "../../mapping/accept-mapping.ts";
import { getMessage } from "../../messages/get-message.ts";
import { listOperations } from "../list-operations.ts";
import { bulkOutbox } from "./bulk-outbox.fixture.ts";

const outbox = bulkOutbox();
const DEAD = { action: "retry" as const, filter: { state: "dead" as const } };

describe("an operation over a filter", () => {
  test("retries all that match at its start, follows each to its outcome, and leaves newcomers alone", async () => {
    await outbox.put(1200);
    await outbox.work();
    const started = await outbox.start({ ...DEAD, confirm: 1200 });
    expect(started).toMatchObject({ finished: false, bulk: { state: "selecting" } });
    await outbox.until(started.id, "running", "publish");
    await outbox.put(7);
    const ended = await outbox.until(started.id, "finished", "publish");
    expect(ended.bulk?.counts).toMatchObject({ selected: 1200, left: 0, published: 1200, failed_again: 0 });
    expect(await outbox.query("SELECT count(*)::int AS n FROM outbox_events WHERE attempts >= 5")).toEqual([{ n: 7 }]);
    expect(await outbox.query("SELECT action, outcome, detail FROM outbox_console.audit")).toEqual([
      { action: "operation.retry", outcome: "done", detail: "dead messages" },
    ]);
    const [first] = await outbox.items(started.id);
    const message = await getMessage({ runtime: outbox.runtime(), outbox: "orders", id: first?.id ?? "" });
    expect(message.audit).toMatchObject([{ action: "message.retry", operationId: started.id, reason: "INC-42" }]);
  });

  test.each([
    ["dead", 5],
    ["failing", 5],
    ["failing", 2],
  ] as const)(
    "takes %s messages with a time that is ahead, as of a producer whose clock is (%i attempts)",
    async (state, attempts) => {
      await outbox.put(5, { attempts });
      await outbox.query("UPDATE outbox_events SET occurred_at = now() + interval '2 hours'");
      await outbox.work();
      const { id } = await outbox.start({ action: "retry", filter: { state } });
      const ended = await outbox.until(id, "finished", "publish");
      expect(ended.bulk?.counts).toMatchObject({ selected: 5, published: 5 });
    },
  );

  test("says how many waiting messages it leaves out, because their time is after its start", async () => {
    await outbox.put(7, { attempts: 0 });
    await outbox.query(
      "UPDATE outbox_events SET occurred_at = now() + interval '2 hours' WHERE id IN (SELECT id FROM outbox_events LIMIT 3)",
    );
    await outbox.work();
    const { id } = await outbox.start({ action: "dead-letter", filter: { state: "pending" } });
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.timeline.find(({ kind }) => kind === "selected")?.text).toBe(
      "4 items written; 3 messages left out: created after the start, by their own time",
    );
  });

  test("takes a failure group in every state that its messages have, and nothing else", async () => {
    await outbox.put(9);
    await outbox.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, last_error, last_failed_at, fingerprint, dead_at)
       SELECT 'orders', id::text, 2, 'no rate', now(), CASE WHEN n <= 5 THEN 'g1' ELSE 'g2' END, NULL
       FROM (SELECT id, row_number() OVER (ORDER BY occurred_at) AS n FROM outbox_events) rows`,
    );
    // Two of the group may still be tried again.
    await outbox.query(
      "UPDATE outbox_events SET attempts = 2 WHERE id IN (SELECT id FROM outbox_events ORDER BY occurred_at LIMIT 2)",
    );
    await outbox.work();
    const { id } = await outbox.start({ action: "retry", filter: { state: "all", group: "g1" } });
    const ended = await outbox.until(id, "finished", "publish");
    expect(ended.bulk?.counts).toMatchObject({ selected: 5, published: 5 });
  });

  test("halts after its canary if that fails again, with the error; a resume sends another canary", async () => {
    await outbox.put(300);
    await outbox.work();
    const { id } = await outbox.start(DEAD);
    const halted = await outbox.until(id, "halted", "fail");
    expect(halted.bulk?.counts).toMatchObject({ failed_again: 10, left: 290 });
    expect(halted.bulk?.note).toBe("10 of the last 10 failed again (halts at 20 %): HTTP 500: no rate");
    await outbox.command(id, "resume");
    const again = await outbox.until(id, "halted", "fail");
    expect(again.bulk?.counts).toMatchObject({ failed_again: 20, left: 280 });
    await outbox.command(id, "cancel");
    const ended = await outbox.until(id, "cancelled");
    const kinds = ended.bulk?.timeline.map(({ kind }) => kind).reverse();
    expect(kinds).toEqual(["selected", "halted", "running", "halted", "cancelling", "cancelled"]);
    expect(ended.bulk?.timeline.map(({ text }) => text)).toContain("Resumed by an operator");
  });

  test("cancelled, it leaves the rest alone, and follows what it had retried", async () => {
    await outbox.put(50);
    await outbox.work();
    const { id } = await outbox.start(DEAD);
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBe(10);
    await outbox.command(id, "cancel");
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.cancelled).toBe(40);
    expect((await outbox.get(id)).bulk?.state).toBe("cancelling");
    const ended = await outbox.until(id, "cancelled", "publish");
    expect(ended.bulk?.counts).toMatchObject({ published: 10, cancelled: 40, left: 0 });
    expect(ended.bulk?.timeline.map(({ text }) => text)).toContain("The rest was cancelled by an operator");
  });

  test("cancelled while its items are written, it says how many were left as they were", async () => {
    await outbox.put(3);
    const first = await outbox.work();
    const { id } = await outbox.start(DEAD);
    await first.stop();
    await outbox.query("DELETE FROM outbox_console.operation_item");
    await outbox.query(
      `INSERT INTO outbox_console.operation_item (operation_id, seq, message_id, version, state_before)
       SELECT $1, row_number() OVER (), id, '1', 'dead' FROM outbox_events`,
      [id],
    );
    const written = { cursor: "0:more", selectedAll: false, selected: 3, counts: { left: 3 }, canary: null };
    const progress = { ...written, ratePerSecond: null, note: null, timeline: [] };
    await outbox.query("UPDATE outbox_console.operation SET state = 'selecting', progress = $2 WHERE id = $1", [
      id,
      JSON.stringify(progress),
    ]);
    await outbox.command(id, "cancel");
    await outbox.work();
    const ended = await outbox.until(id, "cancelled");
    expect(ended.bulk?.counts).toMatchObject({ selected: 3, cancelled: 3, left: 0 });
    expect(ended.bulk?.timeline.map(({ text }) => text)).toContain("Cancelled; Retried: 3 cancelled");
  });

  test("while nothing works on it, it says no rate and no time that is left", async () => {
    await outbox.put(3);
    const first = await outbox.work();
    const { id } = await outbox.start({ ...DEAD, settings: { ...SETTINGS, canary: 0 } });
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBe(3);
    await first.stop();
    await outbox.query(
      "UPDATE outbox_console.operation SET state = 'running', progress = jsonb_set(progress::jsonb, '{ratePerSecond}', '900') WHERE id = $1",
      [id],
    );
    expect((await outbox.get(id)).bulk).toMatchObject({ runner: null, ratePerSecond: null, secondsLeft: null });
  });

  test("paused, it acts on nothing; resumed, it goes on", async () => {
    await outbox.put(30);
    await outbox.work();
    const { id } = await outbox.start({ ...DEAD, settings: { ...SETTINGS, ratePerSecond: 5, canary: 0 } });
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBeGreaterThan(0);
    await outbox.command(id, "pause");
    await expect.poll(async () => (await outbox.get(id)).bulk?.state).toBe("paused");
    await outbox.command(id, "resume");
    const ended = await outbox.until(id, "finished", "publish");
    expect(ended.bulk?.counts.published).toBe(30);
  });

  test("acts on nothing once the table no longer fits the mapping that its start accepted", async () => {
    await outbox.put(40);
    await outbox.work();
    const { id } = await outbox.start({ ...DEAD, settings: { ...SETTINGS, ratePerSecond: 5, canary: 0 } });
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBeGreaterThan(0);
    await outbox.query("ALTER TABLE outbox_events DROP CONSTRAINT outbox_events_pkey");
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.refused).toBeGreaterThan(0);
    const refused = (await outbox.items(id)).find(({ outcome }) => outcome === "refused");
    expect(refused?.message).toMatch(/no longer fits the mapping that was accepted: nothing was changed/);
  });

  test("ends with its items refused once another primary key was accepted, because ids name other messages then", async () => {
    await outbox.put(40);
    await outbox.work();
    const { id } = await outbox.start({ ...DEAD, settings: { ...SETTINGS, ratePerSecond: 5, canary: 0 } });
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBeGreaterThan(0);
    await acceptAnotherKey();
    const ended = await outbox.until(id, "finished");
    const { counts, timeline } = ended.bulk ?? expect.unreachable();
    expect(counts).toMatchObject({ selected: 40, left: 0, released: 0 });
    expect(counts.unknown).toBeGreaterThan(0);
    expect(timeline[0]?.text).toMatch(/primary key was id uuid .* is now seq bigint/);
    // An item whose turn came between the change of the table and its acceptance has another reason.
    const refusals = (await outbox.items(id)).filter(({ outcome }) => outcome === "refused");
    expect(refusals.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/their ids no longer name them/),
    );
    const rest = { action: "retry" as const, itemsOf: { operation: id, outcomes: ["refused" as const] } };
    await expect(outbox.start(rest)).rejects.toMatchObject({ code: "wrong_state" });
  });

  test("selects nothing once another primary key was accepted", async () => {
    await outbox.put(3);
    const { id } = await startWithoutWorker();
    await acceptAnotherKey();
    await outbox.work();
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.counts).toMatchObject({ selected: 0, left: 0 });
    expect(ended.bulk?.timeline.at(-1)?.text).toMatch(/^The selection ends: The table's primary key was id uuid/);
  });

  test("skips what has changed since it was selected, and says so", async () => {
    await outbox.put(20);
    const { id } = await startWithoutWorker();
    await outbox.work();
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBe(10);
    const left = (await outbox.items(id)).filter(({ outcome }) => outcome === null);
    await outbox.query("UPDATE outbox_events SET last_error = 'changed' WHERE id::text = $1", [left.at(-1)?.id]);
    const ended = await outbox.until(id, "finished", "publish");
    expect(ended.bulk?.counts).toMatchObject({ published: 19, skipped: 1 });
    expect((await outbox.items(id)).find(({ outcome }) => outcome === "skipped")).toMatchObject({ code: "conflict" });
  });
});

async function acceptAnotherKey(): Promise<void> {
  await outbox.query(
    "ALTER TABLE outbox_events DROP CONSTRAINT outbox_events_pkey, ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  );
  const runtime = outbox.runtime();
  await runtime.refresh("shop");
  await acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null });
  await runtime.refresh("shop");
}

const SETTINGS = { ratePerSecond: null, rampSeconds: 0, canary: 10, haltPercent: 20 };

/** Starts while a monitor is alive, which then stops before it has taken the operation. */
async function startWithoutWorker() {
  const monitor = await outbox.work();
  await monitor.stop();
  return outbox.start(DEAD);
}

describe("two workers, and one that dies", () => {
  test("no message is acted on twice, and none is left out", async () => {
    await outbox.query(
      `CREATE TABLE acts (id uuid); CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
       $$BEGIN IF OLD.attempts > 0 AND NEW.attempts = 0 THEN INSERT INTO acts VALUES (NEW.id); END IF; RETURN NEW; END$$;
       CREATE TRIGGER note AFTER UPDATE ON outbox_events FOR EACH ROW EXECUTE FUNCTION note()`,
    );
    await outbox.put(400);
    await outbox.work();
    const { id } = await outbox.start({ ...DEAD, settings: { ...SETTINGS, canary: 0 } });
    await expect.poll(async () => (await outbox.get(id)).bulk?.counts.released).toBeGreaterThan(50);
    // The first worker is cut off in the middle of its turn: another takes its lease while it still acts.
    await outbox.query("UPDATE outbox_console.operation SET runner_until = now()");
    await outbox.until(id, "finished", "publish");
    expect(await outbox.query("SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM acts")).toEqual([
      { n: 400, ids: 400 },
    ]);
  });
});

test("an operation that runs is listed as such, however many newer ones have ended", async () => {
  await outbox.put(20);
  await outbox.work();
  const { id } = await outbox.start({ ...DEAD, settings: { ...SETTINGS, ratePerSecond: 1, canary: 0 } });
  await outbox.until(id, "running");
  await outbox.command(id, "pause");
  await outbox.query(
    `INSERT INTO outbox_console.operation (id, outbox, action, actor, role, reason, request_hash, state, plan, ended_at)
     SELECT gen_random_uuid(), outbox, action, actor, role, reason, request_hash, 'finished', plan, now() FROM outbox_console.operation, generate_series(1, 60)`,
  );
  const list = await listOperations({ runtime: outbox.runtime(), query: { limit: 50, running: "true" } });
  expect(list).toMatchObject({ operations: [{ id, bulk: { state: "paused" } }], nextCursor: null });
});
