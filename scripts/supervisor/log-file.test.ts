import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LogFile } from "./log-file.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-logfile-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("rotates, keeping the previous file", () => {
  const path = join(makeFolder(), "logs", "child.log");
  const log = new LogFile(path);
  log.write("x".repeat(11 * 1024 * 1024));
  log.write("after");
  log.close();
  expect(readFileSync(path, "utf8")).toBe("after\n");
  expect(readFileSync(`${path}.1`, "utf8")).toHaveLength(11 * 1024 * 1024 + 1);
});

test.runIf(existsSync("/dev/full"))("a full disk drops lines, reports it once and throws nothing", () => {
  const folder = makeFolder();
  const path = join(folder, "child.log");
  symlinkSync("/dev/full", path);
  const said: string[] = [];
  const log = new LogFile(path, (sentence) => said.push(sentence));
  for (let line = 0; line < 50; line += 1) log.write("line");
  log.close();
  expect(said).toEqual([expect.stringContaining("cannot be written (the disk is full)")]);
});

test("a folder that cannot be created affects only the log, and recovers", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "logs"), "a file is in the way");
  const said: string[] = [];
  const log = new LogFile(join(folder, "logs", "child.log"), (sentence) => said.push(sentence));
  log.write("lost");
  unlinkSync(join(folder, "logs"));
  await expect
    .poll(() => {
      log.write("kept");
      return existsSync(join(folder, "logs", "child.log"));
    })
    .toBe(true);
  log.close();
  expect(said).toHaveLength(1);
  expect(readFileSync(join(folder, "logs", "child.log"), "utf8")).toMatch(/^\n\d+ lines dropped: .*\nkept\n/);
});

const mayMount = process.platform === "linux" && spawnSync("unshare", ["-m", "true"]).status === 0;

test.runIf(mayMount)(
  "on a disk that fills and is emptied again, the log goes on and says how many lines it lacks",
  () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "small"));
    const program = `
    const { LogFile } = await import(${JSON.stringify(new URL("./log-file.ts", import.meta.url).href)});
    const { readFileSync, unlinkSync, writeFileSync } = await import("node:fs");
    const log = new LogFile("small/child.log", (sentence) => console.log(sentence));
    log.write("before");
    try { writeFileSync("small/ballast", Buffer.alloc(4 << 20)); } catch (error) { console.log(error.code); }
    for (let line = 0; line < 2000; line += 1) log.write("x".repeat(100));
    unlinkSync("small/ballast");
    log.write("after");
    console.log(readFileSync("small/child.log", "utf8").split("\\n").slice(-3).join("|"));`;
    const said = execFileSync(
      "unshare",
      [
        "-m",
        "sh",
        "-c",
        'mount -t tmpfs -o size=1m tmpfs small && exec "$0" --input-type=module -e "$1"',
        process.execPath,
        program,
      ],
      { cwd: folder, encoding: "utf8" },
    );
    expect(said).toMatch(/^ENOSPC\n.*the disk is full.*\n\d+ lines dropped: [^|]*\|after\|\n$/);
  },
);
