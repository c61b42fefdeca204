import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readProcessStart } from "../../db/embedded/process-identity.mjs";
import { noteChildren, readRunFile, takeRunFile } from "./run-file.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outbox-console-run-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const GONE = { pid: process.pid, startedAt: "some other time" };

function writeRunFile(content: unknown) {
  writeFileSync(join(folder, "run.json"), JSON.stringify(content));
}

test("refuses a second start while the first lives, naming its address", async () => {
  await takeRunFile(folder, "http://127.0.0.1:3000");
  await expect(takeRunFile(folder, "http://127.0.0.1:3001")).rejects.toThrow(
    /already runs .*http:\/\/127\.0\.0\.1:3000/,
  );
});

test("stops what a killed start left running, and no process that has since taken its pid", async () => {
  const leftover = spawn("sleep", ["600"], { stdio: "ignore" });
  const ended = once(leftover, "exit");
  const worker = { pid: leftover.pid, startedAt: readProcessStart(leftover.pid as number) };
  writeRunFile({ starter: GONE, address: "", children: { worker, demo: GONE } });
  const path = await takeRunFile(folder, "http://127.0.0.1:3000");
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(readRunFile(path)).toMatchObject({ starter: { pid: process.pid }, children: {} });
});

test("of two starts that wait for the same leftover one gets the folder", async () => {
  const leftover = spawn("sleep", ["600"], { stdio: "ignore" });
  const worker = { pid: leftover.pid, startedAt: readProcessStart(leftover.pid as number) };
  writeRunFile({ starter: GONE, address: "", children: { worker } });
  const starts = await Promise.allSettled([takeRunFile(folder, "first"), takeRunFile(folder, "second")]);
  expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("takes over a truncated run file", async () => {
  writeFileSync(join(folder, "run.json"), '{"starter":{"pi');
  const path = await takeRunFile(folder, "http://127.0.0.1:3000");
  expect(existsSync(path)).toBe(true);
});

test("records children with their start times", async () => {
  const path = await takeRunFile(folder, "http://127.0.0.1:3000");
  noteChildren(path, { worker: process.pid });
  expect(JSON.parse(readFileSync(path, "utf8")).children).toEqual({
    worker: { pid: process.pid, startedAt: readProcessStart(process.pid) },
  });
});
