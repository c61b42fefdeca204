import { describe, expect, test } from "vitest";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import { PUBLISHED, relayBox } from "../relay-box.fixture.ts";

describe("the relay's side of a table", () => {
  const box = relayBox();
  const { insert, claim, claimed, settle, take, number } = box;

  test("what an owner claimed is not marked once someone else has the lease", async () => {
    await insert(3);
    const mine = await claimed();
    await box.table.releaseLease(box.lease);
    const next = await take("other");
    expect(next.epoch).toBe(box.lease.epoch + 1);
    expect(next.orphaned).toEqual(
      ["1", "2", "3"].map((id) => expect.objectContaining({ id, alone: false, owner: "me" })),
    );
    const result = await settle(mine, PUBLISHED);
    expect(result).toMatchObject({ published: [], fenced: ["1", "2", "3"] });
    expect(await number("SELECT count(*) FROM box WHERE published_at IS NOT NULL")).toBe(0);
    await expect(claim()).rejects.toThrow(LeaseLostError);
    expect(await box.table.renewLease(box.lease)).toBe(false);
    await box.table.releaseLease(box.lease);
    expect(await box.table.renewLease(next)).toBe(true);
  });

  test("a live lease is not taken, and one that ran out is", async () => {
    expect(await box.table.acquireLease({ owner: "other", leaseMs: 6000 })).toBeNull();
    await box.database.pool.query("UPDATE outbox_console.lease SET until = clock_timestamp() - interval '1 ms'");
    await expect(claim()).rejects.toThrow(LeaseLostError);
    expect((await take("other")).epoch).toBe(2);
  });

  test("a claim of this term that nobody knows of is ended after a while", async () => {
    await insert(2);
    const mine = await claimed();
    await box.table.endStrayClaims({ lease: box.lease, knownTokens: [] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(1);
    await box.database.pool.query("UPDATE outbox_console.claim SET started_at = started_at - interval '1 minute'");
    await box.table.endStrayClaims({ lease: box.lease, knownTokens: [mine.token] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(1);
    await box.table.endStrayClaims({ lease: box.lease, knownTokens: [] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(0);
  });
});
