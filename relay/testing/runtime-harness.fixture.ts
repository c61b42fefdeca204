import type { Runtime } from "#services/runtime.ts";
import { openRelayRuntime } from "./outbox.fixture.ts";
import { openHarness, type RelayHarness } from "./relay-harness.fixture.ts";

export interface RuntimeHarness extends RelayHarness {
  /** A console's runtime over the same outbox. */
  runtime: Runtime;
}

export async function openRuntimeHarness(...ddl: Parameters<typeof openHarness>): Promise<RuntimeHarness> {
  const harness = await openHarness(...ddl);
  const runtime = openRelayRuntime({ databaseUrl: harness.databaseUrl, sinkUrl: `${harness.receiver.url}/events` });
  const close = async () => {
    await runtime.close();
    await harness.close();
  };
  return { ...harness, runtime, close };
}
