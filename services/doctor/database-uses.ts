import type { StoreKind } from "#db/stores/open-store.ts";
import type { DatabaseUse } from "#db/stores/port/doctor.ts";
import { POOL_SIZES } from "#db/stores/port/pool-sizes.ts";
import type { Config } from "../config/config-schema.ts";
import { firstOperatedPostgres } from "../config/first-operated-postgres.ts";
import type { Environment } from "../config/load-config.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";

type Process = "console" | "worker";
type Use = DatabaseUse & { kind: StoreKind };

/**
 * The databases that the configuration opens, by what for, with the most connections that these processes open
 * together: one console and one worker by default. Excludes the embedded Postgres, which is ours.
 */
export function databaseUses(
  config: Config,
  { processes = ["console", "worker"], env = process.env }: { processes?: readonly Process[]; env?: Environment } = {},
): Use[] {
  const { reads, writes, pings, records } = POOL_SIZES;
  const each = processes.length;
  const relays = processes.includes("worker");
  const uses: Use[] = [];
  for (const [name, store] of Object.entries(config.stores)) {
    const outboxes = Object.values(config.outboxes).filter((outbox) => outbox.store === name);
    const writable = outboxes.some(({ mode }) => mode !== "observe");
    const { kind, url, readUrl, directUrl } = store;
    const own = { kind, name: `store ${name}`, url, writes: writable };
    // A worker writes too: bulk operations, retention and the deletion of old records.
    uses.push({ ...own, connections: (reads + pings + (writable ? writes : 0)) * each });
    // Pages read from the replica, and so does a worker that selects the items of an operation.
    if (readUrl)
      uses.push({ kind, name: `readUrl of store ${name}`, url: readUrl, writes: false, connections: reads * each });
    const connections = relays ? relayConnections(outboxes, store.relayConnections) : 0;
    if (connections === 0 && !directUrl) continue;
    uses.push({ ...own, ...(directUrl ? { name: `directUrl of store ${name}`, url: directUrl } : {}), connections });
  }
  const consoleUrl =
    config.console.databaseUrl ?? (env.OUTBOX_EMBEDDED_URL ? null : firstOperatedPostgres(config)?.url);
  if (consoleUrl)
    uses.push({
      ...{ kind: "postgres", name: "the console", url: consoleUrl, writes: true, records: true },
      connections: (records + pings) * each,
    });
  return uses;
}

/** Relays share the connections to their tables; each has its own to the log, and for hints. */
function relayConnections(outboxes: readonly OutboxConfig[], most: number = POOL_SIZES.relays): number {
  const relays = outboxes.flatMap(({ relay }) => relay ?? []);
  const { relay: each, stream, notify } = POOL_SIZES;
  const own = relays.map(
    ({ source, notify: hints }) => (source === "cdc" ? stream : 0) + (hints === undefined ? 0 : notify),
  );
  return Math.min(relays.length * each, most) + own.reduce((sum, connections) => sum + connections, 0);
}
