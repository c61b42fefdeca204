import { expect, test } from "vitest";
import { positionText, TrackedPositions } from "./tracked-positions.ts";

const at = (sequence: string) => ({ sequence, done: false });

test("a confirmed number moves each shard to its last record up to there", () => {
  const positions = new TrackedPositions(0);
  positions.tell("a", at("1"), 10);
  positions.tell("b", at("7"), 20);
  const third = positions.tell("a", at("2"), 30);
  positions.tell("b", at("8"), 40);
  expect(positions.confirm(third)).toBe(true);
  expect(positions.takeMoved()).toEqual(
    new Map([
      ["a", at("2")],
      ["b", at("7")],
    ]),
  );
  expect(positions.takeMoved().size).toBe(0);
  expect(positions.oldestMs).toBe(40);
  expect(positions.confirmed).toEqual({ position: third, writtenAtMs: 30 });
});

test("the end of a shard is kept once everything before it is confirmed, with the last record of it", () => {
  const positions = new TrackedPositions(0);
  const record = positions.tell("a", at("1"), 10);
  const end = positions.tell("a", { sequence: null, done: true }, null);
  positions.confirm(record);
  expect(positions.takeMoved()).toEqual(new Map([["a", at("1")]]));
  positions.confirm(end);
  expect(positions.takeMoved().get("a")?.done).toBe(true);
});

test("numbers go on from those of an earlier reader, sort as text, and are never confirmed back", () => {
  const positions = new TrackedPositions(9);
  const next = positions.tell("a", at("1"), 10);
  expect([next > positionText(9), positionText(9) < positionText(10)]).toEqual([true, true]);
  expect(positions.confirm(positionText(9))).toBe(false);
  expect(positions.confirm(next)).toBe(true);
  expect(positions.confirm(next)).toBe(false);
});
