import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { AppError } from "#domain/errors.ts";
import type { ItemFamily } from "../port/item-family.ts";
import type { TableName } from "../port/mapping.ts";
import type { OutboxStore, Store, StoreCatalog, StoreEngine, StoreOptions } from "../port/store.ts";
import { readCatalog } from "./catalog/read-catalog.ts";
import { addressOf } from "./connection/dynamodb-url.ts";
import { Link } from "./connection/link.ts";
import { asking } from "./connection/to-store-error.ts";
import { checkDatabases } from "./doctor/check-databases.ts";
import { checkOutbox } from "./doctor/check-outbox.ts";
import { createInboxReader } from "./dynamodb-inbox-reader.ts";
import { createOutboxActions } from "./dynamodb-outbox-actions.ts";
import { createOutboxReader } from "./dynamodb-outbox-reader.ts";
import { createOutboxStorage } from "./dynamodb-outbox-storage.ts";
import { createOutboxWatch } from "./dynamodb-outbox-watch.ts";
import { createStoreRecords } from "./dynamodb-store-records.ts";
import { ItemSource } from "./items/item-source.ts";
import { readFingerprints } from "./own-table/mapping-fingerprints.ts";
import { migrateOwnTable, ownSchemaState } from "./own-table/migrate.ts";
import { DEFAULT_OWN_TABLE, type OwnTable } from "./own-table/own-table.ts";
import { createRelayTable } from "./relay/dynamodb-relay-table.ts";
import { READS_LATE } from "./relay/reads-late.ts";
import type { Room } from "./room.ts";
import { createStream } from "./streams/create-stream.ts";
import { openStreamCalls, type StreamCalls } from "./streams/stream-calls.ts";

export const dynamodbEngine: StoreEngine = { openStore: openDynamodbStore, checkDatabases };

/** The item families of one account and region. */
export function openDynamodbStore(options: StoreOptions): Store {
  const { name, url, families = {} } = options;
  const link = new Link(options);
  const own: OwnTable = { link, name: options.ownTable ?? DEFAULT_OWN_TABLE };
  const of = `store ${name}`;
  const sourceOf = keepSources(link, own, families);
  return {
    name,
    kind: "dynamodb",
    address: addressOf(url),
    capabilities: {
      ...{ writes: true, relays: true, stream: "streams", notify: false, namesLockHolders: false },
      ...{ exactCounts: false, orderBy: "key", readsLate: READS_LATE },
      republish: false,
      findsTraces: {
        no: "Messages in DynamoDB cannot be searched by trace: lists are read from an index, which need not hold the headers.",
      },
      retention: {
        no: "DynamoDB removes items itself, by their time to live: keepPublished of the family gives each published item one.",
      },
    },
    catalog: () => asking(of, () => readStoreCatalog(link, own, families)),
    ping: () => asking(of, () => ping(link, families)),
    migrate: () => migrateOwnTable(own, name),
    outbox: (ref) =>
      openOutbox(
        { link, own, ref, ...sourceOf(ref.mapping.table, ref.storeSide ? ref.name : null) },
        {
          link: () => new Link(options),
          calls: () => openStreamCalls(options),
        },
      ),
    inboxRetention: () => null,
    inbox: (inbox, mapping) => createInboxReader(inbox, { link, mapping, ...sourceOf(mapping.table, null) }),
    records: createStoreRecords(own, name),
    readUnits: () => link.budget.state(),
    user: async () => "the account of its AWS credentials",
    everyRowStatement: () => "",
    readGrant: () => "",
    close: async () => link.close(),
  };
}

/** One source for each family and its records, so that all callers share its readings. */
function keepSources(link: Link, own: OwnTable, families: Readonly<Record<string, ItemFamily>>) {
  const sources = new Map<string, { family: ItemFamily; source: ItemSource }>();
  return ({ name }: TableName, outbox: string | null) => {
    const family = families[name];
    if (!family) throw new AppError("unavailable", `There is no item family ${name} in the configuration.`);
    const key = JSON.stringify([name, outbox]);
    const readers = Object.keys(families).length;
    const records = outbox === null ? null : { own, outbox };
    const known = sources.get(key) ?? { family, source: new ItemSource({ link, family, readers, records }) };
    sources.set(key, known);
    return known;
  };
}

async function readStoreCatalog(
  link: Link,
  own: OwnTable,
  families: Readonly<Record<string, ItemFamily>>,
): Promise<StoreCatalog> {
  const [tables, ownSchema] = await Promise.all([readCatalog(link, families), ownSchemaState(own)]);
  return { tables, ownSchema, accepted: ownSchema === "current" ? await readFingerprints(own) : new Map() };
}

/** Pings with a request that the reads also need; any table serves. */
async function ping(link: Link, families: Readonly<Record<string, ItemFamily>>): Promise<void> {
  const [first] = Object.values(families);
  if (first) await link.describe(first.table);
  else await link.client.send(new ListTablesCommand({ Limit: 1 }));
}

/** `open`: clients of a relay's own. */
function openOutbox(room: Room, open: { link(): Link; calls(): StreamCalls }): OutboxStore {
  return {
    read: createOutboxReader(room),
    act: createOutboxActions(room),
    watch: createOutboxWatch(room),
    retention: null,
    storage: createOutboxStorage(room),
    partitions: null,
    handover: null,
    openRelay: (settings) => {
      const link = open.link();
      const calls = settings.stream ? open.calls() : null;
      return createRelayTable({ ...room, link, own: { ...room.own, link } }, settings, calls);
    },
    doctor: (input) => checkOutbox(room, input),
    createStream: (stream) => asking(`outbox ${room.ref.name}`, () => createStream(room, stream)),
  };
}
