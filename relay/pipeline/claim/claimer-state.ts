import type { StreamFeed } from "#relay/stream/stream-feed.ts";
import type { Breaker } from "../state/breaker.ts";
import type { Lanes } from "../state/lanes/lanes.ts";
import type { Release } from "../state/release.ts";
import type { Retries } from "../state/retries.ts";
import type { Routes } from "../state/routes.ts";
import type { Watermark } from "../state/watermark.ts";
import type { WentBack } from "../state/went-back.ts";
import type { Withheld } from "../state/withheld.ts";

export interface ClaimerState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  wentBack: WentBack;
  retries: Retries;
  breaker: Breaker;
  routes: Routes;
  release: Release;
  /** Only for a relay that reads the log. */
  feed?: StreamFeed;
}

export type ClaimKind = "new" | "retry" | "probe" | "stream" | "route" | "followed";
