import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ActingPlaces } from "./acting-places.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("so many operations act; the next one gets the first place that is given back", () => {
  const places = new ActingPlaces(2);
  expect(["a", "b", "c", "d"].map((id) => places.ask(id))).toEqual([true, true, false, false]);
  expect(places.ask("a")).toBe(true);
  places.leave("b");
  expect(places.ask("d")).toBe(false);
  expect(places.ask("c")).toBe(true);
  places.leave("c");
  expect(places.ask("d")).toBe(true);
});

test("one that waits and ends holds nobody up", () => {
  const places = new ActingPlaces(1);
  expect(["a", "b", "c"].map((id) => places.ask(id))).toEqual([true, false, false]);
  places.leave("b");
  places.leave("a");
  expect(places.ask("c")).toBe(true);
});

test("an operation without an end passes its place on while another waits, one place after another", () => {
  const places = new ActingPlaces(2);
  expect(["a", "b"].map((id) => places.ask(id))).toEqual([true, true]);
  vi.advanceTimersByTime(60_000);
  expect(["a", "b"].map((id) => places.ask(id))).toEqual([true, true]);
  expect(places.ask("c")).toBe(false);
  expect(["a", "b"].map((id) => places.ask(id))).toEqual([false, true]);
  expect(places.ask("c")).toBe(true);
  vi.advanceTimersByTime(5_000);
  expect(["a", "b", "c"].map((id) => places.ask(id))).toEqual([false, false, true]);
  expect(places.ask("a")).toBe(true);
});
