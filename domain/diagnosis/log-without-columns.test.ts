import { expect, test } from "vitest";
import { judged, relays, SLOT } from "./situation.fixture.ts";

test("changes that were written while the publication lacked columns stay without them: how to go past them", () => {
  const stream = { ...SLOT, problem: "The publication does not carry the columns aggregate_id." };
  const { causes } = judged({ facts: { relays: relays({ stream }) } });
  expect(causes.find(({ rule }) => rule === "slot_lag")?.nextStep).toMatch(
    /doctor .* If doctor finds nothing.* stop the worker, run `SELECT pg_replication_slot_advance\('orders_slot', .* with mark: none insert it again/,
  );
});
