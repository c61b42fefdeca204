import { describe, expect, test } from "vitest";
import { addLatency, emptyLatencies } from "#domain/relay/latency-histogram.ts";
import { LivePace } from "./live-pace.ts";

const BEAT_MS = 1000;

/** A relay that beats once a second, over a clock that the test moves. */
function openRelay(pace: LivePace) {
  const latency = emptyLatencies();
  let nowMs = 0;
  const beat = (live: readonly number[], measured: number | null = null) => {
    for (const ms of live) addLatency(latency, ms);
    nowMs += BEAT_MS;
    pace.observe([{ id: "one", heartbeatAt: String(nowMs), latency: [...latency] }], { nowMs, measured });
    return pace.limit(nowMs);
  };
  const many = (ms: number, count = 500) => Array.from({ length: count }, () => ms);
  /** Until it has seen how fast live messages are without it. */
  const calm = (ms: number) => {
    while (beat(many(ms)) === 0);
  };
  return {
    beat,
    many,
    calm,
    limit: () => pace.limit(nowMs),
    mostReleased: () => pace.mostReleased(nowMs),
    describe: () => pace.describe(nowMs),
  };
}

describe("the pace of an operation beside live messages", () => {
  test("holds nothing back where no relay of ours publishes", () => {
    const pace = new LivePace(0);
    pace.observe([], { nowMs: 0, measured: null });
    expect([pace.limit(0), pace.describe(0)]).toEqual([null, null]);
  });

  test("holds nothing back while no live messages come", () => {
    const { beat } = openRelay(new LivePace(0));
    expect(beat([])).toBe(0);
    expect([beat([]), beat([])]).toEqual([null, null]);
  });

  test("rests first, to see how fast live messages are without it", () => {
    const { beat, many, describe: said } = openRelay(new LivePace(0));
    expect([beat(many(4)), beat(many(4)), beat(many(4))]).toEqual([0, 0, 0]);
    expect(said()).toMatch(/^Rests for a few seconds/);
    expect(beat(many(4))).toBe(200);
    expect(said()).toMatch(
      /^At most 200\/s, so that live messages stay fast: without the operation, 99 % of them take up to [45] ms/,
    );
  });

  test("lets as many be on their way as a second's worth, so that the relay rests too", () => {
    const { calm, many, beat, mostReleased } = openRelay(new LivePace(0));
    calm(10);
    expect(mostReleased()).toBe(200);
    while (beat([]) !== null);
    expect(mostReleased()).toBe(Number.POSITIVE_INFINITY);
    beat(many(10));
    expect(mostReleased()).toBe(200);
  });

  test("goes faster while live messages stay as fast as they were", () => {
    const { beat, many, calm, limit } = openRelay(new LivePace(0));
    calm(10);
    for (let n = 0; n < 5; n += 1) beat(many(15), limit());
    expect(limit()).toBeGreaterThan(400);
  });

  test("goes no faster by a rate that it does not reach", () => {
    const { beat, many, calm, limit } = openRelay(new LivePace(0));
    calm(10);
    for (let n = 0; n < 5; n += 1) beat(many(10), 100);
    expect(limit()).toBe(200);
  });

  test("rests when more than one in a hundred takes twice as long, goes on more slowly, and never stops", () => {
    const { beat, many, calm, limit } = openRelay(new LivePace(0));
    calm(10);
    expect(beat([...many(10, 490), ...many(25, 10)], 200)).toBe(0);
    const limits = Array.from({ length: 80 }, () =>
      beat(limit() === 0 ? many(10) : [...many(10, 400), ...many(80, 100)], limit()),
    );
    expect(limits.find((one) => one !== 0)).toBe(120);
    expect(new Set(limits.slice(-20))).toEqual(new Set([0, 50]));
  });

  test("comes back quickly to a rate that was too fast, passes it slowly, and goes on faster and faster", () => {
    const { beat, many, calm, limit } = openRelay(new LivePace(0));
    calm(10);
    for (let n = 0; n < 8; n += 1) beat(many(10), limit());
    const tooFast = limit() ?? 0;
    beat([...many(10, 400), ...many(80, 100)], limit());
    calm(10);
    expect(limit()).toBeCloseTo(0.6 * tooFast);
    const shares = Array.from({ length: 25 }, () => (beat(many(10), limit()) ?? 0) / tooFast);
    const steps = shares.map((share, n) => share - (n > 0 ? (shares[n - 1] ?? 0) : 0.6));
    expect(shares[9]).toBeCloseTo(1);
    expect(shares[24]).toBeGreaterThan(2);
    expect(steps[9]).toBeLessThan(0.01);
    expect(Math.min(steps[0] ?? 0, steps[20] ?? 0)).toBeGreaterThan(0.1);
  });

  test("goes by the quietest of its last rests", () => {
    const { beat, many, limit, describe: said } = openRelay(new LivePace(0));
    for (const ms of [40, 10, 40]) {
      while (limit() !== 0) beat(many(10));
      for (let n = 0; n < 3; n += 1) beat(many(ms));
      beat(many(10));
    }
    expect(said()).toMatch(/without the operation, 99 % of them take up to 1[01] ms/);
  });

  test("does not slow down for what is as slow while it rests", () => {
    const { beat, many, calm, limit } = openRelay(new LivePace(0));
    calm(10);
    expect(beat(many(80), limit())).toBe(0);
    const limits = Array.from({ length: 20 }, () => beat(many(80), limit()) ?? 0);
    expect(Math.min(...limits.filter((one) => one > 0))).toBeGreaterThanOrEqual(200);
    expect(Math.max(...limits)).toBeGreaterThan(500);
  });
});
