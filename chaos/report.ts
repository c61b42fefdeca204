import type { ChaosResult } from "./run-chaos.ts";

const MOST_CASES = 20;

/** A table of steps and observations, then each broken rule with its cases. */
export function report(result: ChaosResult): string {
  const lines = [`seed ${result.seed}: ${result.schedule.length} steps`, "", "done"];
  for (const [kind, count] of Object.entries(result.done).sort()) lines.push(row(kind, count));
  lines.push("", "seen");
  for (const [what, count] of Object.entries(result.seen)) lines.push(row(what, count));
  lines.push("", result.violations.length === 0 ? "no rule was broken" : "BROKEN");
  for (const { rule, cases } of result.violations) {
    lines.push(`  ${rule}: ${cases.length}`);
    for (const text of cases.slice(0, MOST_CASES)) lines.push(`    ${text}`);
    if (cases.length > MOST_CASES) lines.push(`    and ${cases.length - MOST_CASES} more`);
  }
  if (result.folder !== null) lines.push(`  events and logs: ${result.folder}`);
  return lines.join("\n");
}

function row(name: string, value: number): string {
  return `  ${name.padEnd(36)} ${String(value).padStart(9)}`;
}
