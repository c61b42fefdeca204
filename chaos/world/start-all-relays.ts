import { waitFor } from "#tests/wait-for.ts";
import type { World } from "./world.ts";

const START_WITHIN_MS = 60_000;

/** Starts all missing relays and waits until each is registered, which takes a while on a busy machine. */
export async function startAllRelays({ fleet, options, pool, log }: World): Promise<void> {
  for (let slot = 0; slot < options.relays; slot += 1) await fleet.start(slot);
  await waitFor(
    async () => {
      const { rows } = await pool.query<{ pid: number }>("SELECT pid FROM outbox_console.relay_instance");
      return fleet.pids.every((pid) => rows.some((row) => row.pid === pid));
    },
    { timeoutMs: START_WITHIN_MS, intervalMs: 50, message: "every relay says that it is there" },
  );
  log.note("all-relays-run");
}
