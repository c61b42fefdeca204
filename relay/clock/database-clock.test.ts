import { describe, expect, test } from "vitest";
import { DatabaseClock, Moment } from "./database-clock.ts";

describe("the database's clock, told by the monotonic one", () => {
  const answer = (askedAtMs: number, tripMs: number, databaseTimeMs: number) => ({
    askedAtMs,
    answeredAtMs: askedAtMs + tripMs,
    databaseTimeMs,
  });

  test("is taken from the middle of the shortest round trip", () => {
    const clock = new DatabaseClock();
    expect(clock.anchored).toBe(false);
    clock.note(answer(1000, 100, 5_000_000));
    expect(clock.at(1050).getTime()).toBe(5_000_000);
    clock.note(answer(2000, 10, 5_000_960));
    expect(clock.at(2005).getTime()).toBe(5_000_960);
    // An answer with a longer round trip that does not contradict it is less precise.
    clock.note(answer(3000, 200, 5_002_100));
    expect(clock.at(3005).getTime()).toBe(5_001_960);
  });

  test("follows a database whose clock is set, and does not keep an old anchor", () => {
    const clock = new DatabaseClock();
    clock.note(answer(0, 2, 1_000_000));
    clock.note(answer(1000, 20, 4_000_000));
    expect(clock.at(1010).getTime()).toBe(4_000_000);
    clock.note(answer(12_000, 40, 4_011_015));
    expect(clock.at(12_020).getTime()).toBe(4_011_015);
    clock.note({ askedAtMs: 13_000, answeredAtMs: 13_001, databaseTimeMs: Number.NaN });
    expect(clock.at(12_020).getTime()).toBe(4_011_015);
  });

  test("keeps what a quick answer told, however long ago, when a slow one comes", () => {
    const clock = new DatabaseClock();
    clock.note(answer(0, 2, 1_000_000));
    // The database read its clock at the end of the trip, and not in the middle.
    clock.note(answer(60_000, 15_000, 1_074_990));
    expect(clock.at(75_000).getTime()).toBe(1_074_999);
  });

  test.each([
    ["the database read its clock at the end", 0, 0],
    ["the database read its clock at the beginning", -15_000, 0],
    ["the host's clock is a minute ahead", -67_500, 52_500],
    ["the host's clock is a minute behind", 52_500, -52_500],
  ])("a slow answer tells of the host's clock only what is certain: %s", (_, databaseAheadMs, offsetMs) => {
    const clock = new DatabaseClock();
    const answeredAtMs = performance.now();
    const databaseTimeMs = Date.now() + databaseAheadMs;
    clock.note({ askedAtMs: answeredAtMs - 15_000, answeredAtMs, databaseTimeMs });
    expect(Math.abs((clock.offsetMs ?? Number.NaN) - offsetMs)).toBeLessThan(100);
  });

  test("a moment before the first answer is told right afterwards, and stays as it was told", () => {
    const clock = new DatabaseClock();
    const moment = new Moment(500);
    clock.note(answer(1000, 2, 9_000_000));
    expect(moment.at(clock).getTime()).toBe(8_999_499);
    clock.note(answer(2000, 1, 9_001_007));
    expect(moment.at(clock).getTime()).toBe(8_999_499);
  });

  test("a moment that was told is told again after the database's clock was set, as long ago as it is", () => {
    const clock = new DatabaseClock();
    const moment = new Moment(500);
    clock.note(answer(1000, 2, 9_000_000));
    expect(moment.at(clock).getTime()).toBe(8_999_499);
    clock.note(answer(2000, 2, 9_001_000 - 3_600_000));
    expect(moment.at(clock).getTime()).toBe(8_999_499 - 3_600_000);
    // A slow answer is no contradiction.
    clock.note(answer(3000, 4000, 9_004_500 - 3_600_000));
    expect(moment.at(clock).getTime()).toBe(8_999_499 - 3_600_000);
  });
});
