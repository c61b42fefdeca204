import type { Step } from "../schedule.ts";
import type { World } from "../world/world.ts";

/** Does the step and undoes it after its time. False when there was nothing to do it to. */
export type Action = (world: World, step: Step) => Promise<boolean>;
