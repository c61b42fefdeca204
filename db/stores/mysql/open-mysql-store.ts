import { AppError } from "#domain/errors.ts";
import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxStore, RelayTableSettings, Store, StoreEngine, StoreOptions } from "../port/store.ts";
import { everyRowSql } from "./catalog/every-row-sql.ts";
import { readStoreCatalog } from "./catalog/read-store-catalog.ts";
import { addressOf } from "./connection/address-of.ts";
import { databaseOf } from "./connection/connection-string.ts";
import { migrationError } from "./connection/migration-error.ts";
import { nameOfOwn, type OwnPlace, ownPlaceOf } from "./connection/own-place.ts";
import { ping } from "./connection/ping.ts";
import { createStorePools, type StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { checkDatabases } from "./doctor/check-databases.ts";
import { checkOutbox } from "./doctor/check-outbox.ts";
import { createInboxReader } from "./mysql-inbox-reader.ts";
import { createOutboxActions } from "./mysql-outbox-actions.ts";
import { createOutboxReader } from "./mysql-outbox-reader.ts";
import { createOutboxWatch } from "./mysql-outbox-watch.ts";
import { createStoreRecords } from "./mysql-store-records.ts";
import { migrateStoreSide } from "./own-schema/migrate.ts";
import { createRelayTable } from "./relay/mysql-relay-table.ts";

const CATALOG_TIMEOUT_MS = 5000;

export const mysqlEngine: StoreEngine = { openStore: openMysqlStore, checkDatabases };

/** One database of a MySQL or MariaDB server. Throws invalid_input for a prefix without a database in the URL. */
export function openMysqlStore(options: StoreOptions): Store {
  const { name, url } = options;
  const directUrl = options.directUrl ?? url;
  const place = ownPlaceOf(options);
  const pools = createStorePools({ ...options, own: place });
  const of = `store ${name}`;
  return {
    name,
    kind: "mysql",
    address: addressOf(url),
    capabilities: {
      ...{ writes: true, relays: true, stream: "none", notify: false, exactCounts: true, orderBy: "any" },
      // MariaDB shows a lock of a row only while somebody waits for it.
      namesLockHolders: !url.startsWith("mariadb:"),
    },
    catalog: () =>
      asking(of, () =>
        withReadTransaction(pools.reads(), CATALOG_TIMEOUT_MS, (session) =>
          readStoreCatalog(session, { schemas: options.schemas, database: databaseOf(url), place }),
        ),
      ),
    ping: () => asking(of, async () => void (await ping(pools.pings()))),
    migrate: () =>
      migrateStoreSide(directUrl, place).catch((error: unknown) => {
        throw migrationError(error, `${nameOfOwn(place)} in store ${name}`, { url: directUrl, place });
      }),
    outbox: (ref) => openOutbox(pools, ref, { url: directUrl, place }),
    inbox: (inbox: string, mapping: InboxMapping) => createInboxReader(pools, inbox, mapping),
    records: createStoreRecords(pools, name),
    user: () => asking(of, () => readUser(pools)),
    everyRowStatement: () => everyRowSql(),
    close: () => pools.close(),
  };
}

interface Direct {
  /** URL for what needs a session of its own. */
  url: string;
  place: OwnPlace;
}

function openOutbox(pools: StorePools, ref: OutboxRef, direct: Direct): OutboxStore {
  return {
    read: createOutboxReader(pools, ref),
    act: createOutboxActions(pools, ref),
    watch: createOutboxWatch(pools, ref),
    openRelay: (settings) => openRelay(ref, direct, settings),
    doctor: (input) => checkOutbox({ pools, ref }, input),
    createStream: async () => {
      throw logNotRead(ref.name);
    },
  };
}

function openRelay(ref: OutboxRef, { url, place }: Direct, { stream, ...settings }: RelayTableSettings) {
  const { name: outbox, mapping, accepted } = ref;
  if (stream) throw logNotRead(outbox);
  return createRelayTable({ outbox, mapping, url, own: place, ...(accepted ? { accepted } : {}), ...settings });
}

function logNotRead(outbox: string): AppError {
  return new AppError(
    "invalid_input",
    `The relay of outbox ${outbox} is to read the server's log, and the log of MySQL and MariaDB is not read yet. Let it poll the table.`,
  );
}

async function readUser({ reads }: StorePools): Promise<string> {
  const rows = await withReadTransaction(reads(), CATALOG_TIMEOUT_MS, (session) =>
    session.rows("SELECT CURRENT_USER()"),
  );
  return rows[0]?.[0] ?? "its user";
}
