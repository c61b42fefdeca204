import { expect, test } from "vitest";
import { runCommand, stopCommands } from "./run-command.mjs";

const run = (script: string) => runCommand(process.execPath, ["-e", script]);

test("returns a program's exit code, or 128 and the signal's number", async () => {
  expect(await run("process.exit(3)")).toBe(3);
  expect(await run("process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)")).toBe(143);
});

test("runs nothing more after a request to stop, which may arrive before the next program starts", async () => {
  stopCommands("SIGINT");
  expect(await run("process.exit(3)")).toBe(130);
});
