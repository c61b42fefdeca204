import { setTimeout as delay } from "node:timers/promises";
import type { Step, StepKind } from "../schedule.ts";
import type { World } from "../world/world.ts";
import { ACTIONS } from "./actions.ts";

/** Number of steps done, by kind. */
export type Done = Map<StepKind, number>;

/** Runs each step at its time, independently of the others; resolves when all are undone. */
export async function runSchedule(world: World, steps: readonly Step[]): Promise<Done> {
  const done: Done = new Map();
  const beganMs = world.log.nowMs();
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (const step of steps) {
    await delay(Math.max(0, beganMs + step.atMs - world.log.nowMs()));
    running.push(
      ACTIONS[step.kind](world, step).then(
        (was) => {
          if (was) done.set(step.kind, (done.get(step.kind) ?? 0) + 1);
        },
        (error: unknown) => void failures.push(error),
      ),
    );
  }
  await Promise.all(running);
  if (failures.length > 0) throw new AggregateError(failures, "Faults could not be undone.");
  return done;
}
