import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { programPath } from "./program-path.ts";

afterEach(() => vi.unstubAllEnvs());

test("a program is its bundle where there are bundles, and its source elsewhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "program-path-"));
  mkdirSync(join(folder, "relay"));
  writeFileSync(join(folder, "relay", "main.js"), "");
  vi.stubEnv("OUTBOX_TEST_PROGRAMS", folder);
  expect(programPath("relay/main.ts")).toBe(join(folder, "relay/main.js"));
  vi.stubEnv("OUTBOX_TEST_PROGRAMS", "");
  expect(programPath("relay/main.ts")).toBe(join(import.meta.dirname, "..", "relay", "main.ts"));
});

test("a program without a bundle is refused, not started from its source", () => {
  vi.stubEnv("OUTBOX_TEST_PROGRAMS", tmpdir());
  expect(() => programPath("demo/main.ts")).toThrow("demo/main.ts is not in scripts/lib/test-programs.config.mjs.");
});
