import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freshMsOf } from "./outboxes/take-snapshot.ts";
import { SingleFlight } from "./single-flight.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("an answer stays as long as its value says", async () => {
  const flight = new SingleFlight<number>((value) => value);
  const make = vi.fn(async () => 100);
  await flight.run("a", make);
  vi.advanceTimersByTime(99);
  await flight.run("a", make);
  expect(make).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await flight.run("a", make);
  expect(make).toHaveBeenCalledTimes(2);
});

test("who comes while it is being made waits for the same one", async () => {
  const flight = new SingleFlight<number>(10);
  const make = vi.fn(async () => 1);
  expect(await Promise.all([flight.run("a", make), flight.run("a", make)])).toEqual([1, 1]);
  expect(make).toHaveBeenCalledTimes(1);
});

test.each([
  [1, 1500],
  [15, 1500],
  [40, 4000],
  [49, 4900],
  [3500, 5_000],
])("figures that took %i ms of the database are kept for %i ms", (tookMs, freshMs) => {
  expect(freshMsOf(tookMs)).toBe(freshMs);
});

test("an answer is forgotten once it is old", async () => {
  const flight = new SingleFlight<object>(10);
  const old = new WeakRef(await flight.run("a", async () => ({})));
  vi.advanceTimersByTime(10);
  await flight.run("b", async () => ({}));
  // A turn of the event loop: a WeakRef holds its object until the end of the job.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(old.deref()).toBeUndefined();
});
