import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxStorage } from "../port/storage.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { readStorage } from "./storage/read-storage.ts";

const READ_TIMEOUT_MS = 3_000;

export function createOutboxStorage({ reads }: StorePools, ref: OutboxRef): OutboxStorage {
  return {
    read: () =>
      asking(`outbox ${ref.name}`, () =>
        withReadTransaction(reads(), READ_TIMEOUT_MS, (session) => readStorage(session, ref)),
      ),
  };
}
