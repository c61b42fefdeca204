import type { BulkRecords } from "../port/bulk-records.ts";
import type { StoreRecords } from "../port/store-records.ts";
import type { Session } from "./connection/session.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction, withSession, withWriteTransaction } from "./connection/transaction.ts";
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

const READ_TIMEOUT_MS = 5000;

/** Store records in our own tables of one server. */
export function createStoreRecords(pools: StorePools, store: string): StoreRecords {
  const { reads, writes } = pools;
  const outbox = <T>(name: string, work: () => Promise<T>) => asking(`outbox ${name}`, work);
  const whole = <T>(work: () => Promise<T>) => asking(`store ${store}`, work);
  const reading = <T>(work: (session: Session) => Promise<T>) => withReadTransaction(reads(), READ_TIMEOUT_MS, work);
  const writing = <T>(work: (session: Session) => Promise<T>) => withSession(writes(), work);
  return {
    bulk: createBulkRecords(pools, whole),
    relays: (name) =>
      outbox(name, () =>
        reading(async (session) => ({
          relays: await listRelayRows(session, name),
          leases: await listLeaseRows(session, name),
          paused: await listPauseRows(session, name),
        })),
      ),
    totals: (name) => outbox(name, () => reading((session) => readRelayTotals(session, name))),
    pausesOf: (message) => outbox(message.outbox, () => reading((session) => readPausesOf(session, message))),
    audit: (input) => whole(() => reading((session) => listAuditRows(session, input))),
    beginOperation: (operation, first) => outbox(operation.outbox, () => claimOperation(writes(), operation, first)),
    operationByKey: (used) => whole(() => writing((session) => readOperationByKey(session, used))),
    finishOperation: ({ id, outbox: name }, result) =>
      outbox(name, () => writing((session) => finishOperation(session, id, result))),
    operation: (id, options) =>
      whole(() => (options?.fresh ? writing : reading)((session) => readOperation(session, id))),
    changesOf: (id) => whole(() => reading((session) => readChanges(session, id))),
    settleOperation: (input) => whole(() => settleOperation(writes(), input)),
    keepFirstMapping: (entry) => outbox(entry.outbox, () => writing((session) => keepFirstFingerprint(session, entry))),
    acceptMapping: (entry, audit) =>
      outbox(entry.outbox, () =>
        withWriteTransaction(writes(), async (session) => {
          await replaceFingerprint(session, entry);
          await writeAudit(session, audit);
        }),
      ),
    retireRelays: (silentHours) => whole(() => retireRelays(writes(), silentHours)),
    deleteOldAttempts: (keepDays, batch) =>
      whole(() => writing((session) => deleteOldAttempts(session, keepDays, batch))),
    deleteOldRestored: (keepDays, batch) =>
      whole(() => writing((session) => deleteOldRestored(session, keepDays, batch))),
  };
}

function createBulkRecords(
  { reads, writes }: StorePools,
  asked: <T>(work: () => Promise<T>) => Promise<T>,
): BulkRecords {
  const reading = <T>(work: (session: Session) => Promise<T>) =>
    asked(() => withReadTransaction(reads(), READ_TIMEOUT_MS, work));
  const writing = <T>(work: (session: Session) => Promise<T>) => asked(() => withSession(writes(), work));
  return {
    begin: (operation) => asked(() => beginBulk(writes(), operation)),
    get: (id) => writing((session) => readBulk(session, id)),
    list: (input) => reading((session) => listOperations(session, input)),
    unended: (input) => reading((session) => listUnended(session, input)),
    deleteOldItems: (keepDays, batch) => writing((session) => deleteOldItems(session, keepDays, batch)),
    take: (runner, leaseMs) => asked(() => takeBulk(writes(), runner, leaseMs)),
    save: (lease, input) => asked(() => saveBulk(writes(), lease, input)),
    release: (lease) => writing((session) => releaseBulk(session, lease)),
    command: (input) => asked(() => commandBulk(writes(), input)),
    addItems: (lease, items, progress) => asked(() => addItems(writes(), lease, { items, progress })),
    next: (id, afterSeq, limit) => writing((session) => listItems(session, { id, outcome: "left", afterSeq, limit })),
    released: (id, afterSeq, limit) =>
      writing((session) => listItems(session, { id, outcome: "released", afterSeq, limit })),
    settle: (lease, results) => asked(() => settleItems(writes(), lease, results)),
    cancelLeft: (lease, limit) => asked(() => cancelItems(writes(), lease, limit)),
    counts: (id) => reading((session) => countItems(session, id)),
    items: (input) => reading((session) => listItems(session, input)),
  };
}
