import { expect, test } from "vitest";
import { compareFleet, type FleetEntry, fleetVerdictOf } from "./fleet.ts";

const FINE: FleetEntry = {
  outbox: "accounts",
  word: "delivering",
  status: "pass",
  cause: null,
  causeKey: null,
  since: null,
  waiting: 2,
  waitingCapped: false,
  waitingEstimated: false,
  oldestSeconds: 0.4,
  next: null,
};
const outage = (outbox: string, oldestSeconds: number): FleetEntry => ({
  ...FINE,
  outbox,
  word: "not_delivering",
  status: "fail",
  cause: "the sink kafka cannot be reached (ECONNREFUSED) since 02:51:06 UTC",
  causeKey: "sink kafka",
  waiting: 1000,
  oldestSeconds,
});
const late: FleetEntry = { ...FINE, outbox: "stock", word: "late", status: "warn", cause: "late", causeKey: "late" };
const healthy = (count: number) => Array.from({ length: count }, (_, index) => ({ ...FINE, outbox: `fine-${index}` }));

test("six of sixteen: how many, the worst cause once, and who has others", () => {
  const broken = [40, 50, 60, 848, 30, 20].map((age, index) => outage(`broken-${index}`, age));
  const verdict = fleetVerdictOf([...healthy(9), late, ...broken]);
  expect(verdict).toMatchObject({
    word: "not_delivering",
    status: "fail",
    title: "6 of 16 not delivering",
    cause: "broken-3: the sink kafka cannot be reached (ECONNREFUSED) since 02:51:06 UTC",
    outbox: "broken-3",
    counts: { not_delivering: 6, late: 1, delivering: 9 },
  });
  expect(verdict.evidence).toBe(
    "6,000 messages wait in 6 outboxes with this cause, the oldest 14 m 08 s. Other causes in stock.",
  );
});

test("what was counted to a cap, or not at all, makes a sum at least what it is", () => {
  const capped: FleetEntry = { ...outage("orders", 40), waiting: 50_000, waitingCapped: true };
  const unread: FleetEntry = { ...outage("carts", 20), waiting: null };
  const same = "At least 50,000 messages wait in 1 outbox with this cause, the oldest 40 s.";
  expect(fleetVerdictOf([capped, FINE]).evidence).toBe(same);
  expect(fleetVerdictOf([outage("orders", 40), unread]).evidence).toMatch(
    /^At least 1,000 messages wait in 2 outboxes/,
  );
});

test("an estimate makes a sum no bound", () => {
  const late = { word: "late", cause: "late", causeKey: "late", oldestSeconds: 40 } as const;
  const entries = [
    { ...FINE, ...late, waiting: 50_000, waitingEstimated: true },
    { ...FINE, ...late, waiting: null },
  ];
  expect(fleetVerdictOf(entries).evidence).toMatch(/^About 50,000 messages wait in 2 outboxes/);
});

test("an outbox that delivers in part is not counted among those that deliver nothing", () => {
  const part: FleetEntry = { ...outage("checkout", 300), word: "in_part" };
  expect(fleetVerdictOf([outage("orders", 10), part, FINE]).title).toBe("1 of 3 not delivering, 1 in part");
});

test("all is well, and nothing is there", () => {
  expect(fleetVerdictOf(healthy(16))).toMatchObject({
    title: "All 16 outboxes deliver",
    evidence: "32 messages on the way, the oldest 0.4 s.",
    next: null,
  });
  expect(fleetVerdictOf([])).toMatchObject({ title: "No outbox is known", status: "warn" });
});

test("what does not deliver comes before what is only at risk, failing or not", () => {
  const atRisk: FleetEntry = {
    ...late,
    outbox: "disk",
    word: "at_risk",
    status: "fail",
    cause: "slot",
    causeKey: "slot",
  };
  const young: FleetEntry = { ...outage("orders", 10), status: "warn" };
  const verdict = fleetVerdictOf([FINE, atRisk, young]);
  expect(verdict).toMatchObject({
    word: "not_delivering",
    status: "fail",
    title: "1 of 3 not delivering",
    outbox: "orders",
  });
  expect(verdict.evidence).toContain("Other causes in disk.");
});

test("worst first: the word, then failures, then the oldest", () => {
  const entries = [
    FINE,
    late,
    outage("young", 10),
    { ...late, outbox: "late-fail", status: "fail" as const },
    outage("old", 90),
  ];
  expect(entries.sort(compareFleet).map(({ outbox }) => outbox)).toEqual([
    "old",
    "young",
    "late-fail",
    "stock",
    "accounts",
  ]);
});

test("a cause with which nothing waits says so; of an outbox that cannot be read nothing is said", () => {
  expect(fleetVerdictOf([{ ...outage("orders", 0), waiting: 0 }, FINE]).evidence).toBe(
    "Nothing waits with this cause.",
  );
  const unread = { ...outage("orders", 0), causeKey: null, waiting: null };
  expect(fleetVerdictOf([unread, FINE]).evidence).toBe("");
  expect(fleetVerdictOf([{ ...unread, causeKey: "orders" }, FINE]).evidence).toBe("");
});
