import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORT = /(?:from\s+|import\s+|import\(|new URL\()"(\.\.?\/[^"]+\.mjs)"/g;

/** The plain modules that others import, with those themselves; paths relative to the root. */
export function moduleClosure(root: string, entries: readonly string[]): string[] {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const text = readFileSync(join(root, path), "utf8");
    for (const [, imported = ""] of text.matchAll(IMPORT)) waiting.push(join(dirname(path), imported));
  }
  return [...found].sort();
}
