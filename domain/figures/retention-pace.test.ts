import { expect, test } from "vitest";
import { RetentionPace } from "./retention-pace.ts";

test("quick batches grow up to a limit, slow ones are halved down to another", () => {
  const pace = new RetentionPace();
  const first = pace.rows;
  for (let turn = 0; turn < 40; turn += 1) pace.batchTook(10);
  expect(pace.rows).toBe(5_000);
  pace.batchTook(2_000);
  expect(pace.rows).toBe(2_500);
  for (let turn = 0; turn < 40; turn += 1) pace.batchTook(2_000);
  expect(pace.rows).toBe(50);
  expect(first).toBe(1_000);
});

test("it rests at least as long as it worked", () => {
  const pace = new RetentionPace();
  pace.batchTook(700);
  expect(pace.restMs).toBe(700);
  pace.batchTook(1);
  expect(pace.restMs).toBe(50);
});

test("a timeout halves the batch, and only the smallest one gives up", () => {
  const pace = new RetentionPace();
  const sizes = [];
  while (pace.batchTimedOut()) sizes.push(pace.rows);
  expect(sizes).toEqual([500, 250, 125, 62, 50]);
});

test("a small statement that takes much longer than it used to means busy; five in a row end the turn", () => {
  const pace = new RetentionPace();
  expect(pace.probeTook(2)).toBe(true);
  for (let turn = 0; turn < 4; turn += 1) expect(pace.probeTook(400)).toBe(false);
  expect(pace.isBusy).toBe(false);
  expect(pace.probeTook(3)).toBe(true);
  for (let turn = 0; turn < 5; turn += 1) pace.probeTook(400);
  expect(pace.isBusy).toBe(true);
});

test("a database that always answers slowly is not busy for that", () => {
  const pace = new RetentionPace();
  for (let turn = 0; turn < 10; turn += 1) expect(pace.probeTook(300)).toBe(true);
});
