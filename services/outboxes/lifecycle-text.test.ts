import { expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { lifecycleText } from "./lifecycle-text.ts";

const column = { name: "state", type: "text", family: "text" };
const textOf = (published: string[], pending: (string | null)[] = []) =>
  lifecycleText({
    lifecycle: { kind: "status", column, pending, inFlight: [], failed: [], published, dead: [], expired: [] },
    deadAttempts: null,
    attemptsLimit: null,
    claim: null,
  } as unknown as OutboxMapping);

test.each([
  [[], "No value of state is known to mean published."],
  [["SENT"], "Published when state is SENT."],
  [["A", "B", "C", "D", "E"], "Published when state is A, B, C or one of 2 more values."],
])("%j mean published", (published, text) => {
  expect(textOf(published)).toBe(text);
});

test("a row without a status is new where that is configured", () => {
  expect(textOf(["SENT"], [null, "RETRY"])).toBe("Published when state is SENT. New while state is NULL.");
});
