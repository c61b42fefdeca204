import type { CallFigures } from "./call-watch.ts";
import type { ContenderInput } from "./contenders/contender.ts";
import type { Runnable } from "./contenders/open-contender.ts";

/** The argument of lane-runner.ts, as JSON. */
export interface RunnerInput extends ContenderInput {
  candidate: Runnable;
  lanes: number;
  rate: number;
  run: number;
  /** Longest time until a call must have its outcomes, ms. */
  callLimitMs: number;
}

export type CandidateCommand =
  | { kind: "begin" }
  /** Stops new messages from falling due, and waits that long for the rest. */
  | { kind: "finish"; withinMs: number };

export type CandidateMessage = { kind: "ready" } | { kind: "done"; report: CandidateReport };

export interface CandidateReport extends CallFigures {
  /** Time of each confirmation, by lane and by number, ms on the wall clock. */
  confirmedAtMs: number[][];
  /** Messages that fell due. */
  due: number;
  /** Failed messages by kind and code of failure. */
  errors: Record<string, number>;
  cpuMicros: number;
  memoryBytes: number;
  /** An error that would have ended the process; null: none. */
  broke: string | null;
}
