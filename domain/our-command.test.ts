import { globSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { ourCommand } from "./our-command.ts";

afterEach(() => void vi.unstubAllEnvs());

test("names the command that a person can type where the program runs", () => {
  expect(ourCommand("migrate")).toBe("npm run migrate");
  expect(ourCommand("migrate", "--cdc")).toBe("npm run migrate -- --cdc");
  vi.stubEnv("OUTBOX_PROGRAM_DIR", "/opt/outbox-console");
  expect(ourCommand("migrate")).toBe("npx outbox-console migrate");
  expect(ourCommand("migrate", "--cdc")).toBe("npx outbox-console migrate --cdc");
});

test("no sentence of the server names a script of npm, which the package does not have", () => {
  const files = globSync("{app,contracts,db,domain,monitor,relay,services}/**/*.ts").filter(
    (file) => !/\.(?:test|fixture|conformance)\.ts$|our-command\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const named = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter(
        (line) => /npm run (?:console|debezium|doctor|migrate|worker)/.test(line) && !/^\s*(?:\/\*)?\*|\/\//.test(line),
      )
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(named).toEqual([]);
});
