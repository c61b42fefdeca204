import { userInfo } from "node:os";
import { tableChanges } from "#db/stores/port/mapping-changes.ts";
import { ConfigError } from "#domain/errors.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { sentencesOf } from "../stores/outbox-stop.ts";

/**
 * Accepts the present mapping of an outbox from its table and configuration, with an audit row in the same transaction.
 * Returns a sentence. Throws ConfigError if there is nothing to accept.
 */
export async function acceptMapping(runtime: Runtime, outbox: string): Promise<string> {
  const handle = await find(runtime, outbox);
  const { proposed, accepted, store, config } = handle;
  if (config.mode === "observe")
    throw new ConfigError([`Outbox ${outbox} is observed only: there is nothing to accept.`]);
  if (!handle.storeSide)
    throw new ConfigError([
      `The console's own tables are missing in the database of outbox ${outbox}: run npm run migrate.`,
    ]);
  if ("code" in proposed) throw new ConfigError([sentencesOf(proposed)]);
  const by = userName();
  const changes = accepted ? tableChanges(accepted, handle.catalog) : [];
  await store.records.acceptMapping(
    { outbox, fingerprint: proposed, by },
    {
      actor: { name: by, role: "admin" },
      action: "mapping.accept",
      outbox,
      outcome: "done",
      reason: null,
      detail: changes.length > 0 ? changes.join("; ") : lifecycleText(handle),
    },
  );
  return `Accepted: the mapping of outbox ${outbox} (${lifecycleText(handle)}). Its relay goes on within 20 seconds.`;
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

/** The account on this machine; a container may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no account entry, e.g. a random one in a container.
    return "npm run migrate";
  }
}
