import "./lib/require-node-20.mjs";
import { ensureInstalled } from "./lib/ensure-installed.mjs";
import { findNode } from "./lib/find-node.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { runMain } from "./lib/stop-with-sentence.mjs";

const CONFIGS = ["db/stores/postgres/own-schema/drizzle.config.ts", "db/records/drizzle.config.ts"];

/** Writes the SQL that leads from the last migrations to the current schemas. */
runMain(async () => {
  await ensureInstalled();
  for (const config of CONFIGS) {
    const args = ["node_modules/drizzle-kit/bin.cjs", "generate", `--config=${config}`, ...process.argv.slice(2)];
    const code = await runCommand(findNode(), args);
    if (code !== 0) return code;
  }
  return 0;
});
