import { expect, test } from "vitest";
import type { BulkRow } from "#db/stores/port/bulk-records.ts";
import { FIRST_PROGRESS } from "./bulk-progress.ts";
import { bulkToOperation } from "./bulk-to-operation.ts";

const ROW: BulkRow = {
  ...{ id: "018f0000-0000-7000-8000-000000000001", outbox: "orders", at: "2026-11-21T03:10:27Z", action: "retry" },
  ...{ actor: { name: "olga", role: "operator" }, reason: "INC-42", requestHash: "", state: "running" },
  plan: {
    ...{ selection: { filter: { state: "dead" } }, sink: null, key: null },
    settings: { ratePerSecond: null, rampSeconds: 0, canary: 10, haltPercent: 20 },
  },
  progress: { ...FIRST_PROGRESS, note: "Waits: 10 retried messages are due." },
  ...{ fence: 1, runner: null, endedAt: null },
};
const noteOf = (row: Partial<BulkRow>, monitorAlive?: boolean | null) =>
  bulkToOperation({ ...ROW, ...row }, { monitorAlive: monitorAlive ?? null }).bulk?.note;

test("an operation that nobody has taken says that no worker is alive only where none is", () => {
  expect(noteOf({}, false)).toMatch(/no worker is alive\. To resume it, start/);
  expect(noteOf({}, true)).toMatch(/^Waits for the worker, which is alive/);
  expect(noteOf({}, null)).toMatch(/if none is alive, start/);
});

test("one that is taken, paused or new has its own note", () => {
  const note = "Waits: 10 retried messages are due.";
  expect(noteOf({ runner: { name: "worker", heartbeatAt: "2026-11-21T03:10:27Z" } }, true)).toBe(note);
  expect(noteOf({ state: "paused" }, false)).toBe(note);
  expect(noteOf({ at: new Date().toISOString() }, true)).toBe(note);
  expect(noteOf({ state: "finished" }, false)).toBeNull();
});
