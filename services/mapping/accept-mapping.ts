import { isDeepStrictEqual } from "node:util";
import { tableChanges } from "#db/stores/port/mapping-changes.ts";
import { ConfigError } from "#domain/errors.ts";
import type { Actor } from "#domain/operator.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import { mappingOf } from "../config/take-over.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { sentencesOf } from "../stores/outbox-stop.ts";

interface AcceptInput {
  runtime: Runtime;
  outbox: string;
  actor: Actor;
  reason: string | null;
  /** The configuration to accept; by default any. */
  expected?: OutboxConfig;
}

/**
 * Accepts the present mapping of an outbox from its table and configuration, with an audit row in the same transaction.
 * Returns a sentence. Throws ConfigError if there is nothing to accept.
 */
export async function acceptMapping({ runtime, outbox, actor, reason, expected }: AcceptInput): Promise<string> {
  const handle = await find(runtime, outbox);
  const { proposed, accepted, store, config } = handle;
  if (expected && !isDeepStrictEqual(mappingOf(expected), mappingOf(config)))
    throw new ConfigError([
      `The catalog of outbox ${outbox} is still being read. Run ${ourCommand("migrate", `--accept-mapping ${outbox}`)}.`,
    ]);
  if (config.mode === "observe")
    throw new ConfigError([`Outbox ${outbox} is observed only: there is nothing to accept.`]);
  if (!handle.storeSide) throw new ConfigError([whyNoOwnTables(handle, `the database of outbox ${outbox}`)]);
  if ("code" in proposed) throw new ConfigError([sentencesOf(proposed)]);
  const changes = accepted ? tableChanges(accepted, handle.catalog) : [];
  await store.records.acceptMapping(
    { outbox, fingerprint: proposed, by: actor.name },
    {
      actor,
      action: "mapping.accept",
      outbox,
      outcome: "done",
      reason,
      detail: changes.length > 0 ? changes.join("; ") : lifecycleText(handle),
    },
  );
  const goesOn = config.mode === "relay" ? " Its relay resumes within 20 seconds." : "";
  return `Accepted: the mapping of outbox ${outbox} (${lifecycleText(handle)}).${goesOn}`;
}

async function find(runtime: Runtime, outbox: string): Promise<OutboxHandle> {
  const { outboxes, problems } = await runtime.tables();
  const handle = outboxes.find((candidate) => candidate.name === outbox);
  if (handle) return handle;
  const problem = problems.find((candidate) => candidate.name === outbox || candidate.name === null);
  throw new ConfigError([problem?.message ?? `There is no outbox named "${outbox}".`]);
}

function lifecycleText({ proposed, mapping }: OutboxHandle): string {
  const { schema, name } = mapping.table;
  if ("code" in proposed) return `${schema}.${name}`;
  const { kind, column } = proposed.lifecycle;
  return `${schema}.${name}, lifecycle ${kind}${column === null ? "" : ` by ${column}`}`;
}
