import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { findNode } from "./find-node.mjs";
import { ROOT } from "./project.mjs";
import { captureCommand } from "./run-command.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const ROLLDOWN = join(ROOT, "node_modules", "rolldown", "bin", "cli.mjs");
const CONFIG = join(ROOT, "scripts", "lib", "test-programs.config.mjs");

/**
 * Bundles the programs that tests start, and names the folder in OUTBOX_TEST_PROGRAMS, where `tests/program-path.ts`
 * finds them. Throws a Sentence with rolldown's output.
 * @param {string} folder
 */
export async function bundleTestPrograms(folder) {
  const { code, output } = await captureCommand(findNode(), [ROLLDOWN, "--config", CONFIG, "--dir", folder]);
  if (code !== 0) throw new Sentence(`${output}\n\nThe programs that the tests start could not be bundled.`);
  // For packages that are not bundled.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  process.env.OUTBOX_TEST_PROGRAMS = folder;
}
