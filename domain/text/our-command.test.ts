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

/** Comments do not count. A URL in a sentence begins none. */
function namesScript(line: string): boolean {
  const code = line.replace(/^\s*\/?\*.*|(?:^|\s)\/\/.*/, "");
  return /npm run (?:console|debezium|doctor|migrate|worker)/.test(code);
}

test.each([
  ["  // `npm run worker` starts it", false],
  ["   * Started by `npm run worker`.", false],
  ["  /** Started by `npm run worker`. */", false],
  ["  start(); // as npm run worker does", false],
  ['  return "Run npm run worker, see https://example.com/docs.";', true],
  ['  const url = "https://example.com"; return url + ": npm run doctor";', true],
])("a sentence that names a script of npm is noticed: %s", (line, expected) => {
  expect(namesScript(line)).toBe(expected);
});

test("no sentence of the server names a script of npm, which the package does not have", () => {
  const files = globSync("{app,contracts,db,domain,monitor,relay,services}/**/*.ts").filter(
    (file) => !/\.(?:test|fixture|conformance)\.ts$|our-command\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const named = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => namesScript(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(named).toEqual([]);
});
