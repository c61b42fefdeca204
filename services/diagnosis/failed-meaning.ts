import type { FailedMeaning } from "#domain/diagnosis/cause.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * Whether failed messages are tried again. Our relay tries them again; in other tables a column for attempts or for the
 * time of the next attempt shows it.
 */
export function failedMeaning({ config, mapping }: Pick<OutboxHandle, "config" | "mapping">): FailedMeaning {
  if (config.mode === "relay") return "retried";
  if (mapping.failedMeans) return mapping.failedMeans;
  const { attempts, availableAt } = mapping.columns;
  return attempts || availableAt ? "retried" : "unknown";
}
