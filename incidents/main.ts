import { parseArgs } from "node:util";
import { ALL_INCIDENTS } from "./catalog/all-incidents.ts";
import { reportProblems, reportTable } from "./report.ts";
import { runIncidents } from "./run-incidents.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, browser: { type: "boolean", default: true } },
  allowNegative: true,
});
if (values.list) {
  for (const { name, stack } of ALL_INCIDENTS) console.log(`${name} (${stack})`);
  process.exit(0);
}
const chosen = ALL_INCIDENTS.filter(
  ({ name, stack }) => positionals.length === 0 || positionals.some((one) => name.includes(one) || stack === one),
);
if (chosen.length === 0) {
  console.error(`There is no such incident. Known: ${ALL_INCIDENTS.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}
const results = await runIncidents(chosen, {
  browser: values.browser,
  report: (result) => console.error(reportProblems(result)),
});
console.log(`\n${reportTable(results)}`);
process.exit(results.some(({ problems }) => problems.length > 0) ? 1 : 0);
