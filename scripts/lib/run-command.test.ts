import { expect, test } from "vitest";
import { runCommand, stopCommands } from "./run-command.mjs";

const run = (script: string) => runCommand(process.execPath, ["-e", script]);

test("a program's exit code is its own, and what is customary when a signal ended it", async () => {
  expect(await run("process.exit(3)")).toBe(3);
  expect(await run("process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)")).toBe(143);
});

test("after a wish to stop nothing more is begun: it may have come before the program that it was meant for", async () => {
  stopCommands("SIGINT");
  expect(await run("process.exit(3)")).toBe(130);
});
