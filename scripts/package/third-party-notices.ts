import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ThirdParty {
  name: string;
  version: string;
  /** SPDX expression, as the package states it. */
  license: string;
  /** Text of its license files, in the order of their names; empty if it has none. */
  text: string;
}

const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/** The project's production dependencies with all of theirs, by name. Optional packages are not shipped. */
export function thirdParties(root: string): ThirdParty[] {
  const found = new Map<string, ThirdParty>();
  const waiting = Object.keys(manifestIn(root).dependencies ?? {}).map((name) => ({ name, from: root }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = folderOf(next.name, next.from, root);
    if (folder === null || found.has(folder)) continue;
    const manifest = manifestIn(folder);
    const { name, version } = manifest;
    found.set(folder, { name, version, license: licenseOf(manifest), text: licenseText(folder) });
    for (const needed of Object.keys(manifest.dependencies ?? {}))
      if (!Object.hasOwn(manifest.optionalDependencies ?? {}, needed)) waiting.push({ name: needed, from: folder });
  }
  return [...found.values()].toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Contents of the file in the package. */
export function noticesText(packages: readonly ThirdParty[]): string {
  const head = "Outbox Console contains the packages below. Each is under its own license.\n";
  const parts = packages.map(({ name, version, license, text }) => {
    const title = `${name} ${version}: ${license}`;
    return `${title}\n${"-".repeat(title.length)}\n\n${text === "" ? "The package has no license text of its own." : text}\n`;
  });
  return [head, ...parts].join("\n");
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
  licenses?: readonly { type?: string }[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function licenseOf({ license, licenses }: Manifest): string {
  if (typeof license === "string") return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(" OR ") ?? "UNKNOWN";
}

/** Null for a package that is not installed. */
function folderOf(name: string, from: string, root: string): string | null {
  const places = [join(from, "node_modules", name), join(root, "node_modules", name)];
  return places.find((place) => existsSync(join(place, "package.json"))) ?? null;
}

function licenseText(folder: string): string {
  const files = readdirSync(folder)
    .filter((name) => LICENSE_FILE.test(name))
    .sort();
  return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
}

const key = ({ name, version }: ThirdParty) => `${name} ${version}`;
