import type { BulkRecords } from "../port/bulk-records.ts";
import type { StoreRecords } from "../port/store-records.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withWriteTransaction } from "./connection/transaction.ts";
import {
  beginBulk,
  commandBulk,
  listOperations,
  listUnended,
  readBulk,
  releaseBulk,
  saveBulk,
  takeBulk,
} from "./own-schema/bulk-operations.ts";
import { deleteOldAttempts, deleteOldRestored } from "./own-schema/delete-old-rows.ts";
import { listAuditRows } from "./own-schema/list-audit.ts";
import { listLeaseRows, listRelayRows } from "./own-schema/list-relays.ts";
import { keepFirstFingerprint, replaceFingerprint } from "./own-schema/mapping-fingerprints.ts";
import {
  addItems,
  cancelItems,
  countItems,
  deleteOldItems,
  listItems,
  settleItems,
} from "./own-schema/operation-items.ts";
import {
  claimOperation,
  finishOperation,
  readChanges,
  readOperation,
  readOperationByKey,
  settleOperation,
} from "./own-schema/operations.ts";
import { listPauseRows, readPausesOf } from "./own-schema/pauses.ts";
import { readRelayTotals, retireRelays } from "./own-schema/retire-relays.ts";
import { writeAudit } from "./own-schema/write-audit.ts";

/** Store records in schema outbox_console of one database. */
export function createStoreRecords(pools: StorePools, store: string): StoreRecords {
  const { reads, writes } = pools;
  const outbox = <T>(name: string, work: () => Promise<T>) => asking(`outbox ${name}`, work);
  const whole = <T>(work: () => Promise<T>) => asking(`store ${store}`, work);
  return {
    bulk: createBulkRecords(pools, whole),
    relays: (name) =>
      outbox(name, async () => ({
        relays: await listRelayRows(reads(), name),
        leases: await listLeaseRows(reads(), name),
        paused: await listPauseRows(reads(), name),
      })),
    totals: (name) => outbox(name, () => readRelayTotals(reads(), name)),
    pausesOf: (message) => outbox(message.outbox, () => readPausesOf(reads(), message)),
    audit: (input) => whole(() => listAuditRows(reads(), input)),
    beginOperation: (operation, first) => outbox(operation.outbox, () => claimOperation(writes(), operation, first)),
    operationByKey: (used) => whole(() => readOperationByKey(writes(), used)),
    finishOperation: ({ id, outbox: name }, result) => outbox(name, () => finishOperation(writes(), id, result)),
    operation: (id, options) => whole(() => readOperation(options?.fresh ? writes() : reads(), id)),
    changesOf: (id) => whole(() => readChanges(reads(), id)),
    settleOperation: (input) => whole(() => settleOperation(writes(), input)),
    keepFirstMapping: (entry) => outbox(entry.outbox, () => keepFirstFingerprint(writes(), entry)),
    acceptMapping: (entry, audit) =>
      outbox(entry.outbox, () =>
        withWriteTransaction(writes(), async (client) => {
          await replaceFingerprint(client, entry);
          await writeAudit(client, audit);
        }),
      ),
    retireRelays: (silentHours) => whole(() => retireRelays(writes(), silentHours)),
    deleteOldAttempts: (keepDays, batch) => whole(() => deleteOldAttempts(writes(), keepDays, batch)),
    deleteOldRestored: (keepDays, batch) => whole(() => deleteOldRestored(writes(), keepDays, batch)),
  };
}

function createBulkRecords(
  { reads, writes }: StorePools,
  asked: <T>(work: () => Promise<T>) => Promise<T>,
): BulkRecords {
  return {
    begin: (operation) => asked(() => beginBulk(writes(), operation)),
    get: (id) => asked(() => readBulk(writes(), id)),
    list: (input) => asked(() => listOperations(reads(), input)),
    unended: (input) => asked(() => listUnended(reads(), input)),
    deleteOldItems: (keepDays, batch) => asked(() => deleteOldItems(writes(), keepDays, batch)),
    take: (runner, leaseMs) => asked(() => takeBulk(writes(), runner, leaseMs)),
    save: (lease, input) => asked(() => saveBulk(writes(), lease, input)),
    release: (lease) => asked(() => releaseBulk(writes(), lease)),
    command: (input) => asked(() => commandBulk(writes(), input)),
    addItems: (lease, items, progress) => asked(() => addItems(writes(), lease, { items, progress })),
    next: (id, afterSeq, limit) => asked(() => listItems(writes(), { id, outcome: "left", afterSeq, limit })),
    released: (id, afterSeq, limit) => asked(() => listItems(writes(), { id, outcome: "released", afterSeq, limit })),
    settle: (lease, results, { again = false } = {}) => asked(() => settleItems(writes(), lease, { results, again })),
    cancelLeft: (lease, limit) => asked(() => cancelItems(writes(), lease, limit)),
    counts: (id) => asked(() => countItems(reads(), id)),
    items: (input) => asked(() => listItems(reads(), input)),
  };
}
