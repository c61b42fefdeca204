import type { StreamFeed } from "../stream/stream-feed.ts";
import type { Breaker } from "./breaker.ts";
import type { Lanes } from "./lanes.ts";
import type { LowWaterMark } from "./low-water-mark.ts";
import type { Retries } from "./retries.ts";
import type { Routes } from "./routes.ts";
import type { WentBack } from "./went-back.ts";
import type { Withheld } from "./withheld.ts";

export interface ClaimerState {
  lanes: Lanes;
  mark: LowWaterMark;
  withheld: Withheld;
  wentBack: WentBack;
  retries: Retries;
  breaker: Breaker;
  routes: Routes;
  /** Only where messages are noticed in the log. */
  feed?: StreamFeed;
}

export type ClaimKind = "new" | "retry" | "probe" | "stream" | "route";
