import { waitFor } from "#tests/wait-for.ts";
import { type Finding, violation } from "./judge/evidence.ts";
import { TABLE } from "./world/relay-config.ts";
import { startAllRelays } from "./world/start-all-relays.ts";
import type { World } from "./world/world.ts";

/** Messages that are neither published nor dead, scheduled ones included: they are due soon. */
const WAITING = `SELECT count(*)::int AS count FROM ${TABLE} o WHERE o.published_at IS NULL
  AND NOT EXISTS (SELECT FROM outbox_console.delivery d WHERE d.message_id = o.id::text AND d.dead_at IS NOT NULL)`;
const CLAIMS = "SELECT count(*)::int AS count FROM outbox_console.claim";
/** Zero once a relay has reported a stream. On a busy machine, no relay may have lived long enough to do so earlier. */
const NO_STREAM = "SELECT (count(*) = 0)::int AS count FROM outbox_console.relay_instance WHERE stream IS NOT NULL";
const STOP_WITHIN_MS = 15_000;

/**
 * Runs once all faults are over. With every relay running, the table must drain; then claims of dead relays must
 * expire; then each relay must stop when asked.
 */
export async function comeToRest(world: World): Promise<Finding> {
  const { fleet, options, log } = world;
  await startAllRelays(world);
  const beganMs = log.nowMs();
  const drained = await reaches(world, WAITING, options.drainMs);
  const drainedMs = log.nowMs();
  log.note("drained", { drained });
  const unclaimed = await reaches(world, CLAIMS, options.claimsMs);
  const unclaimedMs = log.nowMs();
  log.note("unclaimed", { unclaimed });
  if (options.source === "cdc") log.note("streams", { reported: await reaches(world, NO_STREAM, options.claimsMs) });
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

async function reaches({ pool }: World, sql: string, timeoutMs: number): Promise<boolean> {
  const none = async () => (await pool.query<{ count: number }>(sql)).rows[0]?.count === 0;
  return waitFor(none, { timeoutMs, intervalMs: 50, message: "none is left" }).then(
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
