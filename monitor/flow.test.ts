import { expect, test } from "vitest";
import type { CounterReading } from "#db/stores/port/outbox-figures.ts";
import { addLatency, emptyLatencies } from "#domain/relay/latency-histogram.ts";
import { flowBetween } from "./flow.ts";

function reading(atSeconds: number, inserted: number | null, relays: [string, number, number][]): CounterReading {
  return {
    atSeconds,
    inserted,
    insertedBy: inserted === null ? null : "sequence",
    committed: null,
    relays: relays.map(([id, published, failures]) => {
      const latency = emptyLatencies();
      for (let count = 0; count < published; count += 1) addLatency(latency, 4);
      return { id, published, failures, latency };
    }),
  };
}

test("a first reading gives no rate", () => {
  expect(flowBetween(undefined, reading(0, 10, [["a", 5, 0]])).inPerSecond).toBeNull();
});

test("rates are differences over the database's clock, summed over relays", () => {
  const flow = flowBetween(
    reading(0, 100, [["a", 10, 1]]),
    reading(5, 150, [
      ["a", 40, 2],
      ["b", 20, 0],
    ]),
  );
  expect(flow).toMatchObject({ inPerSecond: 10, outPerSecond: 10, failuresPerSecond: 0.2 });
  expect(flow.p50Ms).toBeGreaterThanOrEqual(4);
  expect(flow.p50Ms).toBeLessThan(5);
});

test("a restarted relay counts from zero", () => {
  const flow = flowBetween(reading(0, 100, [["a", 1000, 5]]), reading(5, 100, [["a", 10, 0]]));
  expect(flow).toMatchObject({ inPerSecond: 0, outPerSecond: 2, failuresPerSecond: 0 });
});

test("a relay that is gone subtracts nothing", () => {
  expect(flowBetween(reading(0, 0, [["a", 1000, 5]]), reading(5, 0, [])).outPerSecond).toBe(0);
});

test("a sequence that was set back, or counted differently, gives an unknown rate", () => {
  expect(flowBetween(reading(0, 100, []), reading(5, 10, [])).inPerSecond).toBeNull();
  const statistics: CounterReading = { ...reading(5, 200, []), insertedBy: "statistics" };
  expect(flowBetween(reading(0, 100, []), statistics).inPerSecond).toBeNull();
});

test("by committed rows, values that became none do not count; where rows cannot be compared, the rate is unknown", () => {
  const counted = (one: CounterReading, rows: number, since: string) => ({ ...one, committed: { rows, since } });
  const [first, second] = [reading(0, 100, []), reading(5, 200, [])];
  const rateOf = (since: string) =>
    flowBetween(counted(first, 10, "a"), counted(second, 20, since), "committed").inPerSecond;
  expect([rateOf("a"), rateOf("b")]).toEqual([2, null]);
});

test("readings more than a minute apart give no current rate", () => {
  expect(flowBetween(reading(0, 100, []), reading(120, 200, [])).inPerSecond).toBeNull();
});

test("nothing published has no latency", () => {
  expect(flowBetween(reading(0, 1, [["a", 3, 0]]), reading(5, 1, [["a", 3, 0]])).p50Ms).toBeNull();
});
