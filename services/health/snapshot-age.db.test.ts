import { beforeAll, expect, test, vi } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { renderMetrics } from "./render-metrics.ts";

const database = testDatabase("empty");
const MINUTES_10 = 600_000;

beforeAll(() => database().pool.query(OUTBOX_EVENTS));

test.each([
  ["ahead of", MINUTES_10],
  ["behind", -MINUTES_10],
])("figures that were just read are not old by a console's clock %s the database's", async (_, shiftMs) => {
  const runtime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
  });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + shiftMs, shouldAdvanceTime: true });
  try {
    const { text } = await renderMetrics({ runtime });
    const age = Number(/^outbox_snapshot_age_seconds\{outbox="orders"\} (\S+)$/m.exec(text)?.[1]);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(MINUTES_10 / 1000 / 2);
  } finally {
    vi.useRealTimers();
    await runtime.close();
  }
});
