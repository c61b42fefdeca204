import { startProblem } from "./start-problem.ts";

/** Exits with 1 and explains if the console would refuse to start with this configuration and HOST. Opens nothing. */
const problem = startProblem();
if (problem !== null) {
  process.stderr.write(problem);
  process.exitCode = 1;
}
