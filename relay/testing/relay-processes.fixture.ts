import { waitFor } from "#tests/wait-for.ts";
import type { RelayYaml } from "./outbox.fixture.ts";
import type { RelayHarness } from "./relay-harness.fixture.ts";
import { type RelayProcess, startRelayProcess } from "./relay-process.fixture.ts";

/** Longest time to start; an idle machine needs a second. */
const STARTS_WITHIN_MS = 150_000;

export interface RelayProcesses {
  /** Starts one more and waits for its first heartbeat; `relay` as in RelayYaml. */
  spawn(relay?: string[]): Promise<RelayProcess>;
  /** Starts one more without waiting; `settings` as in RelayYaml. */
  spawnSilent(settings?: Partial<RelayYaml>): Promise<RelayProcess>;
  /** Kills all, including frozen ones. */
  killAll(): Promise<void>;
}

/** Relays in separate processes over the harness's database, for tests with several of them. */
export function relayProcesses(harness: () => RelayHarness): RelayProcesses {
  const processes: RelayProcess[] = [];
  const spawnSilent: RelayProcesses["spawnSilent"] = async (settings = {}) => {
    const { databaseUrl, receiver } = harness();
    const started = await startRelayProcess({ databaseUrl, sinkUrl: `${receiver.url}/events`, ...settings });
    processes.push(started);
    return started;
  };
  return {
    spawnSilent,
    async spawn(relay = []) {
      const { scalar } = harness();
      const started = await spawnSilent({ relay });
      const beats = `SELECT count(*)::int FROM outbox_console.relay_instance WHERE pid = ${started.child.pid}`;
      await waitFor(async () => (await scalar(beats)) === 1, {
        timeoutMs: STARTS_WITHIN_MS,
        message: "the relay's process has started",
      });
      return started;
    },
    async killAll() {
      for (const relay of processes.splice(0)) {
        relay.kill("SIGCONT");
        relay.kill("SIGKILL");
        await relay.exited;
      }
    },
  };
}
