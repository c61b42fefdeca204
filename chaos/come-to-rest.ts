import { waitFor } from "#tests/wait-for.ts";
import { type Finding, violation } from "./judge/evidence.ts";
import { startAllRelays } from "./world/start-all-relays.ts";
import type { World } from "./world/world.ts";

const STOP_WITHIN_MS = 15_000;

/**
 * Runs once all faults are over. With every relay running, the table must drain; then claims of dead relays must
 * expire; then each relay must stop when asked.
 */
export async function comeToRest(world: World): Promise<Finding> {
  const { fleet, options, store, log } = world;
  await startAllRelays(world);
  const beganMs = log.nowMs();
  const drained = await reaches(async () => (await store.countWaiting()) === 0, options.drainMs);
  const drainedMs = log.nowMs();
  log.note("drained", { drained });
  const unclaimed = await reaches(async () => (await store.countClaims()) === 0, options.claimsMs);
  const unclaimedMs = log.nowMs();
  log.note("unclaimed", { unclaimed });
  // Checked only now, because on a busy machine no relay may have lived long enough to report a stream earlier.
  if (options.source === "cdc") log.note("streams", { reported: await reaches(store.hasStream, options.claimsMs) });
  const stopped = await Promise.all(fleet.live.map((slot) => stop(world, slot)));
  return {
    violations: [
      ...violation("does not drain", drained ? [] : [`something waits after ${options.drainMs} ms`]),
      ...violation("does not end claims", unclaimed ? [] : [`some are left after ${options.claimsMs} ms`]),
      ...violation(
        "does not stop when asked to",
        stopped.flatMap((text) => text ?? []),
      ),
    ],
    seen: {
      "drained after, ms": Math.round(drainedMs - beganMs),
      "claims gone after, ms": Math.round(unclaimedMs - drainedMs),
    },
  };
}

async function reaches(is: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  return waitFor(is, { timeoutMs, intervalMs: 50, message: "none is left" }).then(
    () => true,
    () => false,
  );
}

async function stop({ fleet }: World, slot: number): Promise<string | null> {
  const within = AbortSignal.timeout(STOP_WITHIN_MS);
  const late = new Promise<"late">((resolve) => within.addEventListener("abort", () => resolve("late")));
  const code = await Promise.race([fleet.end(slot, "SIGTERM"), late]);
  if (code === "late") return `relay ${slot} still runs after ${STOP_WITHIN_MS} ms`;
  return code === 0 ? null : `relay ${slot} ended with ${code}`;
}
