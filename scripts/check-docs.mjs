import { checkDocs } from "./lib/check-docs.mjs";
import { ROOT } from "./lib/project.mjs";

const faults = checkDocs(ROOT);
for (const { file, line, cited } of faults) console.log(`${file}:${line} cites ${cited}, which is not there`);
process.exitCode = faults.length > 0 ? 1 : 0;
