import type { RelayHarness } from "./relay-harness.fixture.ts";
import { type RelayProcess, startRelayProcess } from "./relay-process.fixture.ts";

export interface RelayProcesses {
  /** Starts one more; `relay` as in RelayYaml. */
  spawn(relay?: string[]): Promise<RelayProcess>;
  /** Ends all, also those that are frozen. */
  killAll(): Promise<void>;
}

/** Relays in processes of their own over the harness's database, for tests with several of them. */
export function relayProcesses(harness: () => RelayHarness): RelayProcesses {
  const processes: RelayProcess[] = [];
  return {
    async spawn(relay = []) {
      const { databaseUrl, receiver } = harness();
      const started = await startRelayProcess({ databaseUrl, sinkUrl: `${receiver.url}/events`, relay });
      processes.push(started);
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
