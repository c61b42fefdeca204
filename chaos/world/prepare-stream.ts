import { cdcNames } from "#services/config/cdc-names.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import type { Runtime } from "#services/runtime.ts";

/** As `npm run migrate -- --cdc` does. */
export async function prepareStream(runtime: Runtime): Promise<void> {
  for (const handle of (await runtime.tables()).outboxes) {
    const { relay } = handle.config;
    if (relay) await outboxOf(handle).createStream(cdcNames(handle.name, relay.cdc));
  }
}
