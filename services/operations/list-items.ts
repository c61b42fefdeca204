import type { z } from "zod";
import type { itemQuerySchema, OperationItem, OperationItemList } from "#contracts/message/operations.ts";
import type { ItemRow } from "#db/stores/port/bulk-records.ts";
import { AppError } from "#domain/errors.ts";
import { maskError } from "../masking/mask-rows.ts";
import { type Masker, maskerOf } from "../masking/masker.ts";
import type { Runtime } from "../runtime.ts";
import { findOperation } from "./find-operation.ts";

/** Items of a bulk operation, in the order of the work. Throws: not_found, invalid_input, wrong_state, unavailable. */
export async function listItems(input: {
  runtime: Runtime;
  id: string;
  query: z.output<typeof itemQuerySchema>;
}): Promise<OperationItemList> {
  const { id, query } = input;
  const { store, bulk } = await findOperation(input.runtime, id);
  const records = store.records.bulk;
  if (!bulk || !records)
    throw new AppError("wrong_state", "This operation ran within its request: its outcomes are in its record.");
  const rows = await store.guard.ask(() =>
    records.items({
      id: bulk.id,
      outcome: query.outcome ?? null,
      afterSeq: query.cursor === undefined ? null : seqOf(query.cursor),
      limit: query.limit,
    }),
  );
  const registry = input.runtime.config.outboxes[bulk.outbox]?.registry;
  const masker = await maskerOf(input.runtime.config.masking, registry);
  const last = rows.length === query.limit ? rows.at(-1) : undefined;
  return {
    items: rows.map((row) => toItem(row, masker)),
    nextCursor: last ? String(last.seq) : null,
    asOf: new Date().toISOString(),
  };
}

function seqOf(cursor: string): number {
  if (/^-?\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new AppError("invalid_input", "The cursor is damaged.");
}

/** An error that was recorded before something was masked is masked now. */
function toItem({ messageId, version: _, message, ...item }: ItemRow, masker: Masker | null): OperationItem {
  const isError = item.outcome === "failed_again" && masker !== null;
  const shown = isError ? maskError(masker, { eventType: item.eventType, text: message }) : message;
  return { id: messageId, ...item, message: shown };
}
