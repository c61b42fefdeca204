import type { MappingProposal } from "#contracts/outbox/mapping.ts";
import { AppError } from "#domain/errors.ts";
import { type OutboxConfig, outboxSchema } from "../config/outbox-schema.ts";
import type { MappedTable } from "../runtime.ts";

/** The configuration with the proposed mapping; everything else stays. Throws: invalid_input. */
export function proposedConfig({ config }: MappedTable, proposal: MappingProposal): OutboxConfig {
  const { timeZone = config.timeZone, ...proposed } = proposal;
  const { store, table, mode, thresholds, relay, debezium, deadAttempts } = config;
  const parsed = outboxSchema.safeParse({ store, table, timeZone, ...proposed });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError(
      "invalid_input",
      `${issue?.path.join(".") ?? "The mapping"}: ${issue?.message ?? "is not valid"}.`,
    );
  }
  return {
    ...parsed.data,
    mode,
    thresholds,
    ...(relay ? { relay } : {}),
    ...(debezium ? { debezium } : {}),
    ...(deadAttempts === undefined ? {} : { deadAttempts }),
  };
}
