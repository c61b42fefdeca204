import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Release, releaseOf } from "./postgres-release.ts";

const ROOT = join(import.meta.dirname, "..");
const filesIn = (folder: string, name: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file))
    .map((file) => join(ROOT, folder, file));

describe.each([
  ["relay", /\.relay\.test\.ts$/],
  ["db/stores/postgres", /\.db\.test\.ts$/],
  ["services", /\.db\.test\.ts$/],
] as const)("the tests of %s", (folder, name) => {
  test.each(["newest", "14"] satisfies Release[])("run on Postgres %s to a third at least", (release) => {
    const files = filesIn(folder, name);
    const here = files.filter((file) => releaseOf(file) === release);
    expect(files.length).toBeGreaterThan(10);
    expect(here.length).toBeGreaterThan(files.length / 3);
  });
});
