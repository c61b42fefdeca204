import type { PoolClient } from "pg";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxStorage, StorageReading } from "../port/storage.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { readHolders } from "./storage/read-holders.ts";
import { readingOf, readRangeTable } from "./storage/read-partitions.ts";
import { readCountedSince, readIndexes, readSize } from "./storage/read-size.ts";
import { readSlots } from "./storage/read-slots.ts";

const READ_TIMEOUT_MS = 3_000;

export function createOutboxStorage({ reads }: StorePools, ref: OutboxRef): OutboxStorage {
  return {
    read: () =>
      asking(`outbox ${ref.name}`, () => withReadTransaction(reads(), READ_TIMEOUT_MS, (client) => read(client, ref))),
  };
}

async function read(client: PoolClient, ref: OutboxRef): Promise<StorageReading> {
  const { table } = ref.mapping;
  const unsaid: string[] = [];
  const where = <T>(what: string, none: T, work: () => Promise<T>) =>
    whereAllowed(client, { what, none, unsaid }, work);
  const ranges = await readRangeTable(client, table);
  return {
    size: await readSize(client, table),
    indexes: await readIndexes(client, table),
    countedSince: await readCountedSince(client),
    holders: await where("who holds back vacuum", [], () => readHolders(client, table)),
    slots: await where("replication slots", [], () => readSlots(client, [])),
    partitions: ranges ? readingOf(ranges) : null,
    figures: [],
    unsaid,
  };
}

/** Runs a read. If the user lacks the privilege, notes that and returns `none`. */
async function whereAllowed<T>(
  client: PoolClient,
  { what, none, unsaid }: { what: string; none: T; unsaid: string[] },
  work: () => Promise<T>,
): Promise<T> {
  await client.query("SAVEPOINT storage");
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    await client.query("ROLLBACK TO SAVEPOINT storage");
    unsaid.push(`The database user may not read ${what}.`);
    return none;
  }
}
