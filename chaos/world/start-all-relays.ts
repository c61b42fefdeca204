import { waitFor } from "#tests/wait-for.ts";
import type { World } from "./world.ts";

const START_WITHIN_MS = 60_000;

/** Starts all missing relays and waits until each is registered, which takes a while on a busy machine. */
export async function startAllRelays({ fleet, options, store, log }: World): Promise<void> {
  for (let slot = 0; slot < options.relays; slot += 1) await fleet.start(slot);
  await waitFor(
    async () => {
      const registered = await store.relayPids();
      return fleet.pids.every((pid) => registered.includes(pid));
    },
    { timeoutMs: START_WITHIN_MS, intervalMs: 50, message: "every relay says that it is there" },
  );
  log.note("all-relays-run");
}
