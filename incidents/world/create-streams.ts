import { cdcNames } from "#services/config/cdc-names.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { openRuntime } from "#services/runtime.ts";

/** As `npm run migrate -- --cdc` does. */
export async function createStreams(yaml: string): Promise<void> {
  const runtime = openRuntime({
    config: parseConfig(yaml, {}, "incidents"),
    applicationName: "incidents",
    once: true,
    env: {},
  });
  try {
    for (const handle of (await runtime.tables()).outboxes) {
      const { relay } = handle.config;
      if (relay?.source === "cdc") await outboxOf(handle).createStream(cdcNames(handle.name, relay.cdc));
    }
  } finally {
    await runtime.close();
  }
}
