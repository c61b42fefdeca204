import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type MysqlFlavor, testMysqlDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createStorePools, type StorePools } from "../../connection/store-pools.ts";
import { withReadTransaction } from "../../connection/transaction.ts";
import { StaleReadingError } from "./innodb-transactions.ts";
import { keepsMetadataLocks } from "./metadata-locks.ts";
import { readLockHolders } from "./read-lock-holders.ts";
import { readOldTransactions } from "./read-old-transactions.ts";

/** MariaDB gives only an old list of its transactions while other sessions, here other tests, ask all the time. */
export async function fresh<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const settled = await waitFor(
    () =>
      ask().then(
        (value) => ({ value }),
        (error) => (error instanceof StaleReadingError ? null : { error }),
      ),
    { message: "the list of transactions is not an old one" },
  );
  if ("error" in settled) throw settled.error;
  return settled.value;
}

/** A table whose locks are read, in a separate database for the file or the `describe`. */
export function lockedEvents(flavor: MysqlFlavor) {
  const database = testMysqlDatabase(flavor);
  let pools: StorePools;
  let names = true;
  beforeAll(async () => {
    const { url, own } = database();
    pools = createStorePools({ url, own, applicationName: "outbox-console test" });
    names = await withReadTransaction(pools.reads(), 2000, keepsMetadataLocks);
  });
  afterAll(() => pools.close());

  const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: true, from: "config" });
  const refOf = (type: string): OutboxRef => ({
    name: "orders",
    mapping: {
      table: { schema: database().name, name: "events" },
      primaryKey: [column("id", type)],
      columns: { id: column("id", type), payload: column("payload", "text") },
      lifecycle: { kind: "flag", column: { ...column("sent", "tinyint(1)"), nullable: false } },
      deadAttempts: null,
      archiveTable: null,
      shape: "generic",
    },
    storeSide: true,
    maxAttempts: null,
    estimatedRows: 0,
  });

  const makeTable = (type: string, values: readonly string[]) =>
    database().query(
      `SET lock_wait_timeout = 10; DROP TABLE IF EXISTS events; CREATE TABLE events (id ${type} PRIMARY KEY, payload text, sent tinyint(1) NOT NULL DEFAULT 0, KEY (sent));
       INSERT INTO events (id) VALUES ${values.map((value) => `(${value})`).join(", ")}`,
    );
  /** Ends with its test, so that a lock of a test that failed does not stop the next one. */
  const connect = async () => {
    const connection = await database().connect();
    onTestFinished(() => connection.destroy());
    return connection;
  };
  const holders = (ref: OutboxRef, heldSeconds = 0) =>
    fresh(() => withReadTransaction(pools.reads(), 2000, (session) => readLockHolders(session, ref, heldSeconds)));
  const old = (ref: OutboxRef, seconds = 0) =>
    fresh(() => withReadTransaction(pools.reads(), 2000, (session) => readOldTransactions(session, ref, seconds)));

  return { database, pools: () => pools, names: () => names, refOf, makeTable, connect, holders, old };
}
