import { checkImports } from "./lib/check-imports.mjs";
import { ROOT } from "./lib/project.mjs";

const faults = checkImports(ROOT);
for (const { file, line, specifier, why } of faults) console.log(`${file}:${line} imports ${specifier}: ${why}`);
process.exitCode = faults.length > 0 ? 1 : 0;
