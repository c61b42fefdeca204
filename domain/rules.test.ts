import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HealthStatus, judge, worstStatus } from "./figures/limits.ts";
import { fingerprint, normaliseError } from "./message/fingerprint.ts";
import {
  addLatency,
  emptyLatencies,
  LATENCY_BUCKETS,
  latencyBucket,
  latencyBucketBoundMs,
  latencyQuantileMs,
  subtractLatencies,
} from "./relay/latency-histogram.ts";
import { retryDelayMs } from "./relay/retry-policy.ts";
import { parseDurationMs } from "./text/units.ts";

describe("retry delays", () => {
  test("stay between 50 ms and the policy's longest, and never above the doubling", () => {
    const policy = fc.record({
      initialMs: fc.integer({ min: 1, max: 60_000 }),
      maxMs: fc.integer({ min: 50, max: 86_400_000 }),
      maxAttempts: fc.constant(10),
    });
    fc.assert(
      fc.property(
        policy,
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (rule, attempts, random) => {
          const delay = retryDelayMs(rule, attempts, random);
          expect(Number.isSafeInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(50);
          expect(delay).toBeLessThanOrEqual(Math.max(50, rule.maxMs));
          expect(delay).toBeLessThanOrEqual(Math.max(50, rule.initialMs * 2 ** Math.max(0, attempts - 1)));
        },
      ),
    );
  });
});

describe("health", () => {
  const limits = { warn: 60, fail: 300 };
  test("is raised at a limit, and clears below 80 % of it", () => {
    const steps: [number, HealthStatus][] = [
      [59, "pass"],
      [60, "warn"],
      [50, "warn"],
      [47, "pass"],
      [300, "fail"],
      [250, "fail"],
      [239, "warn"],
      [48, "warn"],
      [47.9, "pass"],
    ];
    let status: HealthStatus = "pass";
    for (const [value, expected] of steps) {
      status = judge(value, limits, status);
      expect(status, String(value)).toBe(expected);
    }
  });

  test("a limit of 0 is none; the worst of many wins", () => {
    expect(judge(1e9, { warn: 0, fail: 0 }, "fail")).toBe("pass");
    expect([worstStatus([]), worstStatus(["pass", "warn"]), worstStatus(["fail", "warn"])]).toEqual([
      "pass",
      "warn",
      "fail",
    ]);
  });
});

describe("fingerprints", () => {
  test("are equal for texts that differ only in what varies", () => {
    const pairs: [string, string][] = [
      ["order 123 not found", "order 9 not found"],
      ["timeout after 3004 ms to 10.0.0.1:8080", "timeout after 17 ms to 10.1.2.3:80"],
      ["no user a@example.com", "no user b.c@example.org"],
      ["id a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "id 00000000-0000-4000-8000-000000000001"],
      ["at 2026-03-01T10:00:00Z", "at 2025-01-01 00:00:00.123+02"],
      ["HTTP 500: first line\nat x", "HTTP 500: first line\nat y"],
    ];
    const print = (error: string) => fingerprint({ code: "server_error", error, eventType: "a" });
    for (const [left, right] of pairs) expect(print(left), left).toBe(print(right));
    expect(print("HTTP 500")).not.toBe(print("HTTP 503"));
    expect(print("x")).not.toBe(fingerprint({ code: "timeout", error: "x", eventType: "a" }));
    expect(print("x")).not.toBe(fingerprint({ code: "server_error", error: "x", eventType: null }));
  });

  test("keep the words of a JSON body and replace only what varies in it", () => {
    const body = (id: string, customer: number) =>
      `HTTP 500: {"code":"NO_RATE","message":"no FX rate for XBT, customer ${customer}","requestId":"${id}"}`;
    const text = normaliseError(body("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", 17));
    expect(text).toBe('HTTP 500: {"code":"NO_RATE","message":"no FX rate for XBT, customer <n>","requestId":"<uuid>"}');
    expect(normaliseError(body("00000000-0000-4000-8000-000000000001", 9))).toBe(text);
    expect(normaliseError('422 {"error": "unknown SKU", "trace": "req8fK2x91"}')).toBe(
      '422 {"error": "unknown SKU", "trace": "<id>"}',
    );
    expect(normaliseError('{"errors":["name is missing","age is too low"]}')).toBe(
      '{"errors":["name is missing","age is too low"]}',
    );
  });

  test("tell two JSON errors apart by their words", () => {
    const print = (message: string) =>
      fingerprint({ code: "server_error", error: `HTTP 500: {"message":"${message}"}`, eventType: "a" });
    expect(print("no FX rate")).not.toBe(print("no such account"));
    expect(print("order 17 is closed")).toBe(print("order 9 is closed"));
  });

  test("read a JSON body that is printed over several lines, and one that is cut off", () => {
    expect(normaliseError('HTTP 400: {\n  "code": "BAD",\n  "field": "total"\n}\nat x')).toBe(
      'HTTP 400: { "code": "BAD", "field": "total" } at x',
    );
    expect(normaliseError('HTTP 400: {"code":"BAD","message":"the total of the')).toBe(
      'HTTP 400: {"code":"BAD","message":"the total of the',
    );
  });

  test("replace quoted values in a sentence, where they are what varies", () => {
    expect(normaliseError('invalid input syntax for type integer: "abc"')).toBe(
      "invalid input syntax for type integer: <text>",
    );
    expect(normaliseError("no route for 'order.placed' of \"eu\"")).toBe("no route for <text> of <text>");
  });

  test("of any text are 16 hex digits in little time", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), (error) => {
        expect(fingerprint({ code: "c", error, eventType: null })).toMatch(/^[0-9a-f]{16}$/);
        expect(normaliseError(error).length).toBeLessThanOrEqual(200);
      }),
    );
    const started = performance.now();
    normaliseError(`${"a-".repeat(100_000)}@`);
    normaliseError("'".repeat(100_000));
    normaliseError(`{${'"a1b2c3d4":'.repeat(10_000)}`);
    normaliseError(`{"${"\\".repeat(100_000)}`);
    // A pattern that goes back over what it has read would take minutes.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("latencies", () => {
  test("a quantile is at most one bucket above the true one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.2, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, quantile) => {
          const buckets = emptyLatencies();
          for (const value of values) addLatency(buckets, value);
          const sorted = [...values].sort((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil(values.length * quantile)) - 1] ?? 0;
          const told = latencyQuantileMs(buckets, quantile) ?? 0;
          expect(told).toBeGreaterThanOrEqual(exact * 0.999_999);
          expect(told).toBeLessThanOrEqual(exact * 2 ** 0.25 * 1.000_001);
        },
      ),
    );
  });

  test("odd values have a bucket, nothing has no quantile, a restart counts from zero", () => {
    for (const value of [Number.NaN, -1, 0]) expect(latencyBucket(value)).toBe(0);
    expect(latencyBucket(Number.POSITIVE_INFINITY)).toBe(LATENCY_BUCKETS - 1);
    expect(latencyBucketBoundMs(0)).toBe(0.125);
    expect(latencyQuantileMs(emptyLatencies(), 0.5)).toBeNull();
    expect(subtractLatencies([3, 4], [1, 1])).toEqual([2, 3]);
    expect(subtractLatencies([0, 4], [1, 1])).toEqual([0, 4]);
  });
});

test("durations", () => {
  const cases: [string, number | undefined][] = [
    ["250ms", 250],
    ["90s", 90_000],
    [" 5 m ", 300_000],
    ["1.5h", 5_400_000],
    ["7d", 604_800_000],
    ["", undefined],
    ["5", undefined],
    ["-5s", undefined],
    ["5 years", undefined],
    ["1e3s", undefined],
  ];
  for (const [text, expected] of cases) expect(parseDurationMs(text), text).toBe(expected);
});
