import { afterEach, expect, test, vi } from "vitest";
import { readStored, writeStored } from "./stored.ts";

afterEach(() => void vi.unstubAllGlobals());

test("a browser that forbids its storage costs what it would keep, and nothing else", () => {
  const forbidden = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  vi.stubGlobal(
    "window",
    Object.defineProperties({}, { localStorage: { get: forbidden }, sessionStorage: { get: forbidden } }),
  );
  expect(readStored("refresh")).toBeNull();
  expect(writeStored("refresh", "5000")).toBe(false);
  expect(writeStored("trail", undefined, "sessionStorage")).toBe(false);
});
