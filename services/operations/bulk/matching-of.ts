import type { Figure } from "#contracts/common.ts";
import { type OperationRequest, TYPED_COUNT_ABOVE } from "#contracts/message/operations.ts";
import { AppError } from "#domain/errors.ts";
import { requireTraces } from "../../messages/require-traces.ts";
import { outboxOf } from "../../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../../runtime.ts";
import { filtersOf } from "./filters-of.ts";

type Selected = Pick<OperationRequest, "filter" | "targets" | "itemsOf">;

/**
 * How many messages a selection has, as far as they are counted: capped at 10,000 by a filter. `confirm`: the number
 * that the operator repeats; null for 1,000 or fewer. Throws what reading the list throws.
 */
export async function matchingOf(
  handle: OutboxHandle,
  selected: Selected,
): Promise<{ matching: Figure; confirm: number | null }> {
  const matching = await count(handle, selected);
  const many = matching.value > TYPED_COUNT_ABOVE || matching.precision === "unknown";
  return { matching, confirm: many ? matching.value : null };
}

async function count(handle: OutboxHandle, { filter, targets, itemsOf }: Selected): Promise<Figure> {
  if (targets) return { value: targets.length, precision: "exact" };
  if (itemsOf) {
    const earlier = await handle.store.records.bulk?.get(itemsOf.operation);
    if (earlier && earlier.outbox !== handle.name)
      throw new AppError("not_found", `Outbox ${handle.name} has no operation with this id.`);
    const counts = (await handle.store.records.bulk?.counts(itemsOf.operation)) ?? {};
    const value = itemsOf.outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);
    return { value, precision: "exact" };
  }
  requireTraces(handle, filter ?? {});
  const counts = await Promise.all(
    filtersOf(filter ?? { state: "unsent" }).map((list) => outboxOf(handle).read.list({ filter: list, limit: 1 })),
  );
  if (handle.catalog.rowSecurity || counts.some(({ matching }) => matching === null))
    return { value: 0, precision: "unknown" };
  const value = counts.reduce((sum, { matching }) => sum + (matching?.value ?? 0), 0);
  return { value, precision: counts.some(({ matching }) => matching?.capped) ? "capped" : "exact" };
}
