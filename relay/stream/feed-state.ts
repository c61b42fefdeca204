import type { Lanes } from "../pipeline/state/lanes/lanes.ts";
import type { Pauses } from "../pipeline/state/pauses.ts";
import type { Retries } from "../pipeline/state/retries.ts";
import type { Routes } from "../pipeline/state/routes.ts";
import type { Watermark } from "../pipeline/state/watermark.ts";
import type { WentBack } from "../pipeline/state/went-back.ts";
import type { Withheld } from "../pipeline/state/withheld.ts";

export interface FeedState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  wentBack: WentBack;
  retries: Retries;
  pauses: Pauses;
  routes: Routes;
}
