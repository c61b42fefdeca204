import type { Operation } from "#contracts/operations.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";
import { readRecord } from "./unfinished-operations.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * An operation with its outcomes, from the store in which it ran. A store that does not answer only hides its own
 * operations. Throws: not_found, unavailable.
 */
export async function getOperation(input: { runtime: Runtime; id: string }): Promise<Operation> {
  const { outboxes } = await input.runtime.tables();
  const stores = new Set(outboxes.filter((outbox) => outbox.storeSide).map((outbox) => outbox.store));
  const asked = await Promise.allSettled(
    [...(UUID.test(input.id) ? stores : [])].map((store) =>
      store.line.ask(() => findIn(store, input.id.toLowerCase())),
    ),
  );
  const found = asked.find((one) => one.status === "fulfilled" && one.value);
  if (found?.status === "fulfilled" && found.value) return found.value;
  // A store that did not answer may hold the operation.
  const failed = asked.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  throw new AppError("not_found", "There is no operation with this id.");
}

async function findIn(store: StoreHandle, id: string): Promise<Operation | null> {
  const stored = await store.records.operation(id);
  return stored ? readRecord(store, stored) : null;
}
