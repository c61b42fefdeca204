import type { Breaker } from "../state/breaker.ts";
import type { Lanes } from "../state/lanes/lanes.ts";
import type { LateCommits } from "../state/late-commits.ts";
import type { Retries } from "../state/retries.ts";
import type { Routes } from "../state/routes.ts";
import type { Withheld } from "../state/withheld.ts";
import type { ConsequenceEvents } from "./consequences.ts";
import type { RouteKeeper } from "./route-keeper.ts";

export interface OutcomeState {
  lanes: Lanes;
  withheld: Withheld;
  retries: Retries;
  breaker: Breaker;
  routes: Routes;
  late: LateCommits;
  /** See SinkFailureCounts. */
  sinkFailures: Map<string, number>;
}

export interface OutcomeEvents extends ConsequenceEvents {
  /** The breaker has closed. */
  works: () => void;
  /** Holds back the messages of routes at fault. */
  keeper: () => Pick<RouteKeeper, "begin" | "end" | "giveBack">;
}
