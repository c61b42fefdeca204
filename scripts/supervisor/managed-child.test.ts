import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "../../tests/wait-for.ts";
import { ManagedChild } from "./managed-child.ts";
import { Terminal } from "./terminal.ts";

class SilentTerminal extends Terminal {
  readonly said: string[] = [];
  override say(sentence: string): void {
    this.said.push(sentence);
  }
}

let folder: string;
let terminal: SilentTerminal;
let child: ManagedChild;
let pids: (number | null)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outbox-console-child-"));
  terminal = new SilentTerminal({ verbose: false });
  pids = [];
});

afterEach(async () => {
  await child.stop();
  rmSync(folder, { recursive: true, force: true });
});

function startChild(program: string, stopWithinMs = 5_000): ManagedChild {
  child = new ManagedChild(
    { name: "child", args: ["-e", program], env: {}, stopWithinMs },
    { terminal, cwd: folder, logPath: join(folder, "child.log"), onPid: (pid) => pids.push(pid) },
  );
  child.start();
  return child;
}

const READY = `console.log(JSON.stringify({ ready: true }));`;
const STAY = `setInterval(() => {}, 1000);`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("is ready at its ready line, and writes its output to a log", async () => {
  await startChild(`console.log("hello"); ${READY} ${STAY}`).ready;
  expect(readFileSync(join(folder, "child.log"), "utf8")).toContain("hello\n");
});

test("reports the last output of a child that does not start", async () => {
  const { failed } = startChild(`console.error("The port is taken."); process.exit(3);`);
  await expect(failed).rejects.toThrow("child did not start (exit code 3):\n  The port is taken.");
});

test("restarts a steady child when it dies, and says so", async () => {
  await startChild(READY + STAY).ready;
  child.markSteady();
  const first = pids.at(-1) as number;
  process.kill(first, "SIGKILL");
  const second = await waitFor(() => pids.at(-1) !== first && pids.at(-1), { message: "a new process runs" });
  expect(isAlive(second)).toBe(true);
  expect(terminal.said).toEqual(["  child ended (SIGKILL); starting it again in 0.5 s"]);
});

test("does not restart a stopped child", async () => {
  await startChild(READY + STAY).ready;
  child.markSteady();
  await child.stop();
  expect(pids.at(-1)).toBeNull();
  expect(pids).toHaveLength(2);
});

test("kills a child that does not stop in time, and the processes it started", async () => {
  const grandchild = `const { pid } = require("node:child_process").spawn("sleep", ["600"]); console.log("pid " + pid);`;
  await startChild(`process.on("SIGTERM", () => {}); ${grandchild} ${READY} ${STAY}`, 200).ready;
  const pid = Number(/pid (\d+)/.exec(readFileSync(join(folder, "child.log"), "utf8"))?.[1]);
  expect(isAlive(pid)).toBe(true);
  await child.stop();
  expect(terminal.said).toEqual(["  child did not stop within 0.2 s and is killed"]);
  await waitFor(() => !isAlive(pid), { message: "the grandchild is gone" });
});

test("shows warnings of a steady child, at most five in ten seconds", async () => {
  const warn = `JSON.stringify({ level: 40, msg: "sink refused" })`;
  await startChild(`for (let i = 0; i < 20; i++) console.log(${warn}); ${READY} ${STAY}`).ready;
  child.markSteady();
  expect(terminal.said).toEqual(Array(5).fill("  [child] warn: sink refused"));
});
