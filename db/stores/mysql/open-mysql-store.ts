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
import { databaseOf } from "./connection/connection-string.ts";
import { migrationError } from "./connection/migration-error.ts";
import { nameOfOwn, type OwnPlace, ownPlaceOf } from "./connection/own-place.ts";
import { ping } from "./connection/ping.ts";
import { createStorePools, type StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction, withSession } from "./connection/transaction.ts";
import { checkDatabases } from "./doctor/check-databases.ts";
import { readGrantSql } from "./doctor/check-grants.ts";
import { checkOutbox } from "./doctor/check-outbox.ts";
import { createInboxReader } from "./mysql-inbox-reader.ts";
import { createInboxRetention } from "./mysql-inbox-retention.ts";
import { createOutboxActions } from "./mysql-outbox-actions.ts";
import { createOutboxHandover } from "./mysql-outbox-handover.ts";
import { createOutboxReader } from "./mysql-outbox-reader.ts";
import { createOutboxRetention } from "./mysql-outbox-retention.ts";
import { createOutboxStorage } from "./mysql-outbox-storage.ts";
import { createOutboxWatch } from "./mysql-outbox-watch.ts";
import { createStoreRecords } from "./mysql-store-records.ts";
import { migrateStoreSide } from "./own-schema/migrate.ts";
import { createRelayTable } from "./relay/mysql-relay-table.ts";
import { openStoreRelays, type StoreRelays } from "./relay/store-relays.ts";
import { createReader } from "./replication/create-stream.ts";

const CATALOG_TIMEOUT_MS = 5000;

export const mysqlEngine: StoreEngine = { openStore: openMysqlStore, checkDatabases };

/** One database of a MySQL or MariaDB server. Throws invalid_input for a prefix without a database in the URL. */
export function openMysqlStore(options: StoreOptions): Store {
  const { name, url } = options;
  const directUrl = options.directUrl ?? url;
  const place = ownPlaceOf(options);
  const pools = createStorePools({ ...options, own: place });
  const relays = openStoreRelays({ url: directUrl, own: place, all: options.relayConnections });
  const of = `store ${name}`;
  const memory = new LookMemory();
  return {
    name,
    kind: "mysql",
    address: addressOf(url),
    capabilities: {
      ...{ writes: true, relays: true, stream: "binlog", notify: false, exactCounts: true, orderBy: "any" },
      ...{ retention: true, republish: true, findsTraces: true },
      // MariaDB shows a lock of a row only while a session waits for it.
      namesLockHolders: !url.startsWith("mariadb:"),
    },
    catalog: (named) =>
      asking(of, () =>
        withReadTransaction(pools.reads(), CATALOG_TIMEOUT_MS, (session) =>
          readStoreCatalog(session, { schemas: options.schemas, database: databaseOf(url), place }, memory, named),
        ),
      ),
    ping: () => asking(of, async () => void (await ping(pools.pings()))),
    migrate: () =>
      migrateStoreSide(directUrl, place).catch((error: unknown) => {
        throw migrationError(error, `${nameOfOwn(place)} in store ${name}`, { url: directUrl, place });
      }),
    outbox: (ref) => openOutbox(pools, ref, { url: directUrl, place, relays }),
    inboxRetention: (inbox, mapping) => createInboxRetention(pools, inbox, mapping),
    inbox: (inbox: string, mapping: InboxMapping) => createInboxReader(pools, inbox, mapping),
    records: createStoreRecords(pools, name),
    readUnits: () => null,
    user: () => asking(of, () => readUser(pools)),
    everyRowStatement: () => everyRowSql(),
    readGrant: readGrantSql,
    close: () => pools.close(),
  };
}

interface Direct {
  /** URL for work that needs its own session. */
  url: string;
  place: OwnPlace;
  relays: StoreRelays;
}

function openOutbox(pools: StorePools, ref: OutboxRef, direct: Direct): OutboxStore {
  const { url, place } = direct;
  return {
    read: createOutboxReader(pools, ref),
    act: createOutboxActions(pools, ref),
    watch: createOutboxWatch(pools, ref),
    retention: createOutboxRetention(pools, ref),
    storage: createOutboxStorage(pools, ref),
    partitions: null,
    handover: createOutboxHandover(pools, ref, { url, place }),
    openRelay: (settings) => openRelay(ref, direct, settings),
    doctor: (input) => checkOutbox({ pools, ref }, input),
    createStream: (stream) => createStream(pools, ref, stream),
  };
}

function openRelay(ref: OutboxRef, { url, place, relays }: Direct, { stream, ...settings }: RelayTableSettings) {
  const { name: outbox, mapping, accepted } = ref;
  return createRelayTable({
    ...{ outbox, mapping, url, own: place, relays },
    ...(accepted ? { accepted } : {}),
    ...settings,
    // The server sends its whole log, so nothing is named after the outbox but the reader.
    ...(stream ? { cdc: { reader: stream.reader, mark: stream.mark } } : {}),
  });
}

function createStream(pools: StorePools, { name, mapping }: OutboxRef, { reader }: StreamOptions): Promise<string[]> {
  const names = { reader, schema: mapping.table.schema };
  return asking(`outbox ${name}`, () =>
    withSession(pools.writes(), (session) => createReader(session, session.own, names)),
  );
}

async function readUser({ reads }: StorePools): Promise<string> {
  const rows = await withReadTransaction(reads(), CATALOG_TIMEOUT_MS, (session) =>
    session.rows("SELECT CURRENT_USER()"),
  );
  return rows[0]?.[0] ?? "its user";
}
