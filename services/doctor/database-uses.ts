import type { StoreKind } from "#db/stores/open-store.ts";
import type { DatabaseUse } from "#db/stores/port/doctor.ts";
import { POOL_SIZES } from "#db/stores/port/pool-sizes.ts";
import type { Config } from "../config/config-schema.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";

/** One console and one worker. */
const PROCESSES = 2;

/** The databases that the configuration opens, one entry per URL. Excludes the embedded Postgres, which is ours. */
export function databaseUses(config: Config): (DatabaseUse & { kind: StoreKind })[] {
  const { reads, pings, records } = POOL_SIZES;
  const uses: (DatabaseUse & { kind: StoreKind })[] = [];
  for (const [name, store] of Object.entries(config.stores)) {
    const outboxes = Object.values(config.outboxes).filter((outbox) => outbox.store === name);
    const writes = outboxes.some(({ mode }) => mode !== "observe");
    const { kind } = store;
    const own = { kind, name: `store ${name}`, url: store.url, writes };
    uses.push({ ...own, connections: (reads + pings) * PROCESSES + (writes ? POOL_SIZES.writes : 0) });
    if (store.readUrl)
      // Only pages read from the replica.
      uses.push({ kind, name: `readUrl of store ${name}`, url: store.readUrl, writes: false, connections: reads });
    const relays = outboxes.reduce((sum, outbox) => sum + relayConnections(outbox), 0);
    if (relays === 0 && !store.directUrl) continue;
    const direct = store.directUrl ? { ...own, name: `directUrl of store ${name}`, url: store.directUrl } : own;
    uses.push({ ...direct, connections: relays });
  }
  const { databaseUrl } = config.console;
  if (databaseUrl)
    uses.push({
      ...{ kind: "postgres", name: "the console side", url: databaseUrl, writes: true },
      connections: (records + pings) * PROCESSES,
    });
  return uses;
}

function relayConnections({ relay }: OutboxConfig): number {
  if (!relay) return 0;
  return POOL_SIZES.relay + (relay.source === "cdc" ? POOL_SIZES.stream : 0) + (relay.notify === undefined ? 0 : 1);
}
