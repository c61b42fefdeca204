import { expect, test } from "vitest";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { exact, HEALTHY_SNAPSHOT } from "#tests/factories/healthy-snapshot.ts";
import { tileFigures } from "./tile-figures.ts";

const tile = (snapshot: Snapshot, label: string) =>
  tileFigures(snapshot).find((candidate) => candidate.label === label);

test("a healthy outbox has no colour", () => {
  expect(tileFigures(HEALTHY_SNAPSHOT).map((figure) => figure.tone)).toEqual(Array.from({ length: 6 }, () => "normal"));
});

test("an oldest message that could not be read blames nothing: the banner has the reason", () => {
  const unread = { ...HEALTHY_SNAPSHOT, oldestPending: null, oldestPendingKnown: false };
  expect(tile(unread, "Oldest not published")).toMatchObject({ value: "unknown", note: "could not be read" });
});

test("a tile has the colour of health's judgement, whatever its figure and limits", () => {
  const aged = (oldestPending: Snapshot["judged"]["oldestPending"]) =>
    tile(
      {
        ...HEALTHY_SNAPSHOT,
        oldestPending: { ageSeconds: 848, id: "a" },
        judged: { ...HEALTHY_SNAPSHOT.judged, oldestPending },
      },
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
  const figures = tileFigures({ ...HEALTHY_SNAPSHOT, thresholds });
  expect(figures.map((figure) => figure.tone)).toEqual(Array.from({ length: 6 }, () => "normal"));
  expect(figures[0]?.note).toBe("no limit");
});

test("messages in flight are unpublished: their age shows while nothing is pending", () => {
  const snapshot: Snapshot = {
    ...HEALTHY_SNAPSHOT,
    counts: { ...HEALTHY_SNAPSHOT.counts, pending: exact(0), in_flight: exact(3) },
    oldestPending: { ageSeconds: 400, id: "a" },
    judged: { ...HEALTHY_SNAPSHOT.judged, oldestPending: "fail" },
  };
  expect(tile(snapshot, "Oldest not published")).toMatchObject({ value: "6 m 40 s", tone: "bad" });
  expect(tile(snapshot, "Pending")).toMatchObject({ value: "0", note: "+3 in flight · 5.9/s in", tone: "normal" });
});

test("where another relay publishes there is no relay tile", () => {
  expect(tileFigures({ ...HEALTHY_SNAPSHOT, relays: null })).toHaveLength(5);
});

test("unknown rates are said as unknown, not as zero", () => {
  const rates = { inPerSecond: null, outPerSecond: null, failuresPerSecond: null };
  expect(tile({ ...HEALTHY_SNAPSHOT, rates }, "Published")).toMatchObject({ value: "–", tone: "rest" });
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
  const verdict = (status: Snapshot["verdict"]["status"]) => ({ ...HEALTHY_SNAPSHOT.verdict, status });
  const gone = tile({ ...HEALTHY_SNAPSHOT, relays, verdict: verdict("fail") }, "Relays");
  expect(gone).toMatchObject({ value: "0 of 2", tone: "bad" });
  expect(tile({ ...HEALTHY_SNAPSHOT, relays, verdict: verdict("warn") }, "Relays")?.tone).toBe("warn");
  const paused = { reason: "deploy", by: "ana", until: null };
  expect(tile({ ...HEALTHY_SNAPSHOT, relays: { ...relays, alive: 2, paused } }, "Relays")).toMatchObject({
    tone: "warn",
  });
});

test("an outbox that Debezium publishes has the connector in the place of an age that no row tells", () => {
  const connector = { name: "orders-connector", state: "PAUSED", tasks: null, lagBytes: 104e6, unconfirmedBytes: 1 };
  const [first] = tileFigures({ ...HEALTHY_SNAPSHOT, connector });
  expect(first).toMatchObject({ label: "Connector", value: "paused", note: "104 MB of log kept", path: "/relays" });
});
