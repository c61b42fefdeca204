import { describe, expect, test } from "vitest";
import { watchPlans } from "#tests/plans-of.ts";
import { FAILED, READ_ALL } from "./box.fixture.ts";
import { PUBLISHED, relayBox } from "./relay-box.fixture.ts";

const SETTLED = 20;

describe("on a table that looked empty when a statement was planned, as one into which a burst comes", () => {
  const box = relayBox();

  test("rows are found by their keys, and not among all that wait", async () => {
    await box.database.pool.query("CREATE INDEX box_waiting ON box (id) WHERE published_at IS NULL");
    await box.database.pool.query("VACUUM ANALYZE box");
    const watched = await watchPlans(box.database);
    const table = box.open({ url: watched.url });
    try {
      await box.insert(SETTLED);
      const { claim } = await table.claimNew({ ...READ_ALL, lease: box.lease });
      const { token = "", messages = [] } = claim ?? {};
      expect(messages).toHaveLength(SETTLED);
      const settle = (outcome: typeof PUBLISHED, some: typeof messages, ended: string[] = []) =>
        table.settle({
          lease: box.lease,
          entries: some.map((message) => ({ token, message, outcome })),
          endedTokens: ended,
          afterDoubt: false,
        });
      const plans = await watched.toldOf("box", async () => {
        await settle(PUBLISHED, messages.slice(1));
        await settle(FAILED, messages.slice(0, 1), [token]);
        const retried = await table.claimDueRetries({ lease: box.lease, limit: 10, excludeIds: [], maxBytes: 1000 });
        expect(retried?.messages).toHaveLength(1);
      });
      expect(plans.length).toBeGreaterThan(2);
      expect(plans.filter((plan) => !plan.includes("box_pkey") || plan.includes("box_waiting"))).toEqual([]);
    } finally {
      await table.close();
      await watched.close();
    }
  });
});
