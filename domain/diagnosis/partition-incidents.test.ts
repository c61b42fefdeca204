import { expect, test } from "vitest";
import { partitions } from "./causes/partitions.ts";
import type { PartitionFacts } from "./facts/table.ts";
import { situation } from "./situation.fixture.ts";

const HEALTHY: PartitionFacts = {
  ...{ ahead: 3, runwaySeconds: 3 * 86_400, hasDefault: false, defaultRows: null },
  ...{ detaching: [], managedBy: null },
};
const found = (facts: Partial<PartitionFacts>) =>
  partitions
    .evaluate(situation({ facts: { partitions: { ...HEALTHY, ...facts } } }))
    .map(({ title, severity }) => [title, severity]);

test("three partitions ahead, or a week of room, are enough", () => {
  expect(found({})).toEqual([]);
  expect(found({ ahead: 0, runwaySeconds: 30 * 86_400 })).toEqual([]);
  expect(found({ ahead: 0, runwaySeconds: null })).toEqual([]);
});

test("partitions that run out warn, and fail once inserts are refused", () => {
  expect(found({ ahead: 1 })).toEqual([["Partitions run out", "warn"]]);
  expect(found({ ahead: 0, runwaySeconds: 0 })).toEqual([["Partitions run out", "fail"]]);
  expect(found({ ahead: 0, runwaySeconds: 0, hasDefault: true, defaultRows: 0 })).toEqual([
    ["Partitions run out", "warn"],
  ]);
});

test("a missing partition is told in words that are true of one in the middle, too", () => {
  const [cause] = partitions.evaluate(situation({ facts: { partitions: { ...HEALTHY, ahead: 0, runwaySeconds: 0 } } }));
  expect(cause?.what).toBe("no partition takes new rows, and they are refused");
  expect(cause?.diagnosis).toMatch(
    /^A row of now fits no partition, because the last one has ended or one is missing\./,
  );
});

test("a detach that is not finished fails, because inserts do", () => {
  expect(found({ detaching: ["outbox_p1"] })).toEqual([["Detach not finished", "fail"]]);
});

test("rows in the default partition are told; an empty one is not", () => {
  expect(found({ hasDefault: true, defaultRows: 12 })).toEqual([["Rows in the default partition", "warn"]]);
  expect(found({ hasDefault: true, defaultRows: 0 })).toEqual([]);
});
