import { expect, test } from "vitest";
import { describeMessages, describeRows } from "./describe.ts";

const FROM = "2026-11-21T13:02:10.000000Z";
const TO = "2026-11-21T13:58:41.000000Z";

test("says what was looked up, and that older ones were not", () => {
  const window = { checked: 12_400, from: FROM, to: TO, whole: false };
  expect(describeMessages(window)).toBe(
    "12,400 messages created between 2026-11-21 13:02:10 and 13:58:41 UTC were looked up; older ones were not.",
  );
  expect(describeMessages({ ...window, to: "2026-11-22T00:00:01Z", whole: true })).toBe(
    "12,400 messages created between 2026-11-21 13:02:10 and 2026-11-22 00:00:01 UTC were looked up: all that are published.",
  );
  expect(describeMessages({ checked: 1, from: null, to: null, whole: false })).toBe(
    "1 message was looked up; others were not.",
  );
  expect(describeMessages({ checked: 0, from: null, to: null, whole: true })).toBe("No message is published.");
});

test("says which rows of the inbox were looked for", () => {
  expect(describeRows({ checked: 500, from: FROM, to: TO, whole: false, inTime: true })).toBe(
    "500 rows between 2026-11-21 13:02:10 and 13:58:41 UTC were looked for; older ones were not.",
  );
  expect(describeRows({ checked: 500, from: FROM, to: TO, whole: false, inTime: false })).toBe(
    "500 rows between 2026-11-21 13:02:10 and 13:58:41 UTC were looked for; others were not.",
  );
  expect(describeRows({ checked: 0, from: null, to: null, whole: true, inTime: true })).toBe("The inbox is empty.");
});
