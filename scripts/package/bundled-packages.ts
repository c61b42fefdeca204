import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Manifest = {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  [key: string]: unknown;
};

/** Removed, because npm would install the packages in these fields; all that are needed are already included. */
const UNWANTED = [
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
  "devDependencies",
  "scripts",
  "bundleDependencies",
];

/** Copies a package with everything it depends on. Throws if one is nested, which the flat folder cannot hold. */
export function copyWithDependencies(from: string, into: string, name: string): void {
  const source = join(from, name);
  if (existsSync(join(into, name, "package.json")) && versionOf(into, name) !== versionOf(from, name))
    throw new Error(`${name} is needed in two versions.`);
  if (existsSync(join(source, "node_modules"))) throw new Error(`${name} brings packages of its own.`);
  cpSync(source, join(into, name), { recursive: true });
  for (const needed of Object.keys(readManifest(from, name).dependencies ?? {}))
    if (!existsSync(join(into, needed, "package.json"))) copyWithDependencies(from, into, needed);
}

/** Reduces each package's manifest to the fields needed at run time. Returns the versions by name. */
export function stripManifests(folder: string): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const name of packagesIn(folder)) {
    const manifest = readManifest(folder, name);
    for (const key of UNWANTED) delete manifest[key];
    writeFileSync(join(folder, name, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    versions[name] = manifest.version;
  }
  return versions;
}

function packagesIn(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .filter((name) => existsSync(join(folder, name, "package.json")))
    .sort();
}

function versionOf(folder: string, name: string): string {
  return readManifest(folder, name).version;
}

function readManifest(folder: string, name: string): Manifest {
  return JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
}
