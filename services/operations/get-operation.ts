import { type Operation, operationSchema } from "#contracts/operations.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { readOperation } from "#db/store-side/operations.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime } from "../runtime.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A finished operation with its outcomes, from whichever store it ran in. Throws: not_found, unavailable. */
export async function getOperation(input: { runtime: Runtime; id: string }): Promise<Operation> {
  const { outboxes } = await input.runtime.tables();
  const stores = new Set(outboxes.filter((outbox) => outbox.storeSide).map((outbox) => outbox.store));
  for (const store of UUID.test(input.id) ? stores : []) {
    const result = await readOperation(store.reads, input.id).catch((error: unknown) => {
      throw toDatabaseError(error, `store ${store.name}`);
    });
    if (result) return operationSchema.parse(result);
  }
  throw new AppError("not_found", "There is no finished operation with this id.");
}
