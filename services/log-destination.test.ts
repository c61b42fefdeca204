import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { logDestination } from "./log-destination.ts";

const MODULES = {
  relay: pathToFileURL("relay/relay-log.ts").href,
  monitor: pathToFileURL("monitor/log.ts").href,
};

/** Runs a program with standard output and error as set by the shell; resolves to its output on fd 3. */
async function run(program: string, redirection: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(
    "/bin/sh",
    ["-c", `exec "$0" --input-type=module -e "$1" ${redirection}`, process.execPath, program],
    {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env: { ...process.env, VITEST: "" },
    },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr, child.stdio[3]])
    stream?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

test.runIf(existsSync("/dev/full")).each([
  ["the relay's log", `const { relayLog } = await import("${MODULES.relay}"); const log = relayLog();`, "2>/dev/full"],
  ["the monitor's log", `const { log } = await import("${MODULES.monitor}");`, ">/dev/full"],
])("%s on a full disk ends nothing", async (_name, open, redirection) => {
  const program = `${open} for (let n = 0; n < 100; n++) log.info("line"); (await import("node:fs")).writeSync(3, "went on");`;
  expect(await run(program, `${redirection} 3>&3`)).toEqual({ code: 0, said: "went on" });
});

test("lines that could not be written are counted once they can be again", () => {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const readable = openSync("/dev/null", "r");
  const log = logDestination(readable);
  log.write("lost\n");
  log.write("lost too\n");
  closeSync(readable);
  // The lowest free number is given again: the same descriptor can now be written.
  const writable = openSync(join(folder, "log"), "w");
  onTestFinished(() => closeSync(writable));
  expect(writable).toBe(readable);
  log.write("kept\n");
  expect(readFileSync(join(folder, "log"), "utf8")).toMatch(
    /"msg":"2 log lines were dropped: the log could not be written \(EBADF\)"\}\nkept\n$/,
  );
});
