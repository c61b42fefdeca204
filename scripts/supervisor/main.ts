import { rmSync } from "node:fs";
import { messageOf } from "#domain/errors.ts";
import { listenAddress } from "../lib/listen-address.mjs";
import { dataFolder, FOLDER } from "../lib/project.mjs";
import { readStartArguments } from "../lib/start-arguments.mjs";
import { outliveTerminal } from "../lib/watch-parent.mjs";
import { Stack } from "./stack.ts";
import { Terminal } from "./terminal.ts";

/** npm also forwards a Ctrl-C that the terminal has sent: two signals within this time, in ms, are one request. */
const SAME_WISH_MS = 1_000;

outliveTerminal();
const { verbose, demoStore } = readStartArguments(process.argv.slice(2));
const terminal = new Terminal({ verbose });
const runFile = process.env.OUTBOX_RUN_FILE ?? "";
const stack = new Stack({
  folder: FOLDER,
  dataDir: dataFolder(),
  runFile,
  listen: listenAddress(),
  terminal,
  demoStore,
});

let stoppingSince: number | null = null;

async function stop(exitCode: number): Promise<void> {
  if (stoppingSince !== null) {
    if (Date.now() - stoppingSince < SAME_WISH_MS) return;
    terminal.say("Stopping at once.");
    stack.kill();
    process.exit(1);
  }
  stoppingSince = Date.now();
  terminal.say("\nStopping ...");
  try {
    await stack.stop();
    if (!process.connected) rmSync(runFile, { force: true });
    terminal.say("Stopped.");
  } catch (error) {
    terminal.say(`Stopping failed: ${messageOf(error)}`);
    stack.kill();
    process.exit(1);
  }
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
// The starter was killed, and no other process would stop the children.
process.on("disconnect", () => void stop(0));

try {
  await stack.start();
} catch (error) {
  if (stoppingSince === null) {
    terminal.say(`\n${messageOf(error)}`);
    await stop(1);
  }
}
