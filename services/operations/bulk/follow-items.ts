import type { ItemResult, ItemRow } from "#db/stores/port/bulk-records.ts";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";

/** Known outcomes of retried messages. `rows`: the messages as they are now. */
export function followItems(
  items: readonly ItemRow[],
  rows: readonly MessageRow[],
  lifecycle: OutboxMapping["lifecycle"],
): ItemResult[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.flatMap((item) => outcomeOf(item, byId.get(item.messageId), lifecycle) ?? []);
}

function outcomeOf(
  { seq }: ItemRow,
  row: MessageRow | undefined,
  lifecycle: OutboxMapping["lifecycle"],
): ItemResult | null {
  if (!row) return gone(seq, lifecycle);
  switch (row.state) {
    case "published":
      return { seq, outcome: "published", code: null, message: "Published." };
    case "failed":
    case "dead":
      return { seq, outcome: "failed_again", code: row.lastErrorCode, message: row.lastError };
    case "expired":
      return { seq, outcome: "failed_again", code: null, message: "It expired before it was published." };
    case "archived":
      return row.publishedAt !== null
        ? { seq, outcome: "published", code: null, message: "It was archived after it was published." }
        : { seq, outcome: "unknown", code: null, message: "Somebody archived it before it was published." };
    default:
      return null;
  }
}

/**
 * In a table that keeps published rows, a row that is gone was removed by someone. In one that does not, a row that was
 * published and one that someone removed look the same, which the message says.
 */
function gone(seq: number, lifecycle: OutboxMapping["lifecycle"]): ItemResult {
  const deletes = lifecycle.kind === "delete" || (lifecycle.kind === "rules" && !lifecycle.states.published);
  if (deletes)
    return {
      seq,
      outcome: "published",
      code: null,
      message:
        "Its row is gone, as this table's rows are once they are published. If another program deletes rows too, it may have been that.",
    };
  return {
    seq,
    outcome: "unknown",
    code: "not_found",
    message: "Its row was removed before it was seen as published.",
  };
}
