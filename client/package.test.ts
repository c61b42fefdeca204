import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = import.meta.dirname;
const run = promisify(execFile);
const TSC = join(ROOT, "../node_modules/typescript/bin/tsc");
/** A team's project, in which the package is installed. */
let project: string;
let built: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "outbox-client-"));
  const installed = join(project, "node_modules/@outbox-console/client");
  built = join(installed, "dist");
  await run(process.execPath, [TSC, "-p", join(ROOT, "tsconfig.build.json"), "--outDir", built]);
  copyFileSync(join(ROOT, "package.json"), join(installed, "package.json"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Links the libraries that are installed here, without this package itself. */
function linkLibraries(): void {
  for (const folder of [join(ROOT, "node_modules"), join(ROOT, "../node_modules")])
    for (const name of readdirSync(folder).filter((one) => one !== "@outbox-console" && !one.startsWith("."))) {
      const link = join(project, "node_modules", name);
      if (!existsSync(link)) symlinkSync(join(folder, name), link);
    }
}

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
    const exported = Object.keys(await import(files[1] ?? ""));
    if (entry.default.includes("/adapters/")) expect(exported).toHaveLength(1);
    else expect(exported).not.toEqual([]);
  }
});

test.each(["commonjs", "module"])(
  "TypeScript takes the README's code and the examples of all libraries in a project of type %s",
  async (type) => {
    linkLibraries();
    const folder = join(project, type);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
    // Prisma's takes a client that was generated for the tests here.
    for (const file of globSync("*.ts", { cwd: join(ROOT, "examples"), exclude: ["*.test.ts", "prisma.ts"] }))
      copyFileSync(join(ROOT, "examples", file), join(folder, file));
    const [, readme = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
    writeFileSync(join(folder, "readme.mts"), readme);
    const compilerOptions = {
      ...{ module: "nodenext", target: "es2024", types: ["node"], strict: true, skipLibCheck: true },
      ...{ noEmit: true, allowImportingTsExtensions: true },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts", "*.mts"] }));
    const { stdout } = await run(process.execPath, [TSC, "-p", folder]).catch((error) => error as { stdout: string });
    expect(stdout).toBe("");
  },
);
