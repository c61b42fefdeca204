import { readOrStop } from "#tests/parse-options.ts";
import { readSoakOptions, SOAK_HELP, soakCommand } from "./options.ts";
import { runSoak } from "./run-soak.ts";
import { soakTable } from "./soak-table.ts";

/** Returns the exit code. */
export async function soak(args: string[]): Promise<number> {
  const options = readOrStop(() => readSoakOptions(args), SOAK_HELP);
  if (options === null) {
    console.log(SOAK_HELP);
    return 0;
  }
  console.log(soakCommand(options));
  const result = await runSoak({ ...options, say: (line) => console.error(line) });
  console.log(soakTable(options, result));
  return result.violations.length === 0 ? 0 : 1;
}
