import { expect, test } from "vitest";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { LateCommits } from "./late-commits.ts";

const message = (id: string, place: number, aggregateId = "a") => makeMessage(place, { id, aggregateId });
const openMemory = () => new LateCommits(([left], [right]) => Number(left) - Number(right));

test("a message behind a published one of its aggregate is late", () => {
  const late = openMemory();
  late.wentOut(message("second", 2));
  expect(late.isLate(message("first", 1))).toBe(true);
  expect(late.isLate(message("third", 3))).toBe(false);
  expect(late.isLate(message("other", 1, "b"))).toBe(false);
});

test("a published message that could not be marked is never late, however often it is claimed before it goes out", () => {
  const late = openMemory();
  for (const place of [1, 2]) late.wentOut(message(`m${place}`, place));
  late.comesAgain("m1");
  for (let claim = 0; claim < 3; claim += 1) expect(late.isLate(message("m1", 1))).toBe(false);
  late.wentOut(message("m1", 1));
  expect(late.isLate(message("m1", 1))).toBe(true);
});

test("with more such messages than it remembers, it calls none of them late", () => {
  const late = openMemory();
  late.wentOut(message("last", 50_000));
  for (let n = 0; n < 12_000; n += 1) late.comesAgain(`m${n}`);
  expect(late.isLate(message("m0", 0))).toBe(false);
  expect(late.isLate(message("m11999", 11_999))).toBe(false);
});

test("what comes after everything published is not late, and after a forgotten order nothing is", () => {
  const late = openMemory();
  late.wentOut(message("a5", 5));
  late.wentOut(message("b9", 9, "b"));
  expect(late.isLate(message("a4", 4))).toBe(true);
  expect(late.isLate(message("a7", 7))).toBe(false);
  expect(late.isLate(message("b8", 8, "b"))).toBe(true);
  late.forget();
  expect(late.isLate(message("a3", 3))).toBe(false);
  late.wentOut(message("a3", 3));
  expect(late.isLate(message("a2", 2))).toBe(true);
});
