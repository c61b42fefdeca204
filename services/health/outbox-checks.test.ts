import { expect, test } from "vitest";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { exact, HEALTHY_SNAPSHOT } from "#tests/factories/healthy-snapshot.ts";
import { outboxChecks } from "./outbox-checks.ts";

type Cause = Snapshot["verdict"]["causes"][number];

const cause = (id: string, rule: Cause["rule"], word: Cause["word"]): Cause => ({
  ...{
    id,
    rule,
    word,
    severity: "fail",
    sentence: `cause ${id}`,
    since: null,
    messages: 1,
    messagesCapped: false,
    messagesEstimated: false,
  },
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

test.each([
  [exact(1), exact(0), "Nothing waits that is due. 1 message will be due later."],
  [exact(3), exact(0), "The age of the oldest message is not known."],
  [exact(1), exact(1), "The age of the oldest message is not known."],
])("messages that are not due yet have no age that is missing", (pending, failed, output) => {
  const counts = { ...HEALTHY_SNAPSHOT.counts, pending, failed, in_flight: exact(0) };
  const snapshot = { ...HEALTHY_SNAPSHOT, counts, scheduled: exact(1), oldestPending: null };
  expect(outboxChecks(snapshot)["orders:oldestPending"]?.output).toBe(output);
});

test.each([
  ["estimate", "Nothing waits that is due. About 900 messages will be due later."],
  ["capped", "Nothing waits that is due. At least 900 messages will be due later."],
  ["unknown", "The age of the oldest message is not known."],
] as const)("a number of later messages that is %s is called what it is", (precision, output) => {
  const pending = { value: 900, precision };
  const counts = { ...HEALTHY_SNAPSHOT.counts, pending, failed: exact(0), in_flight: exact(0) };
  const snapshot = { ...HEALTHY_SNAPSHOT, counts, scheduled: pending, oldestPending: null };
  expect(outboxChecks(snapshot)["orders:oldestPending"]?.output).toBe(output);
});

test("no duration is named where the producer wrote no real time", () => {
  const ageSeconds = Date.parse(HEALTHY_SNAPSHOT.asOf) / 1000;
  const checks = outboxChecks({ ...HEALTHY_SNAPSHOT, oldestPending: { id: "1", ageSeconds } });
  expect(checks["orders:oldestPending"]?.output).toBe(
    "The oldest message has no real time, such as 0: since when it waits is not known.",
  );
});
