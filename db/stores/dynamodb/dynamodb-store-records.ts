import { emptyLatencies } from "#domain/latency-histogram.ts";
import type { StoreRecords } from "../port/store-records.ts";
import { asking } from "./connection/to-store-error.ts";
import { listAuditRows } from "./own-table/audit.ts";
import { deleteOldRestored } from "./own-table/delete-old-restored.ts";
import { acceptFingerprint, keepFirstFingerprint } from "./own-table/mapping-fingerprints.ts";
import {
  beginOperation,
  finishOperation,
  readChanges,
  readOperation,
  settleOperation,
} from "./own-table/operations.ts";
import type { OwnTable } from "./own-table/own-table.ts";
import { listPauses, pausesOf } from "./own-table/pauses.ts";

/** Store records in our own table. No relay of ours reads DynamoDB, so there is nothing of relays in it. */
export function createStoreRecords(own: OwnTable, store: string): StoreRecords {
  const outbox = <T>(name: string, work: () => Promise<T>) => asking(`outbox ${name}`, work);
  const whole = <T>(work: () => Promise<T>) => asking(`store ${store}`, work);
  return {
    relays: (name) => outbox(name, async () => ({ relays: [], leases: [], paused: await listPauses(own, name) })),
    totals: async () => ({ published: 0, failures: 0, latency: emptyLatencies() }),
    pausesOf: (message) => outbox(message.outbox, () => pausesOf(own, message)),
    audit: (input) => whole(() => listAuditRows(own, input)),
    beginOperation: (operation, first) => outbox(operation.outbox, () => beginOperation(own, operation, first)),
    finishOperation: ({ id, outbox: name }, result) => outbox(name, () => finishOperation(own, id, result)),
    operation: (id) => whole(() => readOperation(own, id)),
    changesOf: (id) => whole(() => readChanges(own, id)),
    settleOperation: (input) => whole(() => settleOperation(own, input)),
    keepFirstMapping: (entry) => outbox(entry.outbox, () => keepFirstFingerprint(own, entry)),
    acceptMapping: (entry, audit) => outbox(entry.outbox, () => acceptFingerprint(own, entry, audit)),
    retireRelays: async () => 0,
    deleteOldAttempts: async () => 0,
    deleteOldRestored: (keepDays, batch) => whole(() => deleteOldRestored(own, keepDays, batch)),
  };
}
