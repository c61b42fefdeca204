import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "./cli.mjs";
import { helpAskedFor, refuseUnknown } from "./command-arguments.mjs";
import { run } from "./run.mjs";
import { readStartArguments } from "./start-arguments.mjs";

test.each([
  ["doctor", /^Usage: npm run doctor -- \[--check\]\n\nChecks /],
  ["worker", /^npm run worker takes no arguments\.\n\nRuns /],
  ["services", /^Usage: npm run services -- \[kafka\] .*\n\nStarts /],
  ["test", /^Usage: npm test -- \[unit\|db\|broker\|incidents\|e2e\] /],
  ["verify", /^Usage: npm run verify -- \[--no-tests\]\n\nChecks /],
  ["start", /^Usage: npm start -- \[--store postgres\|mysql\] \[--verbose\]\n\n/],
])("--help of %s says what it does and takes", (command, text) => {
  expect(helpAskedFor(command, ["--help"])).toMatch(text);
  expect(helpAskedFor(command, ["x", "-h"])).toMatch(text);
  expect(helpAskedFor(command, [])).toBeNull();
});

test("a program that describes its own arguments is left to it", () => {
  expect(helpAskedFor("chaos", ["--help"])).toBeNull();
  expect(() => refuseUnknown("chaos", ["--seed", "1"])).not.toThrow();
});

test.each([
  ["doctor", ["--chekc"], /^Unknown option '--chekc'\.\nUsage: npm run doctor -- \[--check\]$/],
  ["migrate", ["orders"], /^Unexpected argument 'orders'\.\nUsage: npm run migrate -- \[--cdc\]/],
  ["migrate", ["--accept-mapping"], /--accept-mapping.*\nUsage: /],
  ["worker", ["--port", "1"], /^Unknown option '--port'\.\nnpm run worker takes no arguments\.$/],
  ["services", ["--evn", "x"], /^Unknown option '--evn'\.\nUsage: npm run services/],
  ["debezium", ["orders", "--bogus"], /^Unknown option '--bogus'\.\nUsage: npm run debezium -- OUTBOX/],
  ["incidents", ["--lst"], /^Unknown option '--lst'\.\nUsage: npm run incidents -- \[--list\]/],
])("%s %j is refused with what it takes", async (command, args, sentence) => {
  await expect(run([command, ...args])).rejects.toThrow(sentence);
});

test.each([
  ["test", () => import("./test.mjs").then(({ test }) => test(["--help"]))],
  ["verify", () => import("./verify.mjs").then(({ verify }) => verify(["--help"]))],
])("npm run %s -- --help ends well and starts nothing", async (_, help) => {
  expect(await help()).toBe(0);
});

test("the package's command refuses and helps alike", async () => {
  await expect(runCli(["worker", "now"])).rejects.toThrow(/worker takes no arguments/);
  expect(await runCli(["hash-password", "--help"])).toBe(0);
});

test("what is accepted goes on", () => {
  expect(() => refuseUnknown("incidents", ["rows-locked", "--no-browser"])).not.toThrow();
  expect(() => refuseUnknown("migrate", ["--cdc", "--accept-mapping", "orders"])).not.toThrow();
  expect(readStartArguments(["--verbose"], {}).verbose).toBe(true);
});

test.each([
  ["doctor", "scripts/doctor.ts", ["check"]],
  ["debezium", "scripts/debezium.ts", ["from-relay", "to-relay", "from-slot", "yes", "slot"]],
  ["migrate", "services/migrate/migrate-cli.ts", ["cdc", "accept-mapping"]],
  ["check-payloads", "scripts/payloads.ts", ["registry", "outbox", "limit"]],
])("%s takes what its program reads", (command, file, names) => {
  const source = readFileSync(file, "utf8");
  for (const name of names) expect(source).toMatch(new RegExp(`"?${name}"?: \\{ type: `));
  expect([...source.matchAll(/\{ type: "(string|boolean)"/g)]).toHaveLength(names.length);
  expect(() => refuseUnknown(command, [`--${names[0]}=x`])).not.toThrow(/Unknown option/);
});
