import type { IncidentResult } from "./run-incident.ts";

/** Prints `incident | seconds to the right sentence`, then everything that was wrong. */
export function reportTable(results: readonly IncidentResult[]): string {
  const stages = results.flatMap(({ stages, problems }) =>
    stages.map((stage) => ({ ...stage, right: problems.length === 0 })),
  );
  const width = Math.max(8, ...stages.map(({ name }) => name.length));
  const lines = [`${"incident".padEnd(width)} | seconds to the right sentence`, `${"-".repeat(width)} | ---`];
  for (const { name, seconds, sentence, right } of stages) {
    const time = seconds === null ? "never" : seconds.toFixed(1);
    lines.push(`${name.padEnd(width)} | ${time.padStart(5)}  ${right ? "ok    " : "FAILED"}  ${sentence ?? ""}`);
  }
  return lines.join("\n");
}

export function reportProblems(result: IncidentResult): string {
  const { name, problems, readings, slowest } = result;
  const answers = Object.entries(slowest).map(([surface, ms]) => `${surface} ${ms}`);
  return [
    `${name}: ${problems.length} problems in ${readings} readings; longest answers in ms: ${answers.join(", ")}`,
    ...problems.map((text) => `  - ${text}`),
  ].join("\n");
}
