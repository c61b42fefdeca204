import { expect, test } from "vitest";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { tileFigures } from "./tile-figures.ts";

const exact = (value: number) => ({ value, precision: "exact" as const });

const HEALTHY: Snapshot = {
  outbox: "orders",
  asOf: "2026-11-21T03:05:14Z",
  tookMs: 3,
  counts: {
    pending: exact(2),
    failed: exact(0),
    in_flight: exact(1),
    dead: exact(0),
    published: { value: 9_812_345, precision: "estimate" },
    archived: exact(0),
    expired: exact(0),
    unknown: exact(0),
  },
  scheduled: exact(0),
  blocked: { messages: exact(0), aggregates: 0, oldestAgeSeconds: null },
  oldestPending: { ageSeconds: 0.4, id: "a" },
  oldestPendingKnown: true,
  rowsTell: true,
  oldestClaimSeconds: null,
  nextRetryInSeconds: null,
  deadLast24h: 0,
  rates: { inPerSecond: 5.9, outPerSecond: 5.9, failuresPerSecond: 0 },
  latency: null,
  relays: {
    alive: 2,
    known: 2,
    heartbeatAgeSeconds: 1.1,
    breaker: null,
    paused: null,
    partialPauses: { eventTypes: 0, aggregates: 0, holds: 0 },
    stream: null,
  },
  thresholds: {
    oldestPending: { warnSeconds: 60, failSeconds: 300 },
    dead: { warn: 1, fail: 100 },
    failed: { warn: 10, fail: 1000 },
  },
  consumers: [],
  connector: null,
  ordering: { kind: "aggregate", reason: null },
  judged: { oldestPending: "pass", dead: "pass", failed: "pass" },
  monitor: { alive: true, lastSeenAt: "2026-11-21T03:05:13Z" },
  verdict: {
    word: "delivering",
    status: "pass",
    title: "Delivering",
    cause: null,
    since: null,
    evidence: "",
    more: null,
    next: null,
    causes: [],
  },
};

const tile = (snapshot: Snapshot, label: string) =>
  tileFigures(snapshot).find((candidate) => candidate.label === label);

test("a healthy outbox has no colour", () => {
  expect(tileFigures(HEALTHY).map((figure) => figure.tone)).toEqual(Array.from({ length: 6 }, () => "normal"));
});

test("an oldest message that could not be read blames nothing: the banner has the reason", () => {
  const unread = { ...HEALTHY, oldestPending: null, oldestPendingKnown: false };
  expect(tile(unread, "Oldest not published")).toMatchObject({ value: "unknown", note: "could not be read" });
});

test("a tile has the colour of health's judgement, whatever its figure and limits", () => {
  const aged = (oldestPending: Snapshot["judged"]["oldestPending"]) =>
    tile(
      { ...HEALTHY, oldestPending: { ageSeconds: 848, id: "a" }, judged: { ...HEALTHY.judged, oldestPending } },
      "Oldest not published",
    );
  expect(aged("fail")).toMatchObject({ value: "14 m 08 s", note: "limit 5 m", tone: "bad" });
  expect(aged("warn")?.tone).toBe("warn");
  expect(aged("pass")?.tone).toBe("normal");
});

test("a limit of 0 is no limit, and nothing is red for it", () => {
  const thresholds = {
    oldestPending: { warnSeconds: 0, failSeconds: 0 },
    dead: { warn: 0, fail: 0 },
    failed: { warn: 0, fail: 0 },
  };
  const figures = tileFigures({ ...HEALTHY, thresholds });
  expect(figures.map((figure) => figure.tone)).toEqual(Array.from({ length: 6 }, () => "normal"));
  expect(figures[0]?.note).toBe("no limit");
});

test("messages in flight are unpublished: their age shows while nothing is pending", () => {
  const snapshot: Snapshot = {
    ...HEALTHY,
    counts: { ...HEALTHY.counts, pending: exact(0), in_flight: exact(3) },
    oldestPending: { ageSeconds: 400, id: "a" },
    judged: { ...HEALTHY.judged, oldestPending: "fail" },
  };
  expect(tile(snapshot, "Oldest not published")).toMatchObject({ value: "6 m 40 s", tone: "bad" });
  expect(tile(snapshot, "Pending")).toMatchObject({ value: "0", tone: "normal" });
});

test("where another relay publishes there is no relay tile", () => {
  expect(tileFigures({ ...HEALTHY, relays: null })).toHaveLength(5);
});

test("unknown rates are said as unknown, not as zero", () => {
  const rates = { inPerSecond: null, outPerSecond: null, failuresPerSecond: null };
  expect(tile({ ...HEALTHY, rates }, "Published")).toMatchObject({ value: "–", tone: "rest" });
});

test("a missing relay has the verdict's severity; a pause is intended", () => {
  const relays = {
    alive: 0,
    known: 2,
    heartbeatAgeSeconds: 40,
    breaker: null,
    paused: null,
    partialPauses: { eventTypes: 0, aggregates: 0, holds: 0 },
    stream: null,
  };
  const verdict = (status: Snapshot["verdict"]["status"]) => ({ ...HEALTHY.verdict, status });
  const gone = tile({ ...HEALTHY, relays, verdict: verdict("fail") }, "Relays");
  expect(gone).toMatchObject({ value: "0 of 2", tone: "bad" });
  expect(tile({ ...HEALTHY, relays, verdict: verdict("warn") }, "Relays")?.tone).toBe("warn");
  const paused = { reason: "deploy", by: "ana", until: null };
  expect(tile({ ...HEALTHY, relays: { ...relays, alive: 2, paused } }, "Relays")).toMatchObject({ tone: "warn" });
});

test("an outbox that Debezium publishes has the connector in the place of an age that no row tells", () => {
  const connector = { name: "orders-connector", state: "PAUSED", tasks: null, lagBytes: 104e6, unconfirmedBytes: 1 };
  const [first] = tileFigures({ ...HEALTHY, connector });
  expect(first).toMatchObject({ label: "Connector", value: "paused", note: "104 MB of log kept", path: "/relays" });
});
