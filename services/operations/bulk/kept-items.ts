import type { BulkRow } from "#db/stores/port/bulk-records.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxHandle, Runtime, StoreHandle } from "../../runtime.ts";
import { bulkPlanSchema } from "./bulk-plan.ts";
import { whyKeyChanged } from "./changed-key.ts";

const DAY_MS = 86_400_000;

/** Days for which the items of an operation stay after its end. */
export const keepItemsDays = ({ config }: Pick<Runtime, "config">): number => config.console.keepItems / DAY_MS;

/** When the items of an operation that has ended are deleted; null while it goes on, and where they stay. */
export function itemsKeptUntil(runtime: Pick<Runtime, "config">, store: StoreHandle, row: BulkRow): string | null {
  if (row.endedAt === null || !store.records.bulk?.deleteOldItems) return null;
  return new Date(Date.parse(row.endedAt) + runtime.config.console.keepItems).toISOString();
}

/**
 * Throws not_found if the earlier operation, whose items a request takes up, does not exist or ran within its request,
 * and wrong_state if its items are deleted by now, or the primary key is another one since.
 */
export async function requireItems(runtime: Runtime, handle: OutboxHandle, operation: string): Promise<void> {
  const { store, mapping } = handle;
  const row = await store.records.bulk?.get(operation);
  if (!row)
    throw new AppError("not_found", "No operation over many messages has this id, so there are no items to take.");
  const changed = whyKeyChanged(bulkPlanSchema.safeParse(row.plan).data?.key ?? null, mapping);
  if (changed !== null) throw new AppError("wrong_state", `${changed} Select the messages by a filter.`);
  const until = itemsKeptUntil(runtime, store, row);
  if (until === null || Date.parse(until) > Date.now()) return;
  throw new AppError(
    "wrong_state",
    `The items of this operation were kept for ${Math.round(keepItemsDays(runtime))} days and are deleted: select the messages by a filter.`,
  );
}
