import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Servers are often in folders that only root's PATH contains. */
const USUAL_FOLDERS = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/opt/homebrew/sbin",
  "/opt/homebrew/bin",
];

/** Path of the first program of that name, or null. `before` lists folders to search first. */
export function findProgram(name: string, before: string[] = []): string | null {
  const onPath = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const folder of [...before, ...onPath, ...USUAL_FOLDERS]) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not here: the next folder.
    }
  }
  return null;
}
