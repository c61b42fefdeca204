import { LookMemory } from "#db/shapes/columns/look-at-values.ts";
import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type {
  OutboxStore,
  RelayTableSettings,
  Store,
  StoreEngine,
  StoreOptions,
  StreamOptions,
} from "../port/store.ts";
import { everyRowSql } from "./catalog/every-row-sql.ts";
import { readStoreCatalog } from "./catalog/read-store-catalog.ts";
import { addressOf } from "./connection/address-of.ts";
import { migrationError } from "./connection/migration-error.ts";
import { ping } from "./connection/ping.ts";
import { splitPooler } from "./connection/pool.ts";
import { openRelayPool, type PostgresRelayPool } from "./connection/relay-connections.ts";
import { createStorePools, type StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { checkDatabases } from "./doctor/check-databases.ts";
import { readGrantSql } from "./doctor/check-grants.ts";
import { checkOutbox } from "./doctor/check-outbox.ts";
import { migrateStoreSide } from "./own-schema/migrate.ts";
import { createInboxReader } from "./postgres-inbox-reader.ts";
import { createInboxRetention } from "./postgres-inbox-retention.ts";
import { createOutboxActions } from "./postgres-outbox-actions.ts";
import { createOutboxHandover } from "./postgres-outbox-handover.ts";
import { createOutboxPartitions } from "./postgres-outbox-partitions.ts";
import { createOutboxReader } from "./postgres-outbox-reader.ts";
import { createOutboxRetention } from "./postgres-outbox-retention.ts";
import { createOutboxStorage } from "./postgres-outbox-storage.ts";
import { createOutboxWatch } from "./postgres-outbox-watch.ts";
import { createStoreRecords } from "./postgres-store-records.ts";
import { createRelayTable } from "./relay/postgres-relay-table.ts";
import { createStream } from "./replication/create-stream.ts";

const CATALOG_TIMEOUT_MS = 5000;

export const postgresEngine: StoreEngine = { openStore: openPostgresStore, checkDatabases };

export function openPostgresStore(options: StoreOptions): Store {
  const { name } = options;
  const { url } = splitPooler(options.url);
  const directUrl = options.directUrl ?? url;
  const pools = createStorePools(options);
  const relays = openRelayPool({ url: directUrl, all: options.relayConnections });
  const of = `store ${name}`;
  const memory = { looks: new LookMemory(), tables: new Map() };
  return {
    name,
    kind: "postgres",
    address: addressOf(url),
    capabilities: {
      ...{
        writes: true,
        relays: true,
        stream: "log",
        notify: true,
        namesLockHolders: true,
        exactCounts: true,
        orderBy: "any",
        retention: true,
        republish: true,
        findsTraces: true,
      },
    },
    catalog: (named) =>
      asking(of, () =>
        withReadTransaction(pools.reads(), CATALOG_TIMEOUT_MS, (client) =>
          readStoreCatalog(client, options.schemas, memory, named),
        ),
      ),
    ping: () => asking(of, async () => void (await ping(pools.pings()))),
    migrate: () =>
      migrateStoreSide(directUrl).catch((error: unknown) => {
        throw migrationError(error, `schema outbox_console in store ${name}`, directUrl);
      }),
    outbox: (ref) => openOutbox({ pools, relays, directUrl }, ref),
    inboxRetention: (inbox, mapping) => createInboxRetention(pools, inbox, mapping),
    inbox: (inbox: string, mapping: InboxMapping) => createInboxReader(pools, inbox, mapping),
    records: createStoreRecords(pools, name),
    readUnits: () => null,
    user: () => asking(of, () => readUser(pools)),
    everyRowStatement: (table, mode, user) => everyRowSql(table, user ?? userOf(url), mode),
    readGrant: readGrantSql,
    close: () => pools.close(),
  };
}

interface Connections {
  pools: StorePools;
  relays: PostgresRelayPool;
  directUrl: string;
}

function openOutbox({ pools, relays, directUrl }: Connections, ref: OutboxRef): OutboxStore {
  return {
    read: createOutboxReader(pools, ref),
    act: createOutboxActions(pools, ref),
    watch: createOutboxWatch(pools, ref),
    retention: createOutboxRetention(pools, ref),
    storage: createOutboxStorage(pools, ref),
    partitions: createOutboxPartitions(pools, ref),
    handover: createOutboxHandover(pools, ref, directUrl),
    openRelay: (settings) => openRelay(ref, { url: directUrl, pool: relays }, settings),
    doctor: (input) => checkOutbox({ pool: pools.reads(), directUrl, ref }, input),
    createStream: (stream) => createOutboxStream(ref, directUrl, stream),
  };
}

function openRelay(
  ref: OutboxRef,
  over: { url: string; pool: PostgresRelayPool },
  { stream, ...settings }: RelayTableSettings,
) {
  const { name: outbox, mapping, accepted } = ref;
  const table = { outbox, mapping, ...over, ...(accepted ? { accepted } : {}) };
  return createRelayTable({
    ...table,
    ...settings,
    ...(stream ? { cdc: { ...namesOf(stream), mark: stream.mark } } : {}),
  });
}

async function createOutboxStream({ name, mapping }: OutboxRef, url: string, stream: StreamOptions): Promise<string[]> {
  try {
    return await createStream({ url, names: { ...namesOf(stream), table: mapping.table } });
  } catch (error) {
    throw migrationError(error, `publication and slot of outbox ${name}`, url);
  }
}

/** In Postgres the reader is a slot and the feed a publication. */
function namesOf({ reader, feed }: StreamOptions): { slot: string; publication: string } {
  return { slot: reader, publication: feed };
}

async function readUser({ reads }: StorePools): Promise<string> {
  const { rows } = await reads().query<{ user: string }>('SELECT current_user AS "user"');
  return rows[0]?.user ?? "its user";
}

function userOf(url: string): string {
  return (URL.canParse(url) && decodeURIComponent(new URL(url).username)) || "its user";
}
