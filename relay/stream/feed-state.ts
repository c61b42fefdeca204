import type { Lanes } from "../pipeline/lanes.ts";
import type { LowWaterMark } from "../pipeline/low-water-mark.ts";
import type { Pauses } from "../pipeline/pauses.ts";
import type { Retries } from "../pipeline/retries.ts";
import type { Routes } from "../pipeline/routes.ts";
import type { WentBack } from "../pipeline/went-back.ts";
import type { Withheld } from "../pipeline/withheld.ts";

export interface FeedState {
  lanes: Lanes;
  mark: LowWaterMark;
  withheld: Withheld;
  wentBack: WentBack;
  retries: Retries;
  pauses: Pauses;
  routes: Routes;
}
