import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerClock } from "./answer-clock.ts";

const START = Date.parse("2026-11-21T03:05:14Z");
let silent: string[];
let clock: AnswerClock;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  silent = [];
  clock = new AnswerClock((query) => silent.push(query));
});

afterEach(() => vi.useRealTimers());

test("silence is noticed 3 s after the last answer, not 3 s after the next request", () => {
  clock.start("snapshot", START - 2_000);
  vi.advanceTimersByTime(999);
  expect(silent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(silent).toEqual(["snapshot"]);
});

test("an answer in time is not silence", () => {
  clock.start("snapshot", START - 2_000);
  vi.advanceTimersByTime(500);
  clock.stop("snapshot", true);
  vi.advanceTimersByTime(60_000);
  expect(silent).toEqual([]);
});

test("a first request, and one after a long pause, have the full 3 s", () => {
  clock.start("first", 0);
  clock.start("resumed", START - 600_000);
  clock.start("ahead", START + 180_000);
  vi.advanceTimersByTime(2_999);
  expect(silent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(silent).toEqual(["first", "resumed", "ahead"]);
});

test("a request that always takes 2 s is waited for twice as long", () => {
  clock.start("slow", 0);
  vi.advanceTimersByTime(2_000);
  clock.stop("slow", true);
  clock.start("slow", START + 2_000);
  vi.advanceTimersByTime(3_999);
  expect(silent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(silent).toEqual(["slow"]);
});

test("an abandoned request is not waited for", () => {
  clock.start("left", 0);
  clock.forget("left");
  clock.start("closed", 0);
  clock.stopAll();
  vi.advanceTimersByTime(60_000);
  expect(silent).toEqual([]);
});

test("a page that was too busy to read the answer gives it time before it reports silence", () => {
  const busyUntil = START + 4_500;
  clock.start("answered", 0);
  clock.start("silent", 0);
  vi.advanceTimersByTime(2_999);
  vi.setSystemTime(busyUntil);
  vi.advanceTimersByTime(1);
  expect(silent).toEqual([]);
  clock.stop("answered", true);
  vi.advanceTimersByTime(60_000);
  expect(silent).toEqual(["silent"]);
});
