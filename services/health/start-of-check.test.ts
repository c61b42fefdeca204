import { expect, test } from "vitest";
import { startOfCheck } from "./start-of-check.ts";

const check = (status: "pass" | "warn", time: string) => ({ componentType: "system", status, time }) as const;
const BEFORE = { status: "pass", since: "2026-11-28T11:26:49.706Z" } as const;

test("a check is so since it became so", () => {
  expect(startOfCheck(check("pass", "2026-11-28T11:27:00.000Z"), BEFORE)).toBe(BEFORE.since);
  expect(startOfCheck(check("warn", "2026-11-28T11:27:00.000Z"), BEFORE)).toBe("2026-11-28T11:27:00.000Z");
  expect(startOfCheck(check("pass", "2026-11-28T11:27:00.000Z"), undefined)).toBe("2026-11-28T11:27:00.000Z");
});

test("after the database's clock was set back, no check is so since a time that is still to come", () => {
  expect(startOfCheck(check("pass", "2026-11-28T10:29:13.674Z"), BEFORE)).toBe("2026-11-28T10:29:13.674Z");
});
