import { describe, expect, test } from "vitest";
import { FAILED } from "../box.fixture.ts";
import { relayBox } from "../relay-box.fixture.ts";

describe("the relay's side of a table", () => {
  const box = relayBox();
  const { insert, claim, claimed, settle, number } = box;

  test("a failed message is claimed by the retry path alone, and again by the other once an operator reset it", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    expect((await claim()).claim).toBeNull();
    expect(await box.table.listRetries({ lease: box.lease })).toMatchObject([
      { id: "1", aggregateKey: "a1", order: ["1", "1"], attempts: 1 },
    ]);
    const retry = await box.table.claimDueRetries({ lease: box.lease, limit: 10, excludeIds: [] });
    expect(retry?.messages).toMatchObject([{ id: "1", attempts: 1 }]);
    await settle(retry!, { kind: "given_back" });
    await box.database.pool.query("DELETE FROM outbox_console.delivery");
    expect((await claimed()).messages).toHaveLength(1);
  });

  test("a failed message that someone published meanwhile is forgotten, not tried", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    await box.database.pool.query("UPDATE box SET published_at = now()");
    expect(await box.table.claimDueRetries({ lease: box.lease, limit: 10, excludeIds: [] })).toBeNull();
    expect(await number("SELECT count(*) FROM outbox_console.delivery")).toBe(0);
  });
});
