import { startProblem } from "#services/config/start-problem.ts";

/** Ends the process when the configuration is not valid, or would serve everyone without a password. */
export function checkStart(): void {
  const problem = startProblem();
  if (problem === null) return;
  process.stderr.write(problem);
  process.exit(1);
}
