import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeStale } from "./scratch-folder.mjs";

test("removes what killed test runs left, and nothing of running ones or of others", () => {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-stale-"));
  const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);
  const [stale, running, foreign] = [
    `outbox-console-npm-test-${ended}-a`,
    `outbox-console-npm-test-${process.pid}-b`,
    "c",
  ];
  for (const name of [stale, running, foreign]) mkdirSync(join(folder, name, "data"), { recursive: true });
  removeStale(folder);
  expect([stale, running, foreign].map((name) => existsSync(join(folder, name)))).toEqual([false, true, true]);
  removeStale(join(folder, "not there"));
  rmSync(folder, { recursive: true });
});
