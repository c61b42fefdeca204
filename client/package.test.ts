import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = import.meta.dirname;
const run = promisify(execFile);
let built: string;

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "outbox-client-"));
  const tsc = join(ROOT, "../node_modules/typescript/bin/tsc");
  await run(process.execPath, [tsc, "-p", join(ROOT, "tsconfig.build.json"), "--outDir", built]);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const packageJson = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const entries = Object.values(packageJson.exports) as { types: string; default: string }[];

test("what is built imports Node's own modules and nothing else", () => {
  const imported = globSync("**/*.js", { cwd: built }).flatMap((file) =>
    [...readFileSync(join(built, file), "utf8").matchAll(/^(?:import|export)[^"]*? from "([^."][^"]*)"/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
  expect(packageJson.dependencies).toBeUndefined();
});

test("every entry of the package is built, with its types, and can be loaded", async () => {
  for (const entry of entries) {
    const files = [entry.types, entry.default].map((file) => file.replace("./dist", built));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(Object.keys(await import(files[1] ?? ""))).not.toEqual([]);
  }
});
