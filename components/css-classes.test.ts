import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const IMPORT = /import (\w+) from "([^"]+\.module\.css)";/g;

/** A class that the style sheet does not have is `undefined`: its element keeps the browser's own look. */
function missingClasses(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  return [...source.matchAll(IMPORT)].flatMap(([statement, name = "", path = ""]) => {
    const sheet = path.startsWith("#") ? join(ROOT, path.slice(1)) : join(ROOT, dirname(file), path);
    const css = readFileSync(sheet, "utf8");
    const used = source.replace(statement, "").matchAll(new RegExp(`(?<![\\w./-])${name}\\.(\\w+)`, "g"));
    return [...new Set([...used].map((match) => match[1] ?? ""))]
      .filter((one) => !new RegExp(`\\.${one}\\b`).test(css))
      .map((one) => `${file}: ${name}.${one} is not in ${path}`);
  });
}

test("every class that a component names is in its style sheet", () => {
  const files = globSync("{app,components}/**/*.tsx", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(missingClasses)).toEqual([]);
});
