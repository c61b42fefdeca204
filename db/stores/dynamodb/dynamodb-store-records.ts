import type { BulkRecords } from "../port/bulk-records.ts";
import type { StoreRecords } from "../port/store-records.ts";
import { asking } from "./connection/to-store-error.ts";
import { deleteOldAttempts } from "./own-table/attempts.ts";
import { listAuditRows } from "./own-table/audit.ts";
import {
  beginBulk,
  commandBulk,
  listOperations,
  listUnended,
  readBulk,
  releaseBulk,
  saveBulk,
  takeBulk,
} from "./own-table/bulk-operations.ts";
import { createRestoredCleanUp } from "./own-table/delete-old-restored.ts";
import { listRelayRows, readRelayTotals, retireRelays } from "./own-table/instances.ts";
import { acceptFingerprint, keepFirstFingerprint } from "./own-table/mapping-fingerprints.ts";
import { countItems, listItems } from "./own-table/operation-items.ts";
import {
  beginOperation,
  finishOperation,
  readChanges,
  readOperation,
  readOperationByKey,
  settleOperation,
} from "./own-table/operations.ts";
import type { OwnTable } from "./own-table/own-table.ts";
import { listPauses, pausesOf } from "./own-table/pauses.ts";
import { addItems, cancelItems, settleItems } from "./own-table/settle-items.ts";
import { listLeases, readRelayState } from "./own-table/terms.ts";

/** Store records in our own table. */
export function createStoreRecords(own: OwnTable, store: string): StoreRecords {
  const outbox = <T>(name: string, work: () => Promise<T>) => asking(`outbox ${name}`, work);
  const whole = <T>(work: () => Promise<T>) => asking(`store ${store}`, work);
  const cleanUpRestored = createRestoredCleanUp(own);
  return {
    bulk: createBulkRecords(own, whole),
    relays: (name) =>
      outbox(name, async () => ({
        relays: await listRelayRows(own, name),
        leases: listLeases(name, await readRelayState(own, name)),
        paused: await listPauses(own, name),
      })),
    totals: (name) => outbox(name, () => readRelayTotals(own, name)),
    pausesOf: (message) => outbox(message.outbox, () => pausesOf(own, message)),
    audit: (input) => whole(() => listAuditRows(own, input)),
    beginOperation: (operation, first) => outbox(operation.outbox, () => beginOperation(own, operation, first)),
    operationByKey: (used) => whole(() => readOperationByKey(own, used)),
    finishOperation: ({ id, outbox: name }, result) => outbox(name, () => finishOperation(own, id, result)),
    operation: (id) => whole(() => readOperation(own, id)),
    changesOf: (id) => whole(() => readChanges(own, id)),
    settleOperation: (input) => whole(() => settleOperation(own, input)),
    keepFirstMapping: (entry) => outbox(entry.outbox, () => keepFirstFingerprint(own, entry)),
    acceptMapping: (entry, audit) => outbox(entry.outbox, () => acceptFingerprint(own, entry, audit)),
    retireRelays: (silentHours) => whole(() => retireRelays(own, silentHours)),
    deleteOldAttempts: (keepDays, batch) => whole(() => deleteOldAttempts(own, keepDays, batch)),
    deleteOldRestored: (keepDays, batch) => whole(() => cleanUpRestored(keepDays, batch)),
  };
}

function createBulkRecords(own: OwnTable, asked: <T>(work: () => Promise<T>) => Promise<T>): BulkRecords {
  return {
    begin: (operation) => asked(() => beginBulk(own, operation)),
    get: (id) => asked(() => readBulk(own, id)),
    list: (input) => asked(() => listOperations(own, input)),
    unended: (input) => asked(() => listUnended(own, input)),
    deleteOldItems: null,
    take: (runner, leaseMs) => asked(() => takeBulk(own, runner, leaseMs)),
    save: (lease, input) => asked(() => saveBulk(own, lease, input)),
    release: (lease) => asked(() => releaseBulk(own, lease)),
    command: (input) => asked(() => commandBulk(own, input)),
    addItems: (lease, items, progress) => asked(() => addItems(own, lease, { items, progress })),
    next: (id, afterSeq, limit) => asked(() => listItems(own, { id, outcome: "left", afterSeq, limit })),
    released: (id, afterSeq, limit) => asked(() => listItems(own, { id, outcome: "released", afterSeq, limit })),
    settle: (lease, results) => asked(() => settleItems(own, lease, results)),
    cancelLeft: (lease, limit) => asked(() => cancelItems(own, lease, limit)),
    counts: (id) => asked(() => countItems(own, id)),
    items: (input) => asked(() => listItems(own, input)),
  };
}
