import type { Step } from "../schedule.ts";
import type { World } from "../world/world.ts";

/** Performs the step and undoes it after its duration. False when there was nothing to act on. */
export type Action = (world: World, step: Step) => Promise<boolean>;
