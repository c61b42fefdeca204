import type { Logger } from "pino";
import type { Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { sentencesOf } from "#services/stores/outbox-stop.ts";

/**
 * At start, logs what stops outboxes that have no relay here, and accepts the first mapping of those that operators act
 * on. If a store does not answer, the first action tries again.
 */
export async function guardOperated(runtime: Runtime, log: Logger): Promise<void> {
  const { outboxes, problems } = await runtime.tables();
  for (const { name, message } of problems) if (isOurs(runtime, name)) log.error({ outbox: name }, message);
  for (const handle of outboxes) {
    const { name, config, stop, storeSide } = handle;
    if (config.mode === "relay") continue;
    if (stop) log.error({ outbox: name, code: stop.code }, sentencesOf(stop));
    else if (config.mode === "operate" && storeSide) {
      await acceptFirstMapping(runtime, handle, "worker").catch((error: unknown) => {
        log.warn({ err: error, outbox: name }, "the mapping could not be saved; the first action will retry");
      });
    }
  }
}

/** True for a configured outbox without a relay here; a relay logs its own problems. */
function isOurs(runtime: Runtime, name: string | null): boolean {
  const config = name === null ? undefined : runtime.config.outboxes[name];
  return config !== undefined && config.mode !== "relay";
}
