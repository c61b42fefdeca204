import { beforeEach, describe, expect, test } from "vitest";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import { startStatementRecorder } from "#tests/statement-recorder.ts";
import { waitFor } from "#tests/wait-for.ts";
import { outboxLockSql } from "../../tables/outbox-lock.ts";
import { READ_ALL } from "../box.fixture.ts";
import { PUBLISHED, relayBox } from "../relay-box.fixture.ts";

describe("a claim after one that found few messages", () => {
  const box = relayBox();
  const { insert, claim, claimed, settle, number } = box;
  const claims = () => number("SELECT count(*) FROM outbox_console.claim");

  beforeEach(async () => {
    expect((await claim()).claim).toBeNull();
  });

  test("is one statement between the lock and the clock, without a transaction of its own", async () => {
    const recorder = await startStatementRecorder(box.database.url);
    const other = box.open({ url: recorder.url });
    try {
      const request = { ...READ_ALL, lease: box.lease };
      await other.claimNew(request);
      await other.claimNew(request);
      recorder.forget();
      await insert(2);
      expect((await other.claimNew(request)).claim?.messages).toHaveLength(2);
      expect(recorder.statements.map(({ name }) => name)).toEqual([
        "outbox_console_lock",
        "outbox_console_few_start_bounded",
        "outbox_console_claimed",
      ]);
    } finally {
      await other.close();
      await recorder.close();
    }
  });

  test("has in order what is not in memory, not withheld and from a position on", async () => {
    await insert(9);
    const rest = await claim({ after: ["4", "4"], excludeIds: ["5"], excludeAggregates: ["a0"] });
    expect(rest.claim?.messages.map(({ id }) => id)).toEqual(["4", "7", "8"]);
    expect(rest.more).toBe(false);
    expect(await number("SELECT cardinality(message_ids) FROM outbox_console.claim")).toBe(3);
  });

  test("counts a compressed payload by the most that it may have: it is stored as a hundredth of it", async () => {
    await insert(9);
    await box.database.pool.query("UPDATE box SET payload = repeat('x', 1000000)");
    const characters = async () => {
      const { claim: found, more } = await claim({ maxBytes: 2_000_000 });
      expect(more).toBe(true);
      return found?.messages.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
    };
    const few = await characters();
    // Its result was cut off, so the next claim is of several statements.
    expect([few, await characters()]).toEqual([2_000_000, 2_000_000]);
  });

  test("is settled like any other", async () => {
    await insert(2);
    const found = await claimed();
    await settle(found, PUBLISHED);
    expect(await number("SELECT count(*) FROM box WHERE published_at IS NULL")).toBe(0);
    expect(await claims()).toBe(0);
  });

  test("tells a horizon that transactions begun before it do not pass", async () => {
    const writer = await box.database.pool.connect();
    await writer.query("BEGIN");
    await writer.query("INSERT INTO box (aggregate_id) VALUES ('late')");
    const { horizon } = await claim();
    expect((await claim()).horizon.hasPassed(horizon)).toBe(false);
    await writer.query("COMMIT");
    writer.release();
    // Other tests write to other databases of this server, and its horizon waits for them too.
    await expect.poll(async () => (await claim()).horizon.hasPassed(horizon)).toBe(true);
  });

  test("takes 64 of a burst, and the next takes the rest at once", async () => {
    await insert(200);
    const first = await claim();
    expect(first.claim?.messages).toHaveLength(64);
    expect(first.more).toBe(true);
    const taken = first.claim?.messages.map(({ id }) => id) ?? [];
    expect((await claim({ after: ["64", "64"], excludeIds: taken })).claim?.messages).toHaveLength(136);
  });

  test("ends by its bytes, and says that there is more", async () => {
    await box.database.pool.query("ALTER TABLE box ALTER payload SET STORAGE EXTERNAL");
    await insert(5, "y".repeat(100_000));
    const found = await claim({ maxBytes: 250_000 });
    expect(found.claim?.messages).toHaveLength(3);
    expect(found.more).toBe(true);
  });

  test("is refused and not written when the term is another relay's", async () => {
    await insert(1);
    await box.database.pool.query("UPDATE outbox_console.lease SET epoch = epoch + 1");
    await expect(claim()).rejects.toThrow(LeaseLostError);
    expect(await claims()).toBe(0);
  });

  test("is refused also when nothing is due", async () => {
    await box.database.pool.query("UPDATE outbox_console.lease SET until = now() - interval '1 second'");
    await expect(claim()).rejects.toThrow(LeaseLostError);
  });

  test("waits for an operator's verb on the outbox, and sees what it did", async () => {
    await insert(2);
    const operator = await box.database.pool.connect();
    await operator.query("BEGIN");
    await operator.query(outboxLockSql("box", "exclusive"));
    const claiming = claim();
    const waiting =
      "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted";
    await waitFor(async () => (await number(waiting)) === 1, { message: "the claim waits" });
    await operator.query("UPDATE box SET published_at = now() WHERE id = 1");
    await operator.query("COMMIT");
    operator.release();
    expect((await claiming).claim?.messages.map(({ id }) => id)).toEqual(["2"]);
  });
});
