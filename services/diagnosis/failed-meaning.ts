import type { FailedMeaning } from "#domain/diagnosis/cause.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * Whether failed messages are tried again. Our relay does; of another's table only its columns can say so: a count of
 * attempts or a time of the next one.
 */
export function failedMeaning({ config, mapping }: Pick<OutboxHandle, "config" | "mapping">): FailedMeaning {
  if (config.mode === "relay") return "retried";
  if (mapping.failedMeans) return mapping.failedMeans;
  const { attempts, availableAt } = mapping.columns;
  return attempts || availableAt ? "retried" : "unknown";
}
