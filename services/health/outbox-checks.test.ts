import { expect, test } from "vitest";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { exact, HEALTHY_SNAPSHOT } from "#tests/factories/healthy-snapshot.ts";
import { outboxChecks } from "./outbox-checks.ts";

type Cause = Snapshot["verdict"]["causes"][number];

const cause = (id: string, rule: Cause["rule"], word: Cause["word"]): Cause => ({
  ...{ id, rule, word, severity: "fail", sentence: `cause ${id}`, since: null, messages: 1, messagesCapped: false },
});

function linksOf(causes: Cause[], relays: Partial<NonNullable<Snapshot["relays"]>> = {}) {
  const { verdict, relays: healthy } = HEALTHY_SNAPSHOT;
  const snapshot = {
    ...HEALTHY_SNAPSHOT,
    verdict: { ...verdict, causes },
    relays: healthy && { ...healthy, ...relays },
  };
  return Object.fromEntries(Object.entries(outboxChecks(snapshot)).map(([name, { links }]) => [name, links?.console]));
}

test("what holds messages up is linked to its finding, not only to the page", () => {
  const dead = cause("dead_letters-1", "dead_letters", "in_part");
  const locked = cause("rows_locked-a/b", "locked", "in_part");
  expect(linksOf([dead, locked])["orders:progress"]).toBe("/stuck?finding=rows_locked-a%2Fb&outbox=orders");
  expect(linksOf([dead])["orders:progress"]).toBe("/stuck?outbox=orders");
});

test("so is the log that a slot retains", () => {
  const stream = { name: "orders", lagBytes: 9e9, state: "ok", detail: null } as unknown as NonNullable<
    NonNullable<Snapshot["relays"]>["stream"]
  >;
  expect(linksOf([cause("slot_lag-1", "slot_lag", "at_risk")], { stream })["orders:slotLag"]).toBe(
    "/stuck?finding=slot_lag-1&outbox=orders",
  );
  expect(linksOf([], { stream })["orders:slotLag"]).toBe("/stuck?outbox=orders");
});

test("a failed message is promised no retry, because another program's table may not say so", () => {
  const snapshot = { ...HEALTHY_SNAPSHOT, counts: { ...HEALTHY_SNAPSHOT.counts, failed: exact(2) } };
  expect(outboxChecks(snapshot)["orders:failed"]?.output).toBe("2 messages are in the state failed.");
});
