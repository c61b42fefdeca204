import { expect, test } from "vitest";
import { judge } from "./limits.ts";

test("a value at its limit has reached it, and a limit of 0 is none", () => {
  expect(judge(59.9, { warn: 60, fail: 300 })).toBe("pass");
  expect(judge(60, { warn: 60, fail: 300 })).toBe("warn");
  expect(judge(300, { warn: 60, fail: 300 })).toBe("fail");
  expect(judge(1e9, { warn: 0, fail: 0 })).toBe("pass");
  expect(judge(5, { warn: 0, fail: 4 })).toBe("fail");
});

test("a value that hovers about its limit does not flap", () => {
  const limits = { warn: 60, fail: 300 };
  expect(judge(290, limits, "fail")).toBe("fail");
  expect(judge(239, limits, "fail")).toBe("warn");
  expect(judge(50, limits, "warn")).toBe("warn");
  expect(judge(47, limits, "warn")).toBe("pass");
});
