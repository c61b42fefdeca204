import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { untilInterrupted } from "./interrupt.ts";

test("an answer that came while the process stood still is not late", async () => {
  const outcome = untilInterrupted(stat("."), { signals: [], timeoutMs: 10 });
  const end = performance.now() + 200;
  while (performance.now() < end);
  expect((await outcome).kind).toBe("value");
});

test("an answer that never comes is late", async () => {
  const outcome = await untilInterrupted(new Promise(() => undefined), { signals: [], timeoutMs: 10 });
  expect(outcome.kind).toBe("late");
});
