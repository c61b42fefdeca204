import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Copies the built console without what it was built from. The build names packages with a hash and links the name to
 * the package; npm packs no links, so the build is made to use the packages' own names.
 */
export function stageConsole(root: string, stage: string): void {
  const from = join(root, ".next", "standalone");
  const into = join(stage, ".next", "standalone");
  cpSync(from, into, {
    recursive: true,
    filter: (path) => basename(path) !== "node_modules" && !path.endsWith(".map"),
  });
  cpSync(join(root, ".next", "with-base-path"), join(stage, ".next", "with-base-path"), { recursive: true });
  const links = linksIn(join(from, ".next", "node_modules"));
  for (const built of [into, join(stage, ".next", "with-base-path")])
    for (const file of filesIn(join(built, ".next", "server"), ".js")) replaceNames(file, links);
  cpSync(join(from, "node_modules"), join(stage, "node_modules"), { recursive: true });
  rmSync(join(stage, "node_modules", ".package-lock.json"), { force: true });
}

/** The names by which the build asks for packages, e.g. `pg-587764f78a6c7a9c` or `@vlasky/zongji-0123456789abcdef`. */
function linksIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

function replaceNames(file: string, links: readonly string[]): void {
  const before = readFileSync(file, "utf8");
  const after = links.reduce((text, link) => text.replaceAll(link, link.replace(/-[0-9a-f]{16}$/, "")), before);
  if (after !== before) writeFileSync(file, after);
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));
}
