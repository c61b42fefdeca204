import type { DatabaseUse } from "#db/stores/port/doctor.ts";
import type { Config } from "../config/config-schema.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";

/** Sizes of the pools in db/stores/postgres/connection/store-pools.ts, db/records/open-records.ts and db/stores/postgres/connection/sessions.ts. */
const READS = 4;
const WRITES = 3;
const RELAY = 4;
const CONSOLE_SIDE = 4;
/** The stream itself, and the statements that look after its slot. */
const STREAM = 2;
const PROCESSES = 2;

/** What the configuration opens, a line for each URL. The embedded Postgres is not among them: it is ours. */
export function databaseUses(config: Config): DatabaseUse[] {
  const uses: DatabaseUse[] = [];
  for (const [name, store] of Object.entries(config.stores)) {
    const outboxes = Object.values(config.outboxes).filter((outbox) => outbox.store === name);
    const writes = outboxes.some(({ mode }) => mode !== "observe");
    const own = { name: `store ${name}`, url: store.url, writes };
    uses.push({ ...own, connections: READS * PROCESSES + (writes ? WRITES : 0) });
    if (store.readUrl)
      uses.push({ name: `readUrl of store ${name}`, url: store.readUrl, writes: false, connections: READS });
    const relays = outboxes.reduce((sum, outbox) => sum + relayConnections(outbox), 0);
    if (relays === 0 && !store.directUrl) continue;
    const direct = store.directUrl ? { ...own, name: `directUrl of store ${name}`, url: store.directUrl } : own;
    uses.push({ ...direct, connections: relays });
  }
  const { databaseUrl } = config.console;
  if (databaseUrl)
    uses.push({ name: "the console side", url: databaseUrl, writes: true, connections: CONSOLE_SIDE * PROCESSES });
  return uses;
}

function relayConnections({ relay }: OutboxConfig): number {
  if (!relay) return 0;
  return RELAY + (relay.source === "cdc" ? STREAM : 0) + (relay.notify === undefined ? 0 : 1);
}
