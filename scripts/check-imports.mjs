import { checkImports } from "./lib/check-imports.mjs";
import { ROOT } from "./lib/project.mjs";

const faults = await checkImports(ROOT);
for (const { file, imports, why } of faults) console.log(`${file} imports ${imports}: ${why}`);
process.exitCode = faults.length > 0 ? 1 : 0;
